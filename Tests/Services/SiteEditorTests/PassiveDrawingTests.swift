import Foundation
import Testing

@testable import SiteEditor

@Suite("Drawings without active parts") struct PassiveDrawingTests {
    private func part(_ inner: String, names: String = "") -> String? {
        PassiveDrawing.foreignPart(
            of: Array("<svg xmlns=\"http://www.w3.org/2000/svg\"\(names)>\(inner)</svg>".utf8))
    }

    @Test(
        "A drawing without active parts is accepted",
        arguments: [
            "<path d='M0 0'/>", "<use href='#door'/>",
            "<use xmlns:l='http://www.w3.org/1999/xlink' l:href=\"#a\"/>",
            "<rect fill='url(#hatch)' style='stroke: url( \"#line\" ); fill:rgb(1, 2, 3)'/>",
            "<image href='data:image/png;base64,iVBOR'/>",
            "<text>only one = two, <![CDATA[& three]]> javascript: onload=1</text>",
            "<style><![CDATA[g > rect { fill: red }]]></style>",
            "<style>.a:not(.b) { fill: #fff; transform: rotate(3deg) } "
                + "@media print { g {} }</style>",
            "<linearGradient id='g'><stop offset='0' stop-color='red'/></linearGradient>",
            "<g a='1'/>".replacing("a=", with: "data-name="), "<title>Level (2) \\ (3)</title>",
            "<g id='a (b) \\ c' class='x'/>", "<!-- <script> -->",
            "<s:g xmlns:s='http://www.w3.org/2000/svg'/>",
        ])
    func passive(_ inner: String) { #expect(part(inner) == nil) }

    @Test("Notes of a drawing program are accepted")
    func editors() {
        let names =
            " xmlns:inkscape='http://www.inkscape.org/namespaces/inkscape'"
            + " xmlns:sodipodi='http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd'"
            + " xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'"
            + " inkscape:version='1.2' sodipodi:docname='plan.svg'"
        let inner =
            "<sodipodi:namedview pagecolor='#ffffff' inkscape:zoom='0.7'/>"
            + "<metadata><rdf:RDF><rdf:li>plan</rdf:li></rdf:RDF></metadata>"
            + "<g inkscape:groupmode='layer' inkscape:label='Rooms (old)'/>"
        #expect(part(inner, names: names) == nil)
    }

    @Test(
        "Active parts are refused",
        arguments: [
            "<script>alert(1)</script>", "<SCRIPT/>", "<g onload='x()'/>", "<g\nonclick = 'x'/>",
            "<a href='https://example.org'/>", "<a href=' javascript:x'/>",
            "<image href='file:///etc/passwd'/>", "<rect style='fill:url(http://x)'/>",
            "<foreignObject/>", "<style>@import 'x'</style>", "<set attributeName='href'/>",
            "<image href='data:image/svg+xml,x'/>", "<a href='data:image/png;base64,x'/>",
            // Tricks that the security review tried: a prefix, a quoted bracket, and functions that
            // load.
            "<s:script xmlns:s='http://www.w3.org/2000/svg'/>", "<g a='>' onclick='x'/>",
            "<g class='>' onclick='x'/>", "<rect style='fill: image-set(\"https://x\" 1x)'/>",
            "<style>g { fill: u\\72l(https://x) }</style>", "<style>g{fill:URL('//x')}</style>",
            "<style>g { background: url( //x ) }</style>", "<animate attributeName='x'/>",
            "<rect fill='url(\"https://x#a\")'/>", "<style>@Import url(#a);</style>",
            "<h:script xmlns:h='http://www.w3.org/1999/xhtml'/>", "<g xml:base='https://x'/>",
            "<g xmlns:e='http://www.w3.org/2001/xml-events' e:event='load'/>",
            "<r:x xmlns:r='http://creativecommons.org/ns#'><script/></r:x>",
            "<r:x xmlns:r='http://creativecommons.org/ns#' onclick='x'/>",
            "<st<!-- -->yle/>", "<?xml-stylesheet href='x'?>", "<style>a{b:expression(1)}</style>",
            // Texts that an HTML parser reads in another way, should a page include the drawing
            // inline.
            "<style>@import 'x';<style></style></style>", "<!--><img src='x' onerror='x'>-->",
            "<title><![CDATA[><img src=x onerror=x>]]></title>",
            "<script xmlns='http://creativecommons.org/ns#'/>",
            "<r:x xmlns:r='http://creativecommons.org/ns#' style='background:url(//x)'/>",
        ])
    func active(_ inner: String) { #expect(part(inner) != nil) }

    @Test("A drawing may name its document type, but declare nothing")
    func documentTypes() {
        let drawing = "<svg xmlns='http://www.w3.org/2000/svg'/>"
        func part(_ text: String) -> String? { PassiveDrawing.foreignPart(of: Array(text.utf8)) }
        let type = "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/x.dtd'>"
        #expect(part("<?xml version='1.0' encoding='UTF-8'?>\(type)\(drawing)") == nil)
        #expect(part("<!DOCTYPE svg [<!ENTITY a 'b'>]>\(drawing)") != nil)
        #expect(part("<!DOCTYPE svg SYSTEM 'https://evil.example/x.dtd'>\(drawing)") != nil)
        #expect(part("<?xml version='1.0' encoding='UTF-7'?>\(drawing)") != nil)
        #expect(part("<!DOCTYPE svg [<!ATTLIST svg onload CDATA 'x'>]>\(drawing)") != nil)
        #expect(part("<html/>") != nil)
    }

    @Test("Bytes that are not text, and text that is not XML, are refused")
    func noText() {
        #expect(PassiveDrawing.foreignPart(of: [0x3c, 0xff]) != nil)
        #expect(PassiveDrawing.foreignPart(of: Array("<svg><g></svg>".utf8)) != nil)
        #expect(PassiveDrawing.foreignPart(of: []) != nil)
    }

    /// The regular expression used earlier backtracked over such texts for hours.
    @Test(
        "Two million bytes are checked in one pass, whatever they are",
        arguments: ["<", "<g ", "a ", "(", "url(", "url(' ", " on", "&amp;", "="])
    func onePass(_ piece: String) {
        let count = 2_000_000 / piece.utf8.count
        let text = String(repeating: piece, count: count)
        let clock = ContinuousClock()
        let time = clock.measure {
            _ = PassiveDrawing.foreignPart(of: Array("<svg \(text)".utf8))
            _ = part("<style>\(text.replacing("<", with: ""))</style>")
            _ = part("<text>\(text.replacing("<", with: ""))</text>")
        }
        // One pass takes tenths of a second even in a debug build; quadratic work would take hours.
        #expect(time < .seconds(60))
    }
}
