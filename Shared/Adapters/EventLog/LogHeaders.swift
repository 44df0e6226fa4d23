import Glibc

/// Names and values that travel beside a record, in order.
///
/// They are kept in one buffer, so that a record needs one allocation for all headers. Each entry
/// has the name's length (UInt16), the name, the value's length (UInt32) and the value. Numbers are
/// little endian. The PostgreSQL log stores the buffer unchanged.
public struct LogHeaders: Hashable, Sendable {
    public private(set) var encoded: [UInt8]

    public init() { encoded = [] }

    /// Nil when the bytes do not have the layout described above.
    public init?(encoded: [UInt8]) {
        let isWhole = encoded.withUnsafeBytes { bytes in
            var end = 0
            while end < bytes.count {
                guard let next = Self.entry(in: bytes, at: end)?.end else { return false }
                end = next
            }
            return true
        }
        guard isWhole else { return nil }
        self.encoded = encoded
    }

    /// Reserves memory for headers of the given total size.
    public mutating func reserveCapacity(_ bytes: Int) { encoded.reserveCapacity(bytes) }

    public mutating func append(_ name: StaticString, _ value: String) {
        var value = value
        value.withUTF8 { append(name, UnsafeRawBufferPointer($0)) }
    }

    public mutating func append(_ name: StaticString, _ value: UnsafeRawBufferPointer) {
        append(
            name: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount),
            value: value)
    }

    /// Appends a header whose name comes from outside. A name over 65,535 bytes is cut.
    public mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        let name = UnsafeRawBufferPointer(rebasing: name.prefix(Int(UInt16.max)))
        withUnsafeBytes(of: UInt16(name.count).littleEndian) { encoded.append(contentsOf: $0) }
        encoded.append(contentsOf: name)
        withUnsafeBytes(of: UInt32(value.count).littleEndian) { encoded.append(contentsOf: $0) }
        encoded.append(contentsOf: value)
    }

    /// The same for bytes in any collection.
    public mutating func append(name: some Collection<UInt8>, value: some Collection<UInt8>) {
        Array(name).withUnsafeBytes { name in
            Array(value).withUnsafeBytes { append(name: name, value: $0) }
        }
    }

    /// The size of one header, for `reserveCapacity`.
    public static func size(name: Int, value: Int) -> Int { name + value + 6 }

    /// The first value under this name, as text. Nil when there is none or when the value is not
    /// UTF-8.
    public subscript(name: StaticString) -> String? {
        var found: String?
        forEach { entryName, value in
            guard found == nil, entryName.count == name.utf8CodeUnitCount,
                let start = entryName.baseAddress,
                memcmp(start, name.utf8Start, entryName.count) == 0
            else { return }
            found = String(validating: value, as: UTF8.self)
        }
        return found
    }

    /// Calls the body with the bytes of each name and value. They are valid only during the call.
    public func forEach(
        _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
    ) {
        encoded.withUnsafeBytes { bytes in
            var start = 0
            while let next = Self.entry(in: bytes, at: start) {
                body(
                    UnsafeRawBufferPointer(rebasing: bytes[next.name]),
                    UnsafeRawBufferPointer(rebasing: bytes[next.value]))
                start = next.end
            }
        }
    }

    public var isEmpty: Bool { encoded.isEmpty }

    private typealias Entry = (name: Range<Int>, value: Range<Int>, end: Int)

    /// The entry at this offset. Nil at the end and where the bytes are not a valid header.
    private static func entry(in bytes: UnsafeRawBufferPointer, at start: Int) -> Entry? {
        guard start + 2 <= bytes.count else { return nil }
        let nameLength = bytes.loadUnaligned(fromByteOffset: start, as: UInt16.self)
        let nameEnd = start + 2 + Int(UInt16(littleEndian: nameLength))
        guard nameEnd + 4 <= bytes.count else { return nil }
        let valueLength = bytes.loadUnaligned(fromByteOffset: nameEnd, as: UInt32.self)
        let end = nameEnd + 4 + Int(UInt32(littleEndian: valueLength))
        guard end <= bytes.count else { return nil }
        return (start + 2..<nameEnd, nameEnd + 4..<end, end)
    }
}
