import EventLog
import Foundation
import Kafka
import KafkaLog
import Synchronization
import TestSupport
import Testing

@Suite("A broker that is killed")
struct CrashTests {
    /// What was acknowledged and is not there.
    static func lost(acknowledged: Set<String>, stored: [String]) -> Set<String> {
        acknowledged.subtracting(stored)
    }

    @Test("the comparison notices a record that is missing")
    func canary() {
        #expect(Self.lost(acknowledged: ["1", "2"], stored: ["2"]) == ["1"])
    }

    @Test(
        "loses nothing that was acknowledged, and doubles nothing, while records are appended")
    func crashWhileProducing() async throws {
        guard RealKafka.shared?.isOwn == true, let kafka = RealKafka.start() else {
            return print("skipped: a broker of the test's own to kill")
        }
        defer { kafka.stop() }
        let log = try KafkaLog(
            bootstrapServers: kafka.bootstrapServers, onUnexpected: { _ in })
        try await log.createTopics([
            TopicSpecification(name: "scans", partitions: 3, cleanup: .forever)
        ])
        let acknowledged = Mutex<Set<String>>([])
        let isOver = Atomic(false)
        async let appending = Task.detached {
            var number = 0
            while !isOver.load(ordering: .relaxed) {
                let ids = (number..<number + 20).map(String.init)
                number += 20
                log.append(ids.map { LogRecord(topic: "scans", key: Array($0.utf8), value: [1]) }) {
                    if case .success = $0 { acknowledged.withLock { $0.formUnion(ids) } }
                }
                try? await Task.sleep(for: .milliseconds(5))
            }
            return number
        }.value
        for _ in 0..<2 {
            try await Task.sleep(for: .seconds(1))
            kafka.crash()
            kafka.restart()
        }
        let before = acknowledged.withLock { $0.count }
        let deadline = ContinuousClock.now + .seconds(60)
        while acknowledged.withLock({ $0.count }) == before {
            try #require(ContinuousClock.now < deadline, "nothing is acknowledged any more")
            try await Task.sleep(for: .milliseconds(50))
        }
        isOver.store(true, ordering: .relaxed)
        let offered = await appending
        await log.close()
        let stored = try readAll(
            "scans", partitions: 3, bootstrapServers: kafka.bootstrapServers
        ).compactMap(\.key)
        let kept = acknowledged.withLock { $0 }
        #expect(Self.lost(acknowledged: kept, stored: stored).isEmpty)
        #expect(Set(stored).count == stored.count)
        #expect(kept.count > offered / 2)
    }
}
