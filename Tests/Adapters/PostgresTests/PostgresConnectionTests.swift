import Postgres
import TestSupport
import Testing

@Suite(
    "A PostgreSQL connection",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct PostgresConnectionTests {
    @Test(
        "The error for a malformed address leaves out its password",
        arguments: [
            "postgresql://user:sec/ret@host/db", "postgresql://user:sec%zzret@host/db",
            "postgresql://user:secret@[host/db", "postgresql://user:p@sec@ret/db",
            "host=x password='sec ret", "host=x secret=",
        ])
    func unreadableAddress(_ address: String) {
        let error = #expect(throws: PostgresError.self) {
            _ = try PostgresSession(PostgresConfiguration(address))
        }
        #expect(error?.reason.contains("sec") == false)
        #expect(error?.reason.contains("can't be read") == true)
    }

    @Test("a bound value of every type is read back unchanged")
    func roundTrip() async throws {
        let connection = PostgresConnection(try await PrivatePostgres.shared().makeDatabase())
        let rows = try await connection.query(
            """
            SELECT $1::int8 AS whole, $2::text AS text, $3::bytea AS bytes, $4::float8 AS real,
                $5::bool AS truth, $6::timestamptz AS time, $7::jsonb AS json, $8::uuid AS id,
                $9::int8[] AS wholes, $10::text[] AS texts, $11::bytea[] AS blobs, $12::int4 AS none
            """,
            [
                -5, "Grüße", .bytes([0, 255, 1]), 2.5, true,
                .timestamp(microseconds: 1_700_000_000_000_001),
                .json(#"{"a": 1}"#), .uuid(Array(0..<16)), .int64Array([1, -2]),
                .textArray(["x", nil]),
                .bytesArray([[], nil, [7]]), nil,
            ])
        let row = try #require(rows.first)
        #expect(try row["whole"] == -5)
        #expect(try row["text"] == "Grüße")
        #expect(try row["bytes"] == [0, 255, 1] as [UInt8])
        #expect(try row["real"] == 2.5)
        #expect(try row["truth"] == true)
        #expect(try row["time"] == Int64(1_700_000_000_000_001))
        #expect(try row["json"] == #"{"a": 1}"#)
        #expect(try row["id"] == "00010203-0405-0607-0809-0a0b0c0d0e0f")
        #expect(try row["wholes"] == [1, -2] as [Int64])
        #expect(try row["texts"] == ["x", nil] as [String?])
        #expect(try row["blobs"] == [[], nil, [7]] as [[UInt8]?])
        #expect(try row["none"] == nil as Int?)
    }
}
