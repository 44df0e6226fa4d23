import Kafka
import Synchronization
import Testing

@testable import KafkaLog

@Suite("Reports about brokers") struct ComplaintsTests {
    @Test("come once when none can be reached, and once when they answer again, for all clients")
    func recovery() {
        let told = Mutex<[String]>([])
        let complaints = Complaints(
            { sentence in told.withLock { $0.append(sentence) } },
            onRecovery: { sentence in told.withLock { $0.append(sentence) } })
        complaints.answered(sinceAsking: .now)
        let askedBefore = ContinuousClock.now
        for _ in 0..<3 {
            complaints.about(
                KafkaError(code: .allBrokersDown, reason: "2/2 brokers are down"), "Kafka")
        }
        complaints.about(KafkaError(code: .transport, reason: "Connection refused"), "Kafka")
        #expect(told.withLock { $0.count } == 1)
        // An answer that was under way when the brokers went down.
        complaints.answered(sinceAsking: askedBefore)
        #expect(told.withLock { $0.count } == 1)
        complaints.answered(sinceAsking: .now)
        complaints.answered(sinceAsking: .now)
        #expect(told.withLock { $0.count } == 2)
        #expect(told.withLock { $0.last } == "Kafka works again: its brokers answer.")
    }
}
