import Events

/// The pairs of a DXF file: a line with a group code, then a line with its value (AutoCAD's DXF
/// reference, "DXF format").
struct DrawingPairs {
    struct Pair {
        let code: Int
        let value: ArraySlice<UInt8>

        /// The value without spaces at its ends.
        var word: String { String(decoding: value.trimmed, as: UTF8.self) }
        var number: Double? { Double(word).flatMap { $0.isFinite ? $0 : nil } }
        var integer: Int? { Int(word) }
    }

    private let bytes: [UInt8]
    private var place: Int
    private(set) var line = 0

    /// - Throws: a refusal that says which kind of file it is, if it is no DXF of text.
    init(_ bytes: [UInt8]) throws(ImportRefusal) {
        if bytes.starts(with: Array("AutoCAD Binary DXF".utf8)) {
            throw ImportRefusal(
                .malformed, "the drawing is a binary DXF: save it as DXF in text (ASCII)")
        }
        if bytes.starts(with: Array("AC10".utf8)) {
            throw ImportRefusal(.malformed, "the drawing is a DWG: save it as DXF")
        }
        self.bytes = bytes
        place = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    }

    /// Nil at the end of the file.
    mutating func next() throws(ImportRefusal) -> Pair? {
        guard let code = nextLine() else { return nil }
        guard let number = Int(String(decoding: code.trimmed, as: UTF8.self)) else {
            // Files may end in empty lines.
            if code.trimmed.isEmpty, place >= bytes.count { return nil }
            let text = shown(String(decoding: code.prefix(64), as: UTF8.self))
            throw ImportRefusal(
                .malformed, "line \(line): a DXF has a number here, not \(text)")
        }
        guard let value = nextLine() else {
            throw ImportRefusal(.malformed, "line \(line): the DXF ends within a pair of lines")
        }
        return Pair(code: number, value: value)
    }

    private mutating func nextLine() -> ArraySlice<UInt8>? {
        guard place < bytes.count else { return nil }
        line += 1
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
        var end = place
        place += 1
        if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return bytes[start..<end]
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmed: ArraySlice<UInt8> {
        var slice = self
        while let first = slice.first, first == 32 || first == 9 { slice.removeFirst() }
        while let last = slice.last, last == 32 || last == 9 { slice.removeLast() }
        return slice
    }
}
