import CKafka
import Glibc

/// One message in librdkafka's memory. Its buffers are valid only during the calls.
public struct ConsumedMessage: ~Copyable {
    private let message: UnsafeMutablePointer<rd_kafka_message_t>

    init(_ message: UnsafeMutablePointer<rd_kafka_message_t>) { self.message = message }

    deinit { rd_kafka_message_destroy(message) }

    public var topic: String { String(cString: rd_kafka_topic_name(message.pointee.rkt)) }
    public var partition: Int { Int(message.pointee.partition) }
    public var offset: Int64 { message.pointee.offset }

    /// Compares the topic's name without making a string.
    public func isOfTopic(_ name: String) -> Bool {
        guard let topic = rd_kafka_topic_name(message.pointee.rkt) else { return false }
        return name.withCString { strcmp($0, topic) == 0 }
    }

    /// Milliseconds since 1970. It is -1 when the log has no time.
    public var timestampMilliseconds: Int64 { rd_kafka_message_timestamp(message, nil) }

    public func withKey<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        message.pointee.key.map { start in
            body(UnsafeRawBufferPointer(start: start, count: message.pointee.key_len))
        }
    }

    /// Calls the body with the value's bytes. Returns nil for a tombstone.
    public func withValue<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        message.pointee.payload.map { start in
            body(UnsafeRawBufferPointer(start: start, count: message.pointee.len))
        }
    }

    /// Calls the body with each header in order. A missing value is passed as an empty one.
    public func forEachHeader(
        _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
    ) {
        var headers: OpaquePointer?
        guard rd_kafka_message_headers(message, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR else {
            return
        }
        var index = 0
        var name: UnsafePointer<CChar>?
        var value: UnsafeRawPointer?
        var length = 0
        while rd_kafka_header_get_all(headers, index, &name, &value, &length)
            == RD_KAFKA_RESP_ERR_NO_ERROR
        {
            if let name {
                body(
                    UnsafeRawBufferPointer(start: name, count: strlen(name)),
                    UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : length))
            }
            index += 1
        }
    }
}
