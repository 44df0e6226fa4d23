import EventLog
import Kafka
import KafkaLog
import Synchronization
import Testing

@Suite("Errors injected by librdkafka's mock cluster")
struct InjectedErrorTests {
    private let cluster: MockKafkaCluster

    init() throws {
        cluster = try MockKafkaCluster()
        try cluster.createTopic("scans", partitions: 1)
    }

    private func producer(_ more: [String: String] = [:]) throws -> Producer {
        let settings = producerSettings.merging(
            ["bootstrap.servers": cluster.bootstrapServers, "retry.backoff.ms": "10"]) { $1 }
        return try Producer(settings: settings.merging(more) { $1 })
    }

    private func code(_ number: Int32) -> KafkaError.Code { KafkaError.Code(rawValue: number) }

    @Test("passing errors and cut connections are retried until the message is stored once")
    func retries() async throws {
        let producer = try producer()
        // NOT_LEADER_FOR_PARTITION, a cut connection, REQUEST_TIMED_OUT, NOT_ENOUGH_REPLICAS
        cluster.fail(.produce, with: [code(6), .transport, code(7), code(19)])
        try await producer.sendAndWait(Sample(key: "k", value: "v"), to: "scans")
        producer.close(wait: .seconds(10))
        let stored = try readAll(
            "scans", partitions: 1, bootstrapServers: cluster.bootstrapServers)
        #expect(stored.map(\.value) == ["v"])
    }

    @Test("a partition without a leader for a moment is asked for its end again")
    func noLeader() async throws {
        let log = try KafkaLog(bootstrapServers: cluster.bootstrapServers, onUnexpected: { _ in })
        try await log.append([LogRecord(topic: "scans", key: [1], value: [2])])
        // LEADER_NOT_AVAILABLE, NOT_LEADER_FOR_PARTITION
        cluster.fail(.listOffsets, with: [code(5), code(6)])
        #expect(try await log.bounds(of: "scans").map(\.end) == [1])
        await log.close()
    }

    @Test("a lasting error is reported by name, with the note that nothing was stored")
    func deliveryError() async throws {
        let producer = try producer()
        try await producer.sendAndWait(Sample(key: "k", value: "v"), to: "scans")
        cluster.fail(.produce, with: [code(29)])
        let failure = try await producer.outcome(of: Sample(key: "k", value: "w"), to: "scans")
        #expect(failure?.error.code.name == "TOPIC_AUTHORIZATION_FAILED")
        #expect(failure?.mayBePersisted == false)
        producer.close(wait: .seconds(10))
    }

    @Test("brokers that are down cause an error in time, and none after they are back")
    func brokersDown() async throws {
        let producer = try producer(["delivery.timeout.ms": "1000"])
        try await producer.sendAndWait(Sample(key: "k", value: "before"), to: "scans")
        try cluster.bringDown()
        let failure = try await producer.outcome(of: Sample(key: "k", value: "v"), to: "scans")
        #expect(failure?.error.code == .messageTimedOut)
        #expect(failure?.error.isRetriable == true)
        try cluster.bringUp()
        let deadline = ContinuousClock.now + .seconds(60)
        while try await producer.outcome(of: Sample(key: "k", value: "after"), to: "scans") != nil {
            try #require(ContinuousClock.now < deadline, "the brokers are back")
        }
        producer.close(wait: .seconds(10))
    }

    @Test("closing fails messages that can't be sent, and every delivery gets a report")
    func closing() async throws {
        let producer = try producer()
        try cluster.bringDown()
        let failure: Delivery.Failure? = try await withCheckedThrowingContinuation { continuation in
            let delivery = Delivery(of: 100) { continuation.resume(returning: $0) }
            do {
                for number in 0..<100 {
                    let sample = Sample(key: "k", value: "\(number)")
                    try producer.send(sample, to: "scans", delivery: delivery)
                }
            } catch {
                continuation.resume(throwing: error)
            }
            producer.close(wait: .milliseconds(100))
        }
        #expect(failure?.error.code == .purgedFromQueue)
    }

    @Test("the log uses a new producer after a fatal error of the old one")
    func fatalError() async throws {
        let unexpected = Mutex<[String]>([])
        let log = try KafkaLog(
            bootstrapServers: cluster.bootstrapServers,
            onUnexpected: { sentence in unexpected.withLock { $0.append(sentence) } })
        let record = LogRecord(topic: "scans", key: [1], value: [2])
        try await log.append([record])
        // OUT_OF_ORDER_SEQUENCE_NUMBER for the next message in order. The idempotent producer has
        // lost count and gives up.
        cluster.fail(.produce, with: [code(45)])
        let error = await #expect(throws: EventLogError.self) { try await log.append([record]) }
        #expect(error?.isRetriable == true)
        try await log.append([record])
        await log.close()
        let told = unexpected.withLock { $0.filter { $0.contains("OUT_OF_ORDER_SEQUENCE") } }
        #expect(told.count == 1)
    }
}
