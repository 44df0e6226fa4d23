import CMosquitto
import Glibc

/// Keeps what libmosquitto's callbacks get. They run within its calls, so on the connection's
/// thread.
final class MQTTInbox {
    /// How libmosquitto's log begins, for a message of QoS 2.
    private let beginningForQoS2: [CChar]
    private(set) var messages: [MQTTMessage] = []
    private var bytes = 0
    /// Messages that were too large, since the last batch.
    private var oversized = 0
    /// Messages for which there was no room, since the last batch.
    private var dropped = 0
    /// The broker's answer to the connection; 0 for yes.
    var connected: Int32?
    /// The broker's answer to the subscription: the granted QoS, or 128 and above.
    var subscribed: Int32?

    /// The reason why nothing more may be read from this broker.
    private(set) var excess: String?

    init(client: String) {
        beginningForQoS2 = Array("Client \(client) sending PUBREC".utf8CString.dropLast())
    }

    func tellsOfQoS2(_ line: UnsafePointer<CChar>) -> Bool {
        strncmp(line, beginningForQoS2, beginningForQoS2.count) == 0
    }

    var isFull: Bool { holds(batches: 1) }

    /// Whether there are so many batches. For each message that was too large, an acknowledgement
    /// waits.
    private func holds(batches: Int) -> Bool {
        messages.count + oversized >= batches * MQTTConfiguration.batchMessages
            || bytes >= batches * MQTTConfiguration.batchBytes
    }

    /// libmosquitto would keep messages of QoS 2 without a limit, until the broker releases them.
    func refuseQoS2() { excess = "The broker sends with QoS 2, and QoS 1 was asked for." }

    /// Whether there is room for one more message.
    func admits(qos: Int32) -> Bool {
        if excess != nil { return false }
        if qos > 1 {
            refuseQoS2()
        } else if qos == 0, holds(batches: MQTTConfiguration.mostBatches) {
            dropped += 1
            return false
        } else if holds(batches: MQTTConfiguration.mostUnacknowledgedBatches) {
            excess = "The broker sends too many messages before an acknowledgement."
        }
        return excess == nil
    }

    func keep(_ message: MQTTMessage) {
        messages.append(message)
        bytes += message.payload.count
    }

    func add(_ message: mosquitto_message) {
        guard let topic = message.topic, admits(qos: message.qos) else { return }
        let size = Int(message.payloadlen)
        guard size <= MQTTConfiguration.payloadBytes,
            strnlen(topic, MQTTConfiguration.topicBytes + 1) <= MQTTConfiguration.topicBytes
        else {
            oversized += 1
            return
        }
        let payload = message.payload.map {
            [UInt8](UnsafeRawBufferPointer(start: $0, count: size))
        }
        keep(
            MQTTMessage(
                topic: String(cString: topic), payload: payload ?? [], isRetained: message.retain))
    }

    func removeBatch() -> MQTTBatch? {
        guard !messages.isEmpty || oversized > 0 || dropped > 0 else { return nil }
        defer { (messages, bytes, oversized, dropped) = ([], 0, 0, 0) }
        return MQTTBatch(messages: messages, oversized: oversized, dropped: dropped)
    }
}

/// Messages that were read together.
public struct MQTTBatch: Hashable, Sendable {
    /// In the order in which they came.
    public var messages: [MQTTMessage]
    /// How many more came that were too large, and were dropped.
    public var oversized: Int
    /// How many more came of QoS 0 for which there was no room, and were dropped.
    public var dropped: Int

    public init(messages: [MQTTMessage], oversized: Int = 0, dropped: Int = 0) {
        self.messages = messages
        self.oversized = oversized
        self.dropped = dropped
    }
}
