/// Puts values into a buffer as PostgreSQL's binary format wants them: big endian
/// (the `*send` functions of the server's `src/backend/utils/adt`).
struct BinaryWriter {
    var bytes: [UInt8] = []

    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// The value without its length; nothing for null.
    mutating func append(_ value: PostgresValue) {
        switch value {
        case .null: break
        case .bool(let value): append(UInt8(value ? 1 : 0))
        case .int32(let value): append(value)
        case .int64(let value): append(value)
        case .double(let value): append(value.bitPattern)
        case .text(let value): bytes.append(contentsOf: value.utf8)
        case .bytes(let value), .uuid(let value): bytes.append(contentsOf: value)
        case .timestamp(let value): append(value - PostgresValue.epochMicroseconds)
        case .json(let value):
            append(UInt8(1))  // The version of jsonb's binary format.
            bytes.append(contentsOf: value.utf8)
        case .int32Array(let values): appendNumbers(values, type: PostgresType.int32)
        case .int64Array(let values): appendNumbers(values, type: PostgresType.int64)
        case .doubleArray(let values):
            appendNumbers(values.map(\.bitPattern), type: PostgresType.double)
        case .boolArray(let values):
            appendNumbers(values.map { UInt8($0 ? 1 : 0) }, type: PostgresType.bool)
        case .textArray(let values):
            appendArray(values, type: PostgresType.text) { $0.bytes.append(contentsOf: $1.utf8) }
        case .bytesArray(let values):
            bytes.reserveCapacity(bytes.count + values.reduce(20) { $0 + 4 + ($1?.count ?? 0) })
            appendArray(values, type: PostgresType.bytes) { $0.bytes.append(contentsOf: $1) }
        case .timestampArray(let values):
            appendArray(values, type: PostgresType.timestamp) {
                $0.append($1 - PostgresValue.epochMicroseconds)
            }
        }
    }

    /// A field of COPY's binary format: length and value, -1 for null.
    mutating func appendField(_ value: PostgresValue) {
        guard value != .null else { return append(Int32(-1)) }
        appendSized { $0.append(value) }
    }

    private mutating func appendSized(_ body: (inout BinaryWriter) -> Void) {
        let start = bytes.count
        append(Int32(0))
        body(&self)
        let length = Int32(bytes.count - start - 4).bigEndian
        withUnsafeBytes(of: length) { for index in 0..<4 { bytes[start + index] = $0[index] } }
    }

    private mutating func appendArrayHead(count: Int, hasNull: Bool, type: UInt32) {
        append(Int32(count == 0 ? 0 : 1))
        append(Int32(hasNull ? 1 : 0))
        append(type)
        guard count > 0 else { return }
        append(Int32(count))
        append(Int32(1))
    }

    private mutating func appendNumbers<Number: FixedWidthInteger>(
        _ numbers: [Number], type: UInt32
    ) {
        appendArrayHead(count: numbers.count, hasNull: false, type: type)
        for number in numbers {
            append(Int32(MemoryLayout<Number>.size))
            append(number)
        }
    }

    private mutating func appendArray<Element>(
        _ elements: [Element?], type: UInt32, _ body: (inout BinaryWriter, Element) -> Void
    ) {
        let hasNull = elements.contains { $0 == nil }
        appendArrayHead(count: elements.count, hasNull: hasNull, type: type)
        for element in elements {
            guard let element else {
                append(Int32(-1))
                continue
            }
            appendSized { body(&$0, element) }
        }
    }
}
