import CKafka

/// The headers of one message on its way out. Names and values are copied in.
public struct OutgoingHeaders: ~Copyable {
    private let pointer: OpaquePointer?

    /// - Parameter capacity: how many there will be, a hint.
    public init(capacity: Int) { pointer = rd_kafka_headers_new(capacity) }

    deinit { if let pointer { rd_kafka_headers_destroy(pointer) } }

    public borrowing func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        rd_kafka_header_add(
            pointer, name.baseAddress?.assumingMemoryBound(to: CChar.self), name.count,
            value.baseAddress, value.count)
    }

    /// Gives the C object away; the taker frees it.
    consuming func take() -> OpaquePointer? {
        let taken = pointer
        discard self
        return taken
    }
}
