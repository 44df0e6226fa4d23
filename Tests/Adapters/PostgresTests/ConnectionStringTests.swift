import Postgres
import Testing

@Suite("A connection string") struct ConnectionStringTests {
    /// Passwords without percent-encoding, in every place where libpq's errors would quote a part.
    private static let careless = [
        "postgresql://user:pa@s3cret@127.0.0.1/database",
        "postgresql://user:12/s3cret@127.0.0.1/database",
        "postgresql://user:s3cret/word@127.0.0.1/database",
        "postgresql://user:p@ss/s3cret@127.0.0.1:1/database",
        "postgresql://user:%s3cret@127.0.0.1/database",
        "postgresql://user:a@b:s3cret@127.0.0.1/database",
        "postgresql://user@127.0.0.1:s3cret/database",
        "postgresql://user@127.0.0.1/database?s3cret=1",
        "postgresql://[s3cret/database",
        "host=127.0.0.1 password=two s3cret",
        "host=127.0.0.1 s3cret=x",
        "user:s3cret@127.0.0.1/database",
    ]

    @Test("A malformed connection string is never quoted, since it may hold a password")
    func careful() {
        for text in Self.careless {
            #expect(PostgresConfiguration.fault(in: text)?.contains("s3cret") == false, "\(text)")
            do throws(PostgresError) {
                _ = try PostgresSession(PostgresConfiguration(text))
                Issue.record("\(text) led somewhere")
            } catch {
                #expect(!"\(error)".contains("s3cret"), "\(text): \(error)")
            }
        }
    }

    @Test("Valid connection strings are accepted: addresses, keywords and a socket's folder")
    func good() {
        for text in [
            "postgresql://user:pa%40ss@db.example:5432/whereabouts",
            "postgres://whereabouts@/postgres?host=/tmp/whereabouts/postgres",
            "postgresql://user@[::1]:5432/database", "postgresql://a,b/d?port=1,2",
            "host=127.0.0.1 port=5432 password='a b' dbname=whereabouts",
        ] {
            #expect(PostgresConfiguration.fault(in: text) == nil, "\(text)")
        }
    }
}
