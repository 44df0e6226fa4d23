import Kafka
import Testing

@Suite("A rebalance of a group")
struct RebalanceTests {
    @Test("ends a poll that waits for messages")
    func endsThePoll() throws {
        let cluster = try MockKafkaCluster()
        try cluster.createTopic("scans", partitions: 2)
        let consumer = try Consumer(settings: [
            "bootstrap.servers": cluster.bootstrapServers, "group.id": "locator",
            "partition.assignment.strategy": "cooperative-sticky", "enable.auto.commit": "false",
        ])
        defer { consumer.close() }
        try consumer.subscribe(to: ["scans"])
        let began = ContinuousClock.now
        guard case .assigned(let partitions) = consumer.poll(.seconds(60)) else {
            Issue.record("the poll ended without an assignment")
            return
        }
        #expect(partitions.map(\.partition).sorted() == [0, 1])
        #expect(ContinuousClock.now - began < .seconds(45))
        try consumer.incrementalAssign(partitions)
    }
}
