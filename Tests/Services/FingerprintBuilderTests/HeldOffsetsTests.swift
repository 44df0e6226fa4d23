import Backups
import Foundation
import Postgres
import Repository
import ServiceBench
import TestSupport
import Testing

@testable import FingerprintBuilder

@Suite("Offsets in a backup") struct HeldOffsetsTests {
    @Test(
        "A column of a stored table that looks like an offset is translated by a restore",
        .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
    func columns() async throws {
        let pool = try await ServiceBench.database()
        try await pool.withConnection { connection in
            for store in FingerprintBuilderDefinition.backupStores {
                _ = try await store.migrator.migrate(connection)
            }
            // The test notices a new column.
            try await connection.execute(
                script: "ALTER TABLE radio_maps.quality ADD COLUMN read_offset bigint")
        }
        let found: [String] = try await pool.query(
            """
            SELECT table_schema || '.' || table_name || '.' || column_name AS name
            FROM information_schema.columns
            WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
                AND (column_name LIKE '%offset%' OR column_name LIKE '%log_position%')
            """
        ).map { try $0["name"] }
        #expect(
            Set(found) == Set(HeldOffsets.columnNames).union(["radio_maps.quality.read_offset"]))
    }

    @Test("So is a member of an event")
    func members() throws {
        let document = try JSONSerialization.jsonObject(
            with: Data(contentsOf: repository.appending(path: "docs/asyncapi.json")))
        var found: Set<String> = []
        func look(_ value: Any) {
            if let object = value as? [String: Any] {
                if let members = object["properties"] as? [String: Any] {
                    found.formUnion(members.keys.filter { $0.lowercased().contains("offset") })
                }
                object.values.forEach(look)
            } else if let list = value as? [Any] {
                list.forEach(look)
            }
        }
        look(document)
        // That of a node is in decibels.
        #expect(found.subtracting(["offsetError"]) == HeldOffsets.members)
    }
}
