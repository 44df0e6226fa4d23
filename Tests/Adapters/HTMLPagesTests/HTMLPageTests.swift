import Testing

@testable import HTMLPages

@Suite("HTMLPage") struct HTMLPageTests {
    private func page(_ text: String, _ type: String? = nil) throws -> HTMLPage {
        try HTMLPage(bytes: Array(text.utf8), contentType: type)
    }

    private func texts(of nodes: [HTMLNode]) throws -> [String] {
        var texts: [String] = []
        for node in nodes { texts.append(try node.text()) }
        return texts
    }

    /// One letter for each place of the grid: the text of the cell that covers it.
    private func drawn(_ table: String) throws -> [String] {
        let table = try page(table).table(HTMLPath("//table"))
        var grid = Array(
            repeating: Array(repeating: Character("."), count: table.columnCount),
            count: table.rowCount)
        for cell in table.cells {
            for row in cell.row..<(cell.row + cell.rowSpan) {
                for column in cell.column..<(cell.column + cell.columnSpan) {
                    grid[row][column] = try cell.node.text().first ?? "?"
                }
            }
        }
        return grid.map { String($0) }
    }

    @Test("Nodes are found by a path, from the page and from a node, with texts and attributes")
    func paths() throws {
        let page = try page(
            "<div id=a><p class=x> one\n <b>two</b>&nbsp; &auml; </p><p>three</div><p>four")
        let first = try #require(try page.nodes(HTMLPath("//div")).first)
        #expect(try texts(of: first.nodes(HTMLPath("p"))) == ["one two ä", "three"])
        #expect(try texts(of: page.nodes(HTMLPath("//p/@class"))) == ["x"])
        #expect(try texts(of: page.nodes(HTMLPath("//b/text()"))) == ["two"])
        #expect(first.attribute("id") == "a")
        #expect(first.attribute("class") == nil)
        #expect(try page.nodes(HTMLPath("//table")).isEmpty)
    }

