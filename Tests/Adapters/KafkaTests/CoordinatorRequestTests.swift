import EventLog
import Foundation
import KafkaLog
import Repository
import TestSupport
import Testing

@Suite("Requests to a group's coordinator", .serialized)
struct CoordinatorRequestTests {
    /// librdkafka's administration requests that go to a coordinator. Version 2.0.2 ends the
    /// process when one times out and the coordinator comes back afterwards (`GroupOffsets`).
    private static let dangerous = [
        "ListConsumerGroupOffsets(", "AlterConsumerGroupOffsets(", "DeleteConsumerGroupOffsets(",
        "DescribeConsumerGroups(", "DeleteGroups(",
    ]

    @Test("never use librdkafka's administration")
    func noneByName() throws {
        var looked = 0
        for folder in ["Shared", "Services"] {
            let files = try #require(
                FileManager.default.enumerator(
                    at: repository.appendingPathComponent(folder), includingPropertiesForKeys: nil))
            for case let file as URL in files
            where ["swift", "h", "c"].contains(file.pathExtension) {
                looked += 1
                let code = try String(contentsOf: file, encoding: .utf8)
                    .split(separator: "\n").filter { !$0.contains("///") }.joined(separator: "\n")
                for name in Self.dangerous {
                    #expect(!code.contains("rd_kafka_" + name), "\(file.lastPathComponent)")
                }
            }
        }
        #expect(looked > 500)
    }

    @Test("time out while the broker is away, and work once it is back")
    func brokerAway() async throws {
        guard RealKafka.shared?.isOwn == true, let kafka = RealKafka.start() else {
            return print("skipped: a broker of the test's own to kill")
        }
        defer { kafka.stop() }
        let log = try KafkaLog(bootstrapServers: kafka.bootstrapServers, onUnexpected: { _ in })
        try await log.createTopics([
            TopicSpecification(name: "scans", partitions: 1, cleanup: .forever)
        ])
        #expect(try await log.committed(group: "locator", topics: ["scans"]).isEmpty)
        kafka.crash()
        for _ in 0..<2 {
            await #expect(throws: EventLogError.self) {
                try await log.committed(group: "locator", topics: ["scans"])
            }
        }
        kafka.restart()
        let deadline = ContinuousClock.now + .seconds(60)
        var found: [TopicPartition: Int64]?
        while found == nil, .now < deadline {
            found = try? await log.committed(group: "locator", topics: ["scans"])
        }
        #expect(found == [:])
        await log.close()
    }
}
