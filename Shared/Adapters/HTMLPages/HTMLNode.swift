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
    /// `HTMLLimits.mostTextBytes`.
    public var text: String {
        guard let content = xmlNodeGetContent(pointer) else { return "" }
        defer { freeText(content) }
        var bytes: [UInt8] = []
        var isSpaced = false
        var place = UnsafePointer(content)
        while place.pointee != 0, bytes.count < HTMLLimits.mostTextBytes {
            let byte = place.pointee
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
        return String(decoding: bytes, as: UTF8.self)
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
