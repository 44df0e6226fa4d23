/// Names and values that travel beside a record, in order.
///
/// They are kept in one buffer (name length as UInt16, name, value length as UInt32, value; little
/// endian), so that a record costs one allocation for all of its headers. The PostgreSQL log stores
/// the buffer as it is.
public struct LogHeaders: Hashable, Sendable {
    public private(set) var encoded: [UInt8]

    public init() { encoded = [] }

    /// Nil when the bytes are not headers as described above.
    public init?(encoded: [UInt8]) {
        self.encoded = encoded
        var end = 0
        while end < encoded.count {
            guard let next = entry(at: end)?.end else { return nil }
            end = next
        }
    }

    /// Makes room once for headers of the given size.
    public mutating func reserveCapacity(_ bytes: Int) { encoded.reserveCapacity(bytes) }

    public mutating func append(_ name: StaticString, _ value: String) {
        var value = value
        value.withUTF8 { append(name, UnsafeRawBufferPointer($0)) }
    }

    public mutating func append(_ name: StaticString, _ value: UnsafeRawBufferPointer) {
        appendLength(name.utf8CodeUnitCount, bytes: 2)
        encoded.append(
            contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        appendLength(value.count, bytes: 4)
        encoded.append(contentsOf: value)
    }

    /// For names that come from outside; a name of more than 65,535 bytes is cut.
    public mutating func append(name: some Collection<UInt8>, value: some Collection<UInt8>) {
        let name = name.prefix(Int(UInt16.max))
        appendLength(name.count, bytes: 2)
        encoded.append(contentsOf: name)
        appendLength(value.count, bytes: 4)
        encoded.append(contentsOf: value)
    }

    /// The first value under this name, as text; nil when there is none or it is not UTF-8.
    public subscript(name: StaticString) -> String? {
        var found: String?
        forEach { entryName, value in
            guard found == nil, entryName.count == name.utf8CodeUnitCount else { return }
            let wanted = UnsafeRawBufferPointer(
                start: name.utf8Start, count: name.utf8CodeUnitCount)
            if entryName.elementsEqual(wanted) { found = String(validating: value, as: UTF8.self) }
        }
        return found
    }

    /// Calls with the bytes of each name and value, valid only during the call.
    public func forEach(
        _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
    ) {
        encoded.withUnsafeBytes { bytes in
            var start = 0
            while let next = entry(at: start) {
                body(
                    UnsafeRawBufferPointer(rebasing: bytes[next.name]),
                    UnsafeRawBufferPointer(rebasing: bytes[next.value]))
                start = next.end
            }
        }
    }

    public var isEmpty: Bool { encoded.isEmpty }

    private mutating func appendLength(_ length: Int, bytes: Int) {
        for shift in 0..<bytes {
            encoded.append(UInt8(truncatingIfNeeded: length >> (8 * shift)))
        }
    }

    private func length(at start: Int, bytes: Int) -> Int? {
        guard start + bytes <= encoded.count else { return nil }
        return (0..<bytes).reduce(0) { $0 | Int(encoded[start + $1]) << (8 * $1) }
    }

    private func entry(at start: Int) -> (name: Range<Int>, value: Range<Int>, end: Int)? {
        guard let nameLength = length(at: start, bytes: 2) else { return nil }
        let name = start + 2..<start + 2 + nameLength
        guard let valueLength = length(at: name.upperBound, bytes: 4) else { return nil }
        let value = name.upperBound + 4..<name.upperBound + 4 + valueLength
        guard value.upperBound <= encoded.count else { return nil }
        return (name, value, value.upperBound)
    }
}
