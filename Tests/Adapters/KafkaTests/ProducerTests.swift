import EventLog
import Kafka
import TestSupport
import Testing

@Suite("Producer, on a real Kafka", .enabled(if: RealKafka.shared != nil))
struct ProducerTests {
    private let kafka = RealKafka.shared?.bootstrapServers ?? ""

    private func producer(_ more: [String: String] = [:], pollsItself: Bool = true) throws
        -> Producer
    {
        let settings = producerSettings.merging(["bootstrap.servers": kafka]) { $1 }
        return try Producer(settings: settings.merging(more) { $1 }, pollsItself: pollsItself)
    }

    @Test("keys, values, headers, tombstones and empty values are read back unchanged")
    func roundTrip() async throws {
        let topic = try makeTopic(kafka)
        let samples = [
            Sample(
                key: "a", value: "one", headers: [.init(name: "ce_id", value: [49])], partition: 0),
            Sample(key: "a", value: nil, partition: 0),
            Sample(key: nil, value: "keyless", partition: 0),
            Sample(key: "", value: "", headers: [.init(name: "none", value: [])], partition: 0),
            Sample(
                key: "b", value: "two",
                headers: [
                    .init(name: "same", value: [0, 255]), .init(name: "same", value: [1]),
                ], partition: 0),
        ]
        let producer = try producer()
        for sample in samples { try await producer.sendAndWait(sample, to: topic) }
        producer.close(wait: .seconds(10))
        #expect(try readAll(topic, partitions: 1, bootstrapServers: kafka) == samples)
    }

    @Test("librdkafka's murmur2 chooses the same partitions as partition(forKey:of:)")
    func partitioner() async throws {
        let topic = try makeTopic(kafka, partitions: 7)
        let producer = try producer()
        let keys =
            (0..<200).map { "device-\($0)" } + ["", "é", String(repeating: "long", count: 99)]
        for key in keys.dropLast(1) {
            try producer.send(
                Sample(key: key, value: "v"), to: topic, delivery: Delivery(of: 1) { _ in })
        }
        try await producer.sendAndWait(Sample(key: keys.last, value: "v"), to: topic)
        producer.close(wait: .seconds(10))
        let stored = try readAll(topic, partitions: 7, bootstrapServers: kafka)
        #expect(stored.count == keys.count)
        for sample in stored {
            let key = Array((sample.key ?? "").utf8)
            #expect(sample.partition == partition(forKey: key, of: 7))
        }
    }

    @Test("an aborted transaction is invisible, the next one is not")
    func abortedTransaction() throws {
        let topic = try makeTopic(kafka)
        let producer = try producer(["transactional.id": freshName("abort")], pollsItself: false)
        try producer.initializeTransactions(.seconds(30))
        for (value, isKept) in [("first", true), ("aborted", false), ("last", true)] {
            try producer.beginTransaction()
            try producer.send(
                Sample(key: "k", value: value), to: topic, delivery: Delivery(of: 1) { _ in })
            try producer.flush(.seconds(30))
            if isKept {
                try producer.commitTransaction(.seconds(30))
            } else {
                try producer.abortTransaction(.seconds(30))
            }
        }
        producer.close(wait: .zero)
        let values = try readAll(topic, partitions: 1, bootstrapServers: kafka).map(\.value)
        #expect(values == ["first", "last"])
    }

    @Test("a second producer with the same transactional id fences the first, which is then fatal")
    func fencing() throws {
        let topic = try makeTopic(kafka)
        let identifier = ["transactional.id": freshName("fence")]
        let older = try producer(identifier, pollsItself: false)
        try older.initializeTransactions(.seconds(30))
        try older.beginTransaction()
        try older.send(
            Sample(key: "k", value: "older"), to: topic, delivery: Delivery(of: 1) { _ in })
        try older.flush(.seconds(30))
        let newer = try producer(identifier, pollsItself: false)
        try newer.initializeTransactions(.seconds(30))
        let error = #expect(throws: KafkaError.self) { try older.commitTransaction(.seconds(30)) }
        #expect(error?.code == .fenced)
        #expect(error?.isFatal == true)
        #expect(older.fatalError != nil)
        try newer.beginTransaction()
        try newer.send(
            Sample(key: "k", value: "newer"), to: topic, delivery: Delivery(of: 1) { _ in })
        try newer.commitTransaction(.seconds(30))
        older.close(wait: .zero)
        newer.close(wait: .zero)
        let values = try readAll(topic, partitions: 1, bootstrapServers: kafka).map(\.value)
        #expect(values == ["newer"])
    }

    @Test("a message larger than the topic allows is refused by name")
    func tooLarge() async throws {
        let topic = try makeTopic(kafka)
        let producer = try producer(["message.max.bytes": "10000000"])
        let random = (0..<2_000_000).map { _ in UInt8.random(in: 32...126) }
        let large = Sample(key: "k", value: String(decoding: random, as: UTF8.self))
        let failure = try await producer.outcome(of: large, to: topic)
        #expect(failure.map { KafkaError.Code.tooLarge.contains($0.error.code) } == true)
        #expect(failure?.mayBePersisted == false)
        try await producer.sendAndWait(Sample(key: "k", value: "small"), to: topic)
        producer.close(wait: .seconds(10))
    }

    @Test("statistics come as JSON, and a wrong setting is named")
    func observing() async throws {
        let (documents, continuation) = AsyncStream.makeStream(of: String.self)
        let settings = [
            "bootstrap.servers": kafka, "statistics.interval.ms": "100",
        ]
        let producer = try Producer(
            settings: settings,
            observer: KafkaObserver(statistics: { continuation.yield($0) }))
        var first: String?
        for await document in documents {
            first = document
            break
        }
        #expect(first?.hasPrefix("{") == true)
        #expect(first?.contains("\"txmsgs\"") == true)
        producer.close(wait: .zero)
        let error = #expect(throws: KafkaError.self) {
            try Producer(settings: ["no.such.setting": "1"])
        }
        #expect(error?.reason.contains("no.such.setting") == true)
    }
}
