/// A type that a column can be read as. The bytes are in PostgreSQL's binary format; nil is null.
public protocol PostgresDecodable {
    static func decode(
        _ bytes: UnsafeRawBufferPointer?, type: UInt32
    ) throws(PostgresError) -> Self
}

/// A type whose arrays a column can be read as.
public protocol PostgresArrayElement {
    static func decodeArray(
        _ bytes: UnsafeRawBufferPointer?, type: UInt32
    ) throws(PostgresError) -> [Self]
}

extension PostgresArrayElement where Self: PostgresDecodable {
    public static func decodeArray(
        _ bytes: UnsafeRawBufferPointer?, type: UInt32
    ) throws(PostgresError) -> [Self] {
        var reader = PostgresBinaryReader(try present(bytes, as: [Self].self))
        let dimensions = try reader.next(Int32.self)
        _ = try reader.next(Int32.self)
        let elementType = try reader.next(UInt32.self)
        guard dimensions > 0 else { return [] }
        guard dimensions == 1 else { throw .misuse("arrays of arrays are not read") }
        let count = Int(try reader.next(Int32.self))
        _ = try reader.next(Int32.self)
        var elements: [Self] = []
        guard count >= 0 else { throw .misuse("an array has less than no elements") }
        // A length takes four bytes at least, whatever the count says.
        elements.reserveCapacity(min(count, reader.left / 4))
        for _ in 0..<count {
            elements.append(try decode(try reader.nextField(), type: elementType))
        }
        return elements
    }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    public static func decode(
        _ bytes: UnsafeRawBufferPointer?, type: UInt32
    ) throws(PostgresError) -> Self {
        bytes == nil ? .none : try Wrapped.decode(bytes, type: type)
    }
}
extension Optional: PostgresArrayElement where Wrapped: PostgresDecodable {}

extension Array: PostgresDecodable where Element: PostgresArrayElement {
    public static func decode(
        _ bytes: UnsafeRawBufferPointer?, type: UInt32
    ) throws(PostgresError) -> Self { try Element.decodeArray(bytes, type: type) }
}
extension Array: PostgresArrayElement where Element == UInt8 {}

/// `[UInt8]` is `bytea`, or the raw bytes of any other type; not an array of numbers.
extension UInt8: PostgresArrayElement {
    public static func decodeArray(
        _ bytes: UnsafeRawBufferPointer?, type: UInt32
    ) throws(PostgresError) -> [UInt8] { Array(try present(bytes, as: [UInt8].self)) }
}

func present<Value>(
    _ bytes: UnsafeRawBufferPointer?, as type: Value.Type
) throws(PostgresError) -> UnsafeRawBufferPointer {
    guard let bytes else { throw .misuse("null where \(type) is read") }
    return bytes
}

/// Reads big-endian numbers and sized fields.
struct PostgresBinaryReader {
    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    var left: Int { rest.count }

    mutating func next<Number: FixedWidthInteger>(
        _ type: Number.Type
    ) throws(PostgresError) -> Number {
        let size = MemoryLayout<Number>.size
        guard rest.count >= size else { throw .misuse("a value is shorter than its type") }
        let number = rest.prefix(size).reduce(Number.zero) {
            $0 << 8 | Number(truncatingIfNeeded: $1)
        }
        rest = rest.dropFirst(size)
        return number
    }

    mutating func nextField() throws(PostgresError) -> UnsafeRawBufferPointer? {
        let length = Int(try next(Int32.self))
        guard length >= 0 else { return nil }
        guard rest.count >= length else { throw .misuse("a value is shorter than its length") }
        defer { rest = rest.dropFirst(length) }
        return UnsafeRawBufferPointer(rebasing: rest.prefix(length))
    }
}
