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

    @Test("get the time for which compaction leaves what newer records replace")
    func shortestLag() async throws {
        guard let kafka = RealKafka.shared else { return }
        let log = try KafkaLog(bootstrapServers: kafka.bootstrapServers, onUnexpected: { _ in })
        let administrator = try Administrator(settings: [
            "bootstrap.servers": kafka.bootstrapServers
        ])
        let name = freshName("site")
        for lag in [nil, Duration.seconds(86_400)] {
            try await log.createTopics([
                TopicSpecification(
                    name: name, partitions: 1, cleanup: .compact, shortestCompactionLag: lag)
            ])
        }
        let deadline = ContinuousClock.now + .seconds(30)
        var own: [String: String] = [:]
        while own["min.compaction.lag.ms"] == nil, .now < deadline {
            own = try #require(try administrator.topicSettings([name], .seconds(30))[name]).own
        }
        #expect(own["min.compaction.lag.ms"] == "86400000")
        await log.close()
    }

    @Test("take the records of years without a segment for each hour, and are as before then")
    func yearsRestored() async throws {
        guard let kafka = RealKafka.start() else { return }
        let log = try KafkaLog(bootstrapServers: kafka.bootstrapServers, onUnexpected: { _ in })
        let administrator = try Administrator(settings: [
            "bootstrap.servers": kafka.bootstrapServers
        ])
        let topic = TopicSpecification(name: "records", partitions: 1, cleanup: .compact)
        try await log.createTopics([topic])
        func settings() throws -> [String: String] {
            try #require(try administrator.topicSettings(["records"], .seconds(30))["records"]).own
        }
        let before = try settings()
        try await log.beginRestoring([topic])
        let (count, years): (Int64, Int64) = (5_000, 3 * 365 * 86_400_000_000)
        let start = Int64(Date().timeIntervalSince1970) * 1_000_000 - years
        for batch in stride(from: 0, to: count, by: 100) {
            try await log.restore(
                (batch..<batch + 100).map { number in
                    RestoredRecord(
                        LogRecord(
                            topic: "records", partition: 0, key: Array("\(number)".utf8),
                            value: [UInt8](repeating: 1, count: 200)),
                        appendedAtMicroseconds: start + years / count * number)
                })
        }
        #expect(kafka.segments(of: "records") == 1)
        // A restore that was interrupted leaves the settings to the services.
        try await log.createTopics([topic])
        try await log.endRestoring([topic])
        #expect(try settings() == before)
        await log.close()
        kafka.stop()
    }
}
