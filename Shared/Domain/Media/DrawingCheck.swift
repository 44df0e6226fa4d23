/// Checks a drawing (SVG) for parts that could harm the page that shows it, element by element.
///
/// Everything unknown is refused: elements, attributes, functions in styles, and links out of the
/// drawing. `DrawingNames` lists the names that are allowed.
///
/// Drawings are served in such a way that browsers run no script in them. Someone may still paste a
/// drawing's text into a page, where an HTML parser reads it differently from an XML parser. Text
/// that the two read differently is refused.
public struct DrawingCheck {
    /// A part that a drawing must not have, described for people.
    public struct Refusal: Error, Hashable, Sendable {
        public var part: String
    }

    /// An attribute with its namespace, which is empty if it has none.
    public struct Attribute: Hashable, Sendable {
        public var space: String
        public var name: String
        public var value: String

        public init(space: String = "", name: String, value: String) {
            self.space = space
            self.name = name
            self.value = value
        }
    }

    /// Namespace and name of each element that is open.
    private var open: [(space: String, name: String)] = []
    /// The text so far of the `style` element that is open.
    private var style = ""
    private var isInSection = false
    private var hasRoot = false

    public init() {}

    public mutating func begin(
        space: String, name: String, prefix: String = "", attributes: [Attribute]
    ) throws(Refusal) {
        guard !isInStyle else { throw Refusal(part: "<\(shown(name))> in a style") }
        if !hasRoot {
            guard space == DrawingNames.svg || space.isEmpty, name == "svg" else {
                throw Refusal(part: "no element svg")
            }
            hasRoot = true
        }
        let isDrawing = space == DrawingNames.svg || space.isEmpty
        if isDrawing {
            // Notes of drawing programs are skipped with all that is in them, so nothing inside may
            // draw.
            guard DrawingNames.elements.contains(name), open.allSatisfy({ isDrawn($0.space) })
            else { throw Refusal(part: "<\(shown(name))>") }
        } else {
            // HTML has no namespaces: it would read a note without a prefix as an element of its
            // own.
            guard DrawingNames.noteSpaces.contains(space), !prefix.isEmpty else {
                throw Refusal(part: "<\(shown(name))> of \(shown(space))")
            }
        }
        for attribute in attributes { try check(attribute, of: isDrawing ? name : nil) }
        open.append((space, name))
        if isDrawing, name == "style" { style = "" }
    }

    public mutating func text(_ text: String) throws(Refusal) {
        if isInStyle {
            style += text
        } else if isInSection, text.utf8.contains(where: { $0 == 0x3C || $0 == 0x3E }) {
            // Inside title and desc an HTML parser ends the CDATA section at the first `<` or `>`.
            throw Refusal(part: "< or > in a CDATA section")
        }
    }

    public mutating func section(isOpen: Bool) { isInSection = isOpen }

    /// An HTML parser ends a comment that begins with `>` or `->` right there.
    public func comment(_ text: String) throws(Refusal) {
        guard !text.hasPrefix(">"), !text.hasPrefix("->"), !text.contains("<!"),
            !text.contains("--!")
        else { throw Refusal(part: "a comment that HTML parses differently") }
    }

    public func documentType(system: String?, hasSubset: Bool) throws(Refusal) {
        guard !hasSubset else { throw Refusal(part: "declarations of its own in DOCTYPE") }
        guard let system else { return }
        let known = ["http://www.w3.org/", "https://www.w3.org/"]
        guard known.contains(where: system.hasPrefix) else {
            throw Refusal(part: "declarations of \(shown(system))")
        }
    }

    /// The text was checked as UTF-8. A parser that uses another encoding might read other
    /// characters.
    public func encoding(_ name: String) throws(Refusal) {
        guard ["utf-8", "us-ascii", "iso-8859-1", "windows-1252"].contains(name.lowercased())
        else { throw Refusal(part: "the encoding \(shown(name))") }
    }

    public mutating func end() throws(Refusal) {
        if isInStyle { try checkStyle(style) }
        if !open.isEmpty { open.removeLast() }
    }

    private var isInStyle: Bool {
        open.last.map { isDrawn($0.space) && $0.name == "style" } ?? false
    }

    private func isDrawn(_ space: String) -> Bool { space == DrawingNames.svg || space.isEmpty }

