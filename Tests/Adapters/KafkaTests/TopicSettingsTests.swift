import EventLog
import Foundation
import Kafka
import KafkaLog
import Synchronization
import TestSupport
import Testing

@Suite("Existing topics")
struct TopicSettingsTests {
    private static func topic(
        _ name: String, days: Int, maximumRecordBytes: Int = 1_000_000, isFlushed: Bool = false
    ) -> TopicSpecification {
        TopicSpecification(
            name: name, partitions: 1, cleanup: .delete(after: .seconds(86_400 * days)),
            maximumRecordBytes: maximumRecordBytes, isFlushed: isFlushed)
    }

    @Test("get a changed retention and keep the settings of other administrators")
    func retention() async throws {
        guard let kafka = RealKafka.shared else { return }
        let told = Mutex<[String]>([])
        let log = try KafkaLog(
            bootstrapServers: kafka.bootstrapServers,
            onUnexpected: { sentence in told.withLock { $0.append(sentence) } })
        let administrator = try Administrator(settings: [
            "bootstrap.servers": kafka.bootstrapServers
        ])
        func settings(_ name: String) throws -> Administrator.TopicSettings {
            try #require(try administrator.topicSettings([name], .seconds(30))[name])
        }
        let name = freshName("positions")
        try await log.createTopics([Self.topic(name, days: 30)])
        #expect(try settings(name).own["retention.ms"] == "\(30 * 86_400_000)")
        #expect(try settings(name).own["flush.messages"] == nil)
        // Another administrator's settings.
        var others = try settings(name).own
        others["min.cleanable.dirty.ratio"] = "0.25"
        others["max.message.bytes"] = "7000000"
        others["retention.bytes"] = "2000000000"
        try administrator.replaceTopicSettings(of: name, with: others, .seconds(30))
        // The answering broker gets the change from the controller a moment later.
        let deadline = ContinuousClock.now + .seconds(30)
        while try settings(name).own != others, .now < deadline {}
        #expect(try settings(name).own == others)

        let wanted = Self.topic(name, days: 7, maximumRecordBytes: 3_000_000, isFlushed: true)
        try await log.createTopics([wanted])
        let changed = try settings(name)
        #expect(changed.own["retention.ms"] == "\(7 * 86_400_000)")
        #expect(changed.own["segment.ms"] == "\(7 * 8_640_000)")
        #expect(changed.own["flush.messages"] == "1")
        #expect(changed.own["min.cleanable.dirty.ratio"] == "0.25")
        #expect(changed.own["max.message.bytes"] == "7000000")
        #expect(changed.own["retention.bytes"] == "2000000000")
        #expect(told.withLock { $0.contains { $0.contains("retention.ms of \(name) was") } })

        let before = told.withLock { $0.count }
        try await log.createTopics([wanted])
        #expect(told.withLock { $0.count } == before)
        try await log.createTopics([
            Self.topic(name, days: 7, maximumRecordBytes: 9_000_000, isFlushed: true)
        ])
        #expect(try settings(name).own["max.message.bytes"] == "9010000")
        await log.close()
    }

    @Test("that were kept whole become compacted, with segments that close in time")
    func compaction() async throws {
        guard let kafka = RealKafka.shared else { return }
        let log = try KafkaLog(bootstrapServers: kafka.bootstrapServers, onUnexpected: { _ in })
        let administrator = try Administrator(settings: [
            "bootstrap.servers": kafka.bootstrapServers
        ])
        let name = freshName("site")
        for cleanup in [TopicSpecification.Cleanup.forever, .compact] {
            try await log.createTopics([
                TopicSpecification(name: name, partitions: 1, cleanup: cleanup)
            ])
        }
        // The answering broker gets the change from the controller a moment later.
        let deadline = ContinuousClock.now + .seconds(30)
        var own: [String: String] = [:]
        while own["cleanup.policy"] != "compact", .now < deadline {
            own = try #require(try administrator.topicSettings([name], .seconds(30))[name]).own
        }
        #expect(own["cleanup.policy"] == "compact")
        #expect(own["segment.ms"] == "3600000")
        #expect(own["segment.bytes"] == "67108864")
        await log.close()
    }
}
