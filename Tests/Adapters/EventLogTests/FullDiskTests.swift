import EventLog
import Postgres
import PostgresLog
import TestSupport
import Testing

@Suite(
    "The log on a full disk", .serialized,
    .enabled(if: SmallDisk.obstacle == nil, "\(SmallDisk.obstacle ?? "")"))
struct FullDiskTests {
    @Test("appends report a full disk; retention still drops tables, and then appends go on")
    func full() async throws {
        let (server, database) = try await SmallDisk.make(megabytes: 40)
        defer { server.stop() }
        var settings = PostgresLogSettings(database)
        settings.maintenanceInterval = nil
        let sign = StorageSign()
        settings.database.storage = sign
        let log = PostgresLog(settings)
        try await log.createTopics([
            TopicSpecification(name: "site", partitions: 1, cleanup: .compact),
            TopicSpecification(
                name: "scans", partitions: 1, cleanup: .delete(after: .seconds(2))),
        ])
        try await log.append([LogRecord("site", "k", "v")])
        let large = LogRecord(
            topic: "scans", key: [1], value: (0..<7_000).map { _ in UInt8.random(in: 0...255) })
        await expect(.storageFull) {
            for _ in 0..<1_000 { try await log.append(Array(repeating: large, count: 100)) }
        }
        #expect(sign.isFull)
        let connection = PostgresConnection(settings.database)
        #expect(
            await isSoon {
                // It may fail at steps that need room, after steps that make room. One record may
                // fit into the remaining room.
                try? await log.maintain()
                guard (try? await log.append([large])) != nil else { return false }
                return (try? await connection.checkRoom()) != nil
            })
        await connection.close()
        await log.close()
    }
}
