import Events
import Foundation
import Postgres
import Site
import SiteSearch
import TestSupport

/// The entries' names in a PostgreSQL server of its own, searched by trigrams as the manual of
/// pg_trgm shows.
struct SearchPostgres {
    /// A method of searching, with the index that it needs.
    enum Method: String, CaseIterable {
        case similarity = "similarity, GIN"
        case wordSimilarity = "word_similarity, GIN"
        case distance = "<-> nearest, GiST"

        /// The statement that finds the names most similar to a search text. An entry may have
        /// several names.
        fileprivate var query: String {
            let asked = "unaccent(lower($1::text))"
            let names = "SELECT entry, name, \(score(asked)) AS score FROM names"
            return switch self {
            case .similarity:
                "\(names) WHERE name % \(asked) ORDER BY score, entry LIMIT 15"
            case .wordSimilarity:
                "\(names) WHERE \(asked) <% name ORDER BY score, entry LIMIT 15"
            case .distance: "\(names) ORDER BY name <-> \(asked) LIMIT 15"
            }
        }

        private func score(_ asked: String) -> String {
            switch self {
            case .similarity, .distance: "name <-> \(asked)"
            case .wordSimilarity: "\(asked) <<-> name"
            }
        }
    }

    private let connection: PostgresConnection
    private let server: PrivatePostgres

    init(_ entries: [SearchEntry], in directory: URL) async throws {
        server = try PrivatePostgres(settings: ["shared_buffers=256MB", "jit=off"])
        // The server's default locale has only the letters of ASCII.
        let maker = PostgresConnection(server.configuration())
        try await maker.execute(
            script: """
                CREATE DATABASE search TEMPLATE template0 LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'
                """)
        await maker.close()
        connection = PostgresConnection(server.configuration(database: "search"))
        let rows = entries.flatMap { entry in
            Set([entry.name] + entry.names.byLanguage.values).sorted().map {
                "\(entry.id)\t\($0)\n"
            }
        }
        // PostgreSQL reads the folder, and runs as another account.
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: directory.path)
        let file = directory.appending(path: "names.tsv")
        try Data(rows.joined().utf8).write(to: file)
        try await connection.execute(
            script: """
                CREATE EXTENSION pg_trgm;
                CREATE EXTENSION unaccent;
                CREATE TEMPORARY TABLE raw (entry text, name text);
                COPY raw FROM '\(file.path)';
                CREATE TABLE names AS SELECT entry, unaccent(lower(name)) AS name FROM raw;
                CREATE INDEX names_gin ON names USING gin (name gin_trgm_ops);
                CREATE INDEX names_gist ON names USING gist (name gist_trgm_ops(siglen=64));
                ANALYZE names
                """)
    }

    /// The milliseconds of each search, ascending, and the share of searches with the right entry
    /// among the first five.
    func answer(
        _ questions: [(text: String, id: String)], _ method: Method
    ) async throws -> (milliseconds: [Double], recall: Double) {
        var milliseconds: [Double] = []
        var hits = 0
        for question in questions {
            let began = ContinuousClock.now
            let rows = try await connection.query(method.query, [.text(question.text)])
            milliseconds.append((ContinuousClock.now - began) / .milliseconds(1))
            var found: [String] = []
            for row in rows {
                let entry: String = try row["entry"]
                if !found.contains(entry) { found.append(entry) }
            }
            if found.prefix(5).contains(question.id) { hits += 1 }
        }
        return (milliseconds.sorted(), Double(hits) / Double(questions.count))
    }

    func stop() { server.stop() }
}
