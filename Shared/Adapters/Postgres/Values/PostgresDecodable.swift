/// A type that a column can be read as. It gets bytes in PostgreSQL's binary format, or nil for
/// null.
public protocol PostgresDecodable {
    static func decode(
        _ bytes: UnsafeRawBufferPointer?, type: UInt32
    ) throws(PostgresError) -> Self
}

/// A type that the elements of an array column can be read as.
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
        guard dimensions == 1 else { throw .misuse("an array of arrays can't be read") }
        let count = Int(try reader.next(Int32.self))
        _ = try reader.next(Int32.self)
        var elements: [Self] = []
        guard count >= 0 else { throw .misuse("an array has a negative number of elements") }
        // Each element takes four bytes at least, so a wrong count can't reserve too much memory.
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

/// Reads `bytea`, or the raw bytes of any other type, as `[UInt8]`. It is not an array of numbers.
extension UInt8: PostgresArrayElement {
    public static func decodeArray(
        _ bytes: UnsafeRawBufferPointer?, type: UInt32
    ) throws(PostgresError) -> [UInt8] { Array(try present(bytes, as: [UInt8].self)) }
}

func present<Value>(
    _ bytes: UnsafeRawBufferPointer?, as type: Value.Type
) throws(PostgresError) -> UnsafeRawBufferPointer {
    guard let bytes else { throw .misuse("the column is null; read \(type) as an optional") }
    return bytes
}

/// Reads big-endian integers and fields with a length.
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
