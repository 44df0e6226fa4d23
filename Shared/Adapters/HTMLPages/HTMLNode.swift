import CXML2

/// An element, attribute or text of a page. It keeps the page alive.
public struct HTMLNode {
    private let page: HTMLPage
    let pointer: xmlNodePtr

    init(_ page: HTMLPage, _ pointer: xmlNodePtr) {
        self.page = page
        self.pointer = pointer
    }

    /// The element's or attribute's name in small letters; `text` for a text.
    public var name: String {
        pointer.pointee.name.map { String(cString: $0).lowercased() } ?? ""
    }

    /// The text inside, with one space for any white space, and none at both ends. It ends after
    /// `HTMLLimits.mostTextBytes`, and no more is read for it.
    ///
    /// - Throws: `tooMuchText` once all texts that were read of the page are too long together.
    public func text() throws(HTMLPageError) -> String {
        var text = SpacedText()
        var node = pointer
        // Walks without recursion, since a page can nest deeply.
        while !text.isFull {
            page.readBytesLeft -= HTMLLimits.nodeBytes
            if hasText(node), let content = node.pointee.content {
                page.readBytesLeft -= text.add(UnsafePointer(content))
            }
            guard page.readBytesLeft > 0 else {
                throw .tooMuchText(limit: HTMLLimits.mostReadBytes)
            }
            if Self.hasParts(node), let child = node.pointee.children {
                node = child
                continue
            }
            while node != pointer, node.pointee.next == nil, let parent = node.pointee.parent {
                node = parent
            }
            guard node != pointer, let next = node.pointee.next else { break }
            node = next
        }
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// Whether a node on the way counts by itself. A comment is only read on its own.
    private func hasText(_ node: xmlNodePtr) -> Bool {
        let type = node.pointee.type
        return type == XML_TEXT_NODE || type == XML_CDATA_SECTION_NODE
            || node == pointer && (type == XML_COMMENT_NODE || type == XML_PI_NODE)
    }

    /// An attribute's value is a text inside of it.
    private static func hasParts(_ node: xmlNodePtr) -> Bool {
        let type = node.pointee.type
        return type == XML_ELEMENT_NODE || type == XML_ATTRIBUTE_NODE
            || type == XML_HTML_DOCUMENT_NODE || type == XML_DOCUMENT_NODE
    }

    /// The element's attribute as written, or nil if it has none.
    public func attribute(_ name: String) -> String? {
        guard pointer.pointee.type == XML_ELEMENT_NODE, let value = xmlGetProp(pointer, name)
        else { return nil }
        defer { freeText(value) }
        return String(cString: value)
    }

    /// The nodes that the path finds from here, in the order of the page.
    public func nodes(_ path: HTMLPath) throws(HTMLPageError) -> [HTMLNode] {
        try HTMLPage.found(path, on: page, from: pointer)
    }

    /// The elements directly inside.
    var elements: [HTMLNode] {
        var elements: [HTMLNode] = []
        var child = pointer.pointee.type == XML_ELEMENT_NODE ? pointer.pointee.children : nil
        while let node = child {
            if node.pointee.type == XML_ELEMENT_NODE { elements.append(HTMLNode(page, node)) }
            child = node.pointee.next
        }
        return elements
    }
}

/// A text with one space for any white space, while it is read.
private struct SpacedText {
    var bytes: [UInt8] = []
    var isFull = false
    private var isSpaced = false

    init() {}

    /// - Returns: how many bytes it has read, of a text that ends with a zero.
    mutating func add(_ content: UnsafePointer<UInt8>) -> Int {
        var place = content
        while place.pointee != 0 {
            let byte = place.pointee
            // It ends between two characters.
            if bytes.count >= HTMLLimits.mostTextBytes, byte & 0xC0 != 0x80 {
                isFull = true
                break
            }
            // The no-break space is white space, too.
            let isNoBreak = byte == 0xC2 && place[1] == 0xA0
            if isNoBreak || byte == 0x20 || (0x09...0x0D).contains(byte) {
                isSpaced = true
            } else {
                if isSpaced && !bytes.isEmpty { bytes.append(0x20) }
                isSpaced = false
                bytes.append(byte)
            }
            place += isNoBreak ? 2 : 1
        }
        return content.distance(to: place)
    }
}
