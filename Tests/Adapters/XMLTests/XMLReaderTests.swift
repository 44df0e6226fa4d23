import Testing
import XML

@Suite struct XMLReaderTests {
    private func events(_ text: String) throws -> [XMLEvent] {
        var events: [XMLEvent] = []
        try XMLReader.read(Array(text.utf8)) {
            events.append($0)
            return true
        }
        return events
    }

    @Test("Elements, attributes and text come in order, with their namespaces")
    func reads() throws {
        let space = "urn:a"
        let name = XMLName(space: space, local: "a", prefix: "p")
        let expected: [XMLEvent] = [
            .documentType(name: "a", system: nil, hasSubset: false), .instruction(target: "do"),
            .comment(" no "),
            .begin(name, [XMLAttribute(name: XMLName(local: "b"), value: "1 < 2")]),
            .begin(
                XMLName(local: "c"),
                [XMLAttribute(name: XMLName(space: "urn:x", local: "d", prefix: "q"), value: "")]),
            .text("t"), .end(XMLName(local: "c")), .end(name),
        ]
        let text =
            "<?xml version='1.0'?><!DOCTYPE a><?do it?><!-- no -->"
            + "<p:a xmlns:p='urn:a' b='1 &lt; 2'>"
            + "<c q:d='' xmlns:q='urn:x'>t</c></p:a>"
        #expect(try events(text) == expected)
    }

    @Test("A stopped reader reports no further events")
    func stops() throws {
        var count = 0
        try XMLReader.read(Array("<a><b/><c/>this is < no & XML".utf8)) { _ in
            count += 1
            return count < 2
        }
        #expect(count == 2)
    }

    @Test(
        "Bytes that are not a document are a fault",
        arguments: [
            "", "a", "<a>", "<a></b>", "<a b='1' b='2'/>", "<p:a/>", "<a>&b;</a>", "<a/><b/>",
            "<a>\u{0}</a>", "<a b=1/>",
        ])
    func faults(_ text: String) { #expect(throws: XMLFault.self) { _ = try events(text) } }

    @Test("Bytes that are not UTF-8 are a fault")
    func bytes() {
        #expect(throws: XMLFault.self) {
            try XMLReader.read([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e]) { _ in true }
        }
    }

    @Test("Endlessly nested elements are a fault")
    func depth() {
        let deepest = String(repeating: "<a>", count: XMLReader.mostDepth)
        let ends = String(repeating: "</a>", count: XMLReader.mostDepth)
        #expect(throws: Never.self) { _ = try events(deepest + ends) }
        #expect(throws: XMLFault.self) { _ = try events("<a>" + deepest + ends + "</a>") }
    }
}
