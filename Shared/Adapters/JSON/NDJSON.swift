/// Splits newline-delimited JSON into its lines. Empty and blank lines are left out; a carriage
/// return before the newline belongs to the line's end.
public struct NDJSONLines: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    /// - Parameter bytes: must stay valid as long as the lines are used.
    public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    public mutating func next() -> UnsafeRawBufferPointer? {
        while position < bytes.count {
            let rest = bytes[position...]
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            var line = bytes[position..<end]
            position = end + 1
            while let last = line.last, isBlank(last) { line.removeLast() }
            while let first = line.first, isBlank(first) { line.removeFirst() }
            if !line.isEmpty { return UnsafeRawBufferPointer(rebasing: line) }
        }
        return nil
    }

    private func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }
}
