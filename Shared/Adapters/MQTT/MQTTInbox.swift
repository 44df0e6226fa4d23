import CMosquitto
import Glibc

/// Keeps what libmosquitto's callbacks get. They run within its calls, so on the connection's
/// thread.
final class MQTTInbox {
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

    var isFull: Bool {
        messages.count >= MQTTConfiguration.batchMessages || bytes >= MQTTConfiguration.batchBytes
    }

    private var isOverfull: Bool {
        messages.count >= MQTTConfiguration.mostBatches * MQTTConfiguration.batchMessages
            || bytes >= MQTTConfiguration.mostBatches * MQTTConfiguration.batchBytes
    }

    func add(_ message: mosquitto_message) {
        guard let topic = message.topic else { return }
        let size = Int(message.payloadlen)
        guard size <= MQTTConfiguration.payloadBytes,
            strnlen(topic, MQTTConfiguration.topicBytes + 1) <= MQTTConfiguration.topicBytes
        else {
            oversized += 1
            return
        }
        if message.qos == 0, isOverfull {
            dropped += 1
            return
        }
        let payload = message.payload.map {
            [UInt8](UnsafeRawBufferPointer(start: $0, count: size))
        }
        messages.append(
            MQTTMessage(
                topic: String(cString: topic), payload: payload ?? [], isRetained: message.retain))
        bytes += size
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