    /// - Parameter element: the element's name; nil inside a drawing program's notes.
    private func check(_ attribute: Attribute, of element: String?) throws(Refusal) {
        let (space, name) = (attribute.space, attribute.name)
        if space == DrawingNames.xlink || space.isEmpty && name == "href" {
            guard DrawingNames.linkAttributes.contains(name) else {
                throw Refusal(part: "xlink:\(shown(name))")
            }
            if name == "href" { try checkLink(attribute.value, of: element) }
            return
        }
        if DrawingNames.noteSpaces.contains(space) { return }
        if space == DrawingNames.xml {
            guard ["lang", "space", "id"].contains(name) else {
                throw Refusal(part: "xml:\(shown(name))")
            }
            return
        }
        guard space.isEmpty else { throw Refusal(part: "\(shown(name)) of \(shown(space))") }
        guard element != nil else {
            // SVG ignores it, but a browser runs it if a page contains the drawing's text.
            guard !name.lowercased().hasPrefix("on") else { throw Refusal(part: shown(name)) }
            if name.lowercased() == "style" { try checkStyle(attribute.value) }
            return
        }
        guard DrawingNames.isAttribute(name) else { throw Refusal(part: shown(name)) }
        try checkStyle(attribute.value, ofAttribute: name)
    }

    /// Links may point into the drawing only. An image may also contain its own bytes as a data
    /// link.
    private func checkLink(_ link: String, of element: String?) throws(Refusal) {
        let target = link.drop(while: \.isWhitespace)
        if target.isEmpty || target.hasPrefix("#") { return }
        let isPicture = element == "image" || element == "feImage"
        let kinds = ["data:image/png", "data:image/jpeg", "data:image/jpg", "data:image/webp"]
        if isPicture, kinds.contains(where: { target.lowercased().hasPrefix($0 + ";base64,") }) {
            return
        }
        throw Refusal(part: "a link to \(shown(String(target)))")
    }

    private func checkStyle(_ text: String, ofAttribute name: String? = nil) throws(Refusal) {
        if let name, DrawingNames.wordAttributes.contains(name) || name.hasPrefix("data-") {
            return
        }
        if let part = DrawingStyle.foreignPart(of: text) { throw Refusal(part: part) }
    }

    private func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(40).filter { $0.value >= 0x20 }))
    }
}

/// The check of a style sheet, or of an attribute that styles.
enum DrawingStyle {
    /// The first part that does more than draw; nil if there is none.
    ///
    /// Such a part is an unknown function (it might load something), a link out of the drawing, an
    /// import, or an escaped character. The text is read once.
    static func foreignPart(of text: String) -> String? {
        var word: [UInt8] = []
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "\\"): return "a backslash in a style"
            case UInt8(ascii: "@"):
                guard follows(bytes, index + 1, "media") || follows(bytes, index + 1, "font-face")
                else { return "a rule with @ in a style" }
                word = []
            case UInt8(ascii: "("):
                let name = String(decoding: word, as: UTF8.self)
                if name == "url" {
                    guard pointsInside(bytes, index + 1) else { return "a link in a style" }
                } else if !DrawingNames.functions.contains(name) {
                    return "\(name.prefix(40))() in a style"
                }
                word = []
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "_"), 0x80...:
                if word.count < 64 { word.append(byte) }
            default: word = []
            }
        }
        return nil
    }

    private static func follows(_ bytes: [UInt8], _ start: Int, _ word: String) -> Bool {
        let end = start + word.utf8.count
        return end <= bytes.count
            && zip(bytes[start..<end], word.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }

    /// Whether a link begins with `#`, with or without quotes.
    private static func pointsInside(_ bytes: [UInt8], _ start: Int) -> Bool {
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0C, 0x0D]
        var quotes = 0
        // Sixteen blanks are enough. Without a limit, many links with long blanks would take
        // quadratic time.
        for byte in bytes.dropFirst(start).prefix(16) {
            if byte == UInt8(ascii: "#") { return true }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quotes += 1 }
            guard blanks.contains(byte) || quotes == 1 else { return false }
            if quotes == 1, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "'"),
                !blanks.contains(byte)
            {
                return false
            }
        }
        return false
    }
}
