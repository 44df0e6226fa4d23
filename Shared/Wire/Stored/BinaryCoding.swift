/// Appends little-endian values to bytes.
struct BinaryWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ value: Double) { write(value.bitPattern) }

    /// A 16-bit length and UTF-8. The text must be shorter than 64 KiB, as ids are.
    mutating func write(_ text: String) {
        write(UInt16(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func write(raw: [UInt8]) { bytes.append(contentsOf: raw) }

    mutating func write(column: [some FixedWidthInteger]) {
        withUnsafeTemporaryAllocation(of: type(of: column).Element.self, capacity: column.count) {
            for (index, value) in column.enumerated() { $0[index] = value.littleEndian }
            bytes.append(contentsOf: UnsafeRawBufferPointer($0))
        }
    }
}

/// Why bytes could not be read.
public enum BinaryFault: Error, Hashable, Sendable {
    case truncated
    case notThisFormat
    case unknownVersion(UInt8)
    /// A count that the remaining bytes can't hold.
    case countTooLarge
    case notUTF8
    case malformedIdentifier
    case unknownKind(UInt8)
    case trailingBytes(Int)
    /// Each value is readable, but the values contradict each other.
    case inconsistent(String)
}

/// Reads little-endian values from bytes, and never reads beyond their end.
struct BinaryReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var left: Int { bytes.count - position }

    mutating func read<Value: FixedWidthInteger>(_: Value.Type) throws(BinaryFault) -> Value {
        let size = MemoryLayout<Value>.size
        guard left >= size else { throw .truncated }
        var value: Value = 0
        withUnsafeMutableBytes(of: &value) { target in
            bytes.withUnsafeBytes { source in
                target.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: source[position..<(position + size)]))
            }
        }
        position += size
        return Value(littleEndian: value)
    }

    mutating func readDouble() throws(BinaryFault) -> Double {
        Double(bitPattern: try read(UInt64.self))
    }

    mutating func readRaw(_ count: Int) throws(BinaryFault) -> ArraySlice<UInt8> {
        guard count <= left else { throw .truncated }
        defer { position += count }
        return bytes[position..<(position + count)]
    }

    mutating func readText() throws(BinaryFault) -> String {
        let count = Int(try read(UInt16.self))
        guard let text = String(validating: try readRaw(count), as: UTF8.self) else {
            throw .notUTF8
        }
        return text
    }

    /// Reads a 32-bit count of elements. Each has at least `bytesEach` bytes, and all must still be
    /// there.
    mutating func readCount(bytesEach: Int) throws(BinaryFault) -> Int {
        let count = Int(try read(UInt32.self))
        guard count <= left / bytesEach else { throw .countTooLarge }
        return count
    }

    mutating func readColumn<Value: FixedWidthInteger>(
        _: Value.Type, count: Int
    ) throws(BinaryFault) -> [Value] {
        let size = MemoryLayout<Value>.size
        let raw = try readRaw(count * size)
        return raw.withUnsafeBytes { source in
            (0..<count).map { index in
                Value(
                    littleEndian: source.loadUnaligned(
                        fromByteOffset: index * size, as: Value.self))
            }
        }
    }
}
