/// What has to be known of an SVG drawing before it is kept: that it is one, and that it does nothing.
public enum Drawing {
    /// Whether the first element is `svg`, after a declaration, comments and white space.
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

    /// The first thing in the drawing that a page must not be given: scripts, handlers of events, entities,
    /// foreign elements, and links to anywhere but into the drawing itself; nil for a drawing that only
    /// draws.
    ///
    /// It refuses too much rather than too little: these words are refused in texts and comments, too. A
    /// drawing is also served so that a browser runs nothing in it.
    public static func activePart(of bytes: [UInt8]) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return "bytes that are no UTF-8"
        }
        let lower = text.lowercased()
        let refused = [
            "<script", "<!entity", "<foreignobject", "<iframe", "<embed", "<object", "javascript:",
            "<animate", "<set", "<handler", "<listener", "@import", "xml-stylesheet",
        ]
        if let part = refused.first(where: lower.contains) { return part }
        if let link = lower.matches(of: /(?:href|src)\s*=\s*["']\s*([^"']*)/).first(where: {
            !($0.1.isEmpty || $0.1.hasPrefix("#") || $0.1.hasPrefix("data:image/png")
                || $0.1.hasPrefix("data:image/jpeg"))
        }) {
            return "a link to \(link.1.prefix(40))"
        }
        if let url = lower.matches(of: /url\(\s*["']?\s*([^)"']*)/).first(where: {
            !$0.1.hasPrefix("#")
        }) {
            return "a link to \(url.1.prefix(40))"
        }
        if let handler = lower.firstMatch(of: /<[^>]*\s(on[a-z]+)\s*=/) { return String(handler.1) }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// Without the bytes of a character that was cut at the end.
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
