/// Looks a drawing (SVG) through, element by element in the order of its text, for what a page must
/// not be given. Everything that it doesn't know is refused: elements, attributes, functions of
/// styles and links to anywhere but into the drawing itself. What draws is in `DrawingNames`.
///
/// A drawing is also served so that a browser runs nothing in it. Someone may still put its text
/// into a page, where a reader of HTML makes other things of it than one of XML; what the two read
/// differently is refused.
public struct DrawingCheck {
    /// What a drawing must not have, in words for people.
    public struct Refusal: Error, Hashable, Sendable {
        public var part: String
    }

    /// An attribute and the namespace of its name, empty for none.
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

    /// Namespace and name of the elements that are open.
    private var open: [(space: String, name: String)] = []
    /// The text of the `style` that is open.
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
                throw Refusal(part: "no svg")
            }
            hasRoot = true
        }
        let isDrawing = space == DrawingNames.svg || space.isEmpty
        if isDrawing {
            // What editors note of themselves is passed over whole, so nothing may draw within.
            guard DrawingNames.elements.contains(name), open.allSatisfy({ isDrawn($0.space) })
            else { throw Refusal(part: "<\(shown(name))>") }
        } else {
            // HTML knows no namespaces: a note without a prefix would be an element of its own
            // there.
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
            // Within title and desc a reader of HTML ends the section at the first of these.
            throw Refusal(part: "< or > in a section of CDATA")
        }
    }

    public mutating func section(isOpen: Bool) { isInSection = isOpen }

    /// HTML ends a comment that begins with `>` or `->` right there.
    public func comment(_ text: String) throws(Refusal) {
        guard !text.hasPrefix(">"), !text.hasPrefix("->"), !text.contains("<!"),
            !text.contains("--!")
        else { throw Refusal(part: "a comment that HTML reads otherwise") }
    }

    public func documentType(system: String?, hasSubset: Bool) throws(Refusal) {
        guard !hasSubset else { throw Refusal(part: "declarations of its own") }
        guard let system else { return }
        let known = ["http://www.w3.org/", "https://www.w3.org/"]
        guard known.contains(where: system.hasPrefix) else {
            throw Refusal(part: "declarations of \(shown(system))")
        }
    }

    /// It is read as UTF-8; a reader that believed another one would find other letters.
    public func encoding(_ name: String) throws(Refusal) {
        guard ["utf-8", "us-ascii", "iso-8859-1", "windows-1252"].contains(name.lowercased())
        else { throw Refusal(part: "letters of \(shown(name))") }
    }

    public mutating func end() throws(Refusal) {
        if isInStyle { try checkStyle(style) }
        if !open.isEmpty { open.removeLast() }
    }

    private var isInStyle: Bool {
        open.last.map { isDrawn($0.space) && $0.name == "style" } ?? false
    }

    private func isDrawn(_ space: String) -> Bool { space == DrawingNames.svg || space.isEmpty }

    /// - Parameter element: nil for what editors note of themselves.
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
            // Nobody draws by it, but a page that puts the drawing into itself would heed it.
            guard !name.lowercased().hasPrefix("on") else { throw Refusal(part: shown(name)) }
            if name.lowercased() == "style" { try checkStyle(attribute.value) }
            return
        }
        guard DrawingNames.isAttribute(name) else { throw Refusal(part: shown(name)) }
        try checkStyle(attribute.value, ofAttribute: name)
    }

    /// Into the drawing; a picture may also hold its own bytes.
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

/// What a style, or an attribute that styles, may say.
enum DrawingStyle {
    /// The first thing that is more than drawing: a function that is not known, such as one that
    /// loads something, a link out of the drawing, a rule that imports, or letters written in code;
    /// nil for none. One pass over the text.
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

    /// Whether a link begins with `#`, quoted or not.
    private static func pointsInside(_ bytes: [UInt8], _ start: Int) -> Bool {
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0C, 0x0D]
        var quotes = 0
        // Few blanks are enough for anybody; more would be looked through again for each link.
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
