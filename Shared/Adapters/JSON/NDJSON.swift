import Glibc

/// Splits newline-delimited JSON into lines. It skips blank lines. A carriage return before the
/// newline is not part of the line.
public struct NDJSONLines: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    /// - Parameter bytes: must stay valid while the lines are used.
    public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    public mutating func next() -> UnsafeRawBufferPointer? {
        while position < bytes.count {
            let end = firstNewline(in: bytes, from: position) ?? bytes.count
            var line = bytes[position..<end]
            position = end + 1
            while let last = line.last, isBlank(last) { line.removeLast() }
            while let first = line.first, isBlank(first) { line.removeFirst() }
            if !line.isEmpty { return UnsafeRawBufferPointer(rebasing: line) }
        }
        return nil
    }

    /// Whether the first line ends an object and the next one begins one. NDJSON with several
    /// objects always has this, and a single JSON document never does.
    public static func beginsWithTwoObjects(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let newline = firstNewline(in: bytes, from: 0) else { return false }
        let before = bytes[..<newline].last { !isBlank($0) }
        let after = bytes[newline...].first { !isBlank($0) && $0 != UInt8(ascii: "\n") }
        return before == UInt8(ascii: "}") && after == UInt8(ascii: "{")
    }

    /// Whether there are several lines that are not blank, each beginning with an object.
    public static func areLinesOfObjects(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var count = 0
        for line in NDJSONLines(bytes) {
            guard line.first == UInt8(ascii: "{") else { return false }
            count += 1
        }
        return count > 1
    }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

private func firstNewline(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
}
