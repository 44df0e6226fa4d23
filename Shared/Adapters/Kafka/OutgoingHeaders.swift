import CKafka

/// The headers of one outgoing message. Names and values are copied.
public struct OutgoingHeaders: ~Copyable {
    private let pointer: OpaquePointer?

    /// - Parameter capacity: the expected number of headers, a hint.
    public init(capacity: Int) { pointer = rd_kafka_headers_new(capacity) }

    deinit { if let pointer { rd_kafka_headers_destroy(pointer) } }

    public borrowing func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        rd_kafka_header_add(
            pointer, name.baseAddress?.assumingMemoryBound(to: CChar.self), name.count,
            value.baseAddress, value.count)
    }

    /// Returns the C object and gives up ownership. The caller frees it.
    consuming func release() -> OpaquePointer? {
        let released = pointer
        discard self
        return released
    }
}
