/// Recognises an SVG drawing by the beginning of a file, before `DrawingCheck` reads it.
enum DrawingFile {
    /// Whether the first element is `svg`, after any declaration, comments and white space.
    static func looksLikeOne(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty, bytes.count <= MediaType.svg.maximumBytes,
            let text = String(
                validating: bytes.prefix(4_096).droppingPartialCharacter, as: UTF8.self)
        else { return false }
        var rest = Substring(text)
        if rest.first == "\u{feff}" { rest.removeFirst() }
        while true {
            rest = rest.drop(while: \.isWhitespace)
            if rest.hasPrefix("<?xml"), let end = rest.firstRange(of: "?>") {
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("<!--"), let end = rest.firstRange(of: "-->") {
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("<!DOCTYPE svg"), let end = rest.firstIndex(of: ">"),
                !rest[..<end].contains("[")
            {
                rest = rest[rest.index(after: end)...]
            } else {
                break
            }
        }
        guard rest.hasPrefix("<svg"), let after = rest.dropFirst(4).first else { return false }
        return after.isWhitespace || after == ">" || after == "/"
    }
}

extension ArraySlice<UInt8> {
    /// Without the bytes of a character that is cut off at the end.
    fileprivate var droppingPartialCharacter: ArraySlice<UInt8> {
        var slice = self
        var dropped = 0
        while dropped < 3, let last = slice.last, last & 0xc0 == 0x80 {
            slice.removeLast()
            dropped += 1
        }
        guard let lead = slice.last, lead >= 0xc0 else { return self }
        let length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
        return dropped + 1 == length ? self : slice.dropLast()
    }
}