    @Test("A path that can't be read says why")
    func badPaths() {
        for (text, words) in [
            ("//td[", "no XPath"), ("//td['a", "quotes"), ("", "empty"), ("//td[1", "brackets"),
        ] {
            let fault = #expect(throws: HTMLPath.Fault.self) { try HTMLPath(text) }
            #expect(fault?.reason.contains(words) == true, "\(text): \(fault?.reason ?? "")")
        }
        #expect(throws: HTMLPath.Fault.self) {
            try HTMLPath(String(repeating: "/a", count: 2_000))
        }
    }

    @Test("Spans are laid out as browsers do it, within their group of rows")
    func spans() throws {
        #expect(
            try drawn(
                "<table><tr><td rowspan=2>a<td colspan=2>b<tr><td>c<td>d<tr><td>e</table>")
                == ["abb", "acd", "e.."])
        #expect(
            try drawn(
                "<table><tfoot><tr><td>f</tfoot><thead><tr><th rowspan=9>a<th>b</thead>"
                    + "<tbody><tr><td rowspan=0>c<td>d<tr><td>e</table>") == [
                    "ab", "cd", "ce", "f.",
                ])
        let heads = try page("<table><tr><th>a<td>b").table(HTMLPath("//table"))
        #expect(heads.cells.map(\.isHeader) == [true, false])
        #expect(try drawn("<table><tr><td colspan=0>a<td colspan=x>b</table>") == ["ab"])
    }

    @Test("The character set is that of the mark, the header, meta, or the bytes")
    func characters() throws {
        let path = try HTMLPath("//p")
        func text(_ bytes: [UInt8], _ type: String?) throws -> String? {
            try HTMLPage(bytes: bytes, contentType: type).nodes(path).first?.text()
        }
        let (latin, utf8) = ([0xE9] as [UInt8], Array("é".utf8))
        let (begin, end) = (Array("<p>".utf8), Array("</p>".utf8))
        #expect(try text(begin + latin + end, "text/html; charset=ISO-8859-1") == "é")
        #expect(try text(begin + latin + end, nil) == "é")
        #expect(try text(begin + utf8 + end, nil) == "é")
        #expect(
            try text([0xEF, 0xBB, 0xBF] + begin + utf8 + end, "text/html; charset=latin1") == "é")
        let meta = Array("<meta charset=iso-8859-1>".utf8)
        #expect(try text(meta + begin + latin + end, nil) == "é")
        var wide: [UInt8] = [0xFF, 0xFE]
        for unit in "<p>é</p>".utf16 { wide += [UInt8(unit & 255), UInt8(unit >> 8)] }
        #expect(try text(wide, nil) == "é")
    }

    @Test("Nothing is loaded from elsewhere, and declared entities stay unknown")
    func noEntities() throws {
        let text = "<!DOCTYPE html [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><p>a&x;b</p>"
        let node = try #require(try page(text).nodes(HTMLPath("//p")).first)
        let found = try node.text()
        #expect(!found.isEmpty && !found.contains("root:"))
    }

    @Test("The attributes of a tag are limited, however they are written")
    func attributes() throws {
        let most = HTMLLimits.mostAttributes
        let names = (0...most).map { "a\($0)" }
        let many = names.joined(separator: " ")
        _ = try page("<p \(names.dropLast().joined(separator: " "))>x")
        let tags = [
            "<p \(many)>", "<p ' \(many)>", "<p =\" \(many)>", "<b c=\"<p \(many)>\">",
            "<p \(names.map { "\($0)=\"1 2\"" }.joined())>",
            "<p \(names.map { "\($0)='>'" }.joined())>",
            "<p \(String(repeating: "x", count: 100 * (most + 1)))>",
            "<!-- <b c=\" --><p \(many)>", "<script>a<b c=\"</script><p \(many)>",
        ]
        for tag in tags {
            #expect(throws: HTMLPageError.tooManyAttributes(limit: most), "\(tag.prefix(40))") {
                try page(tag + "x")
            }
        }
        let words = String(repeating: "word ", count: 2 * most)
        _ = try page("<!-- \(words)--><p title=\"\(words)\">1 < 2, \(words)</p>")
        // In this set, the bytes of letters are not those of ASCII. Browsers do not know it.
        let hidden = Array("+ADw-p \(many)+AD4-x".utf8)
        let plain = try HTMLPage(bytes: hidden, contentType: "text/html; charset=utf-7")
        #expect(try plain.nodes(HTMLPath("//p/@a0")).isEmpty)
        // In ISO-2022 a quote may be half a letter, and would hide attributes.
        let letter = [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42] as [UInt8]
        let quoted = Array("<i a=\"".utf8) + letter + Array(" b=\" \(many) c=\"\">x".utf8)
        let japanese = try HTMLPage(bytes: quoted, contentType: "text/html; charset=iso-2022-jp")
        #expect(try japanese.nodes(HTMLPath("//i")).count == 1)
        #expect(try japanese.nodes(HTMLPath("//i/@a0")).isEmpty)
    }

    @Test("All paths together take so many steps on a page, and no more")
    func steps() throws {
        let page = try page(String(repeating: "<p>x", count: 100))
        let path = try HTMLPath("//p")
        #expect(try page.nodes(path).count == 100)
        let needed = HTMLLimits.mostSteps - page.stepsLeft
        #expect(needed >= 100)
        page.stepsLeft = needed + needed / 2
        #expect(try page.nodes(path).count == 100)
        for _ in 0..<2 {
            #expect(throws: HTMLPageError.tooManySteps(limit: Int(HTMLLimits.mostSteps))) {
                try page.nodes(path)
            }
        }
    }

    @Test("The text of a node ends after some bytes, and no more is read for it")
    func longTexts() throws {
        let text = "<b>ü</b>" + String(repeating: "é", count: 500_000) + "<!-- no --><i>end</i>"
        let page = try page("<p>\(text)</p><p>short <b>one</b><!-- no --></p>")
        let nodes = try page.nodes(HTMLPath("//p"))
        let most = HTMLLimits.mostTextBytes
        let long = try nodes[0].text()
        #expect(long == "ü" + String(repeating: "é", count: most / 2 - 1))
        let read = HTMLLimits.mostReadBytes - page.readBytesLeft
        #expect(read >= most && read < most + 1_000)
        #expect(try nodes[1].text() == "short one")
    }

    @Test("All texts together are read up to a limit, and so are the nodes without one")
    func readBytes() throws {
        let page = try page("<p>text</p><div>" + String(repeating: "<b></b>", count: 50))
        let text = try #require(try page.nodes(HTMLPath("//p")).first)
        let empty = try #require(try page.nodes(HTMLPath("//div")).first)
        page.readBytesLeft = 100
        #expect(try text.text() == "text")
        #expect(page.readBytesLeft == 100 - 2 * HTMLLimits.nodeBytes - 4)
        for node in [empty, text] {
            #expect(throws: HTMLPageError.tooMuchText(limit: HTMLLimits.mostReadBytes)) {
                try node.text()
            }
        }
    }

    @Test("Every limit has its error")
    func limits() throws {
        #expect(throws: HTMLPageError.empty) { try page(" ") }
        #expect(throws: HTMLPageError.nestedTooDeeply(limit: HTMLLimits.mostDepth)) {
            try page(String(repeating: "<div>", count: 230) + "x")
        }
        #expect(throws: HTMLPageError.self) { try page(String(repeating: "<div>", count: 300_000)) }
        #expect(throws: HTMLPageError.tooManyBytes(limit: HTMLLimits.mostBytes)) {
            try page(String(repeating: "x", count: HTMLLimits.mostBytes + 1))
        }
        #expect(throws: HTMLPageError.tooManyElements(limit: HTMLLimits.mostElements)) {
            try page(String(repeating: "<br>", count: HTMLLimits.mostElements * 3 + 1))
        }
        let many = try page(String(repeating: "<p>", count: HTMLLimits.mostNodes + 1))
        #expect(throws: HTMLPageError.tooManyNodes(limit: HTMLLimits.mostNodes)) {
            try many.nodes(HTMLPath("//p"))
        }
        #expect(throws: HTMLPageError.self) {
            try many.nodes(HTMLPath("//p[count(//p[count(//p) > 1]) > 1]"))
        }
        #expect(throws: HTMLPageError.self) { try many.nodes(HTMLPath("count(//p)")) }
        let wide = "<table><tr>" + String(repeating: "<td colspan=1000 rowspan=9>", count: 3)
        #expect(throws: HTMLPageError.self) { try page(wide).table(HTMLPath("//table")) }
    }
}
