import Foundation
import Kafka
import Synchronization

/// One message in the form that the tests write and read.
struct Sample: Hashable, Sendable {
    struct Header: Hashable, Sendable {
        var name: String
        var value: [UInt8]
    }

    var key: String?
    var value: String?
    var headers: [Header] = []
    var partition: Int?
}

let producerSettings = [
    "enable.idempotence": "true", "acks": "all", "linger.ms": "1", "partitioner": "murmur2",
    "delivery.timeout.ms": "20000", "reconnect.backoff.max.ms": "500",
]

func freshName(_ start: String) -> String { "\(start)-\(UUID().uuidString)" }

extension Producer {
    func send(_ sample: Sample, to topic: String, delivery: Delivery) throws {
        let headers = OutgoingHeaders(capacity: sample.headers.count)
        for header in sample.headers {
            Array(header.name.utf8).withUnsafeBytes { name in
                header.value.withUnsafeBytes { headers.append(name, $0) }
            }
        }
        let topic = try self.topic(topic)
        var pending = Optional(headers)
        let error = withBytes(sample.key) { key in
            withBytes(sample.value) { value in
                produce(
                    topic, partition: sample.partition, key: key, value: value,
                    headers: pending.take(), delivery: delivery)
            }
        }
        if let error { throw error }
    }

    /// Sends one message and returns its failure. Nil when it was acknowledged.
    func outcome(of sample: Sample, to topic: String) async throws -> Delivery.Failure? {
        try await withCheckedThrowingContinuation { continuation in
            let delivery = Delivery(of: 1) { continuation.resume(returning: $0) }
            do {
                try send(sample, to: topic, delivery: delivery)
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    func sendAndWait(_ sample: Sample, to topic: String) async throws {
        if let failure = try await outcome(of: sample, to: topic) { throw failure }
    }
}

private func withBytes<Result>(
    _ text: String?, _ body: (UnsafeRawBufferPointer?) -> Result
) -> Result {
    guard let text else { return body(nil) }
    return Array(text.utf8).withUnsafeBytes { body($0) }
}

/// Reads all committed records of the topic.
func readAll(
    _ topic: String, partitions: Int, bootstrapServers: String
) throws -> [Sample] {
    let consumer = try Consumer(settings: [
        "bootstrap.servers": bootstrapServers, "group.id": "reader",
        "isolation.level": "read_committed", "enable.partition.eof": "true",
        "enable.auto.commit": "false", "auto.offset.reset": "error",
    ])
    defer { consumer.close() }
    try consumer.assign(
        (0..<partitions).map {
            PartitionOffset(topic: topic, partition: $0, offset: PartitionOffset.beginning)
        })
    var samples: [Sample] = []
    var unfinished = Set(0..<partitions)
    let deadline = ContinuousClock.now + .seconds(60)
    while !unfinished.isEmpty {
        guard ContinuousClock.now < deadline else { throw KafkaTestError("no end of \(topic)") }
        switch consumer.poll(.seconds(1)) {
        case .message(let message): samples.append(Sample(message))
        case .endOfPartition(let end): unfinished.remove(end.partition)
        case .failed(let error, _): if !error.isRetriable { throw error }
        default: break
        }
    }
    return samples
}

struct KafkaTestError: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}

extension Sample {
    init(_ message: borrowing ConsumedMessage) {
        key = message.withKey { String(decoding: $0, as: UTF8.self) }
        value = message.withValue { String(decoding: $0, as: UTF8.self) }
        var found: [Header] = []
        message.forEachHeader { name, value in
            found.append(
                Header(name: String(decoding: name, as: UTF8.self), value: [UInt8](value)))
        }
        headers = found
        partition = message.partition
    }
}

/// Creates a new topic on the shared broker.
func makeTopic(_ kafka: String, partitions: Int = 1) throws -> String {
    let name = freshName("kafka-tests")
    let administrator = try Administrator(settings: ["bootstrap.servers": kafka])
    _ = try administrator.createTopic(
        name, partitions: partitions, configuration: [:], .seconds(30))
    return name
}
