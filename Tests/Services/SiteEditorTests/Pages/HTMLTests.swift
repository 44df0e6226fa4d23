import Foundation
import SeededRandomness
import Testing

@testable import SiteEditor

@Suite("HTML from texts of people") struct HTMLTests {
    private func written(_ html: HTML) -> String {
        var text = ""
        html.write(to: &text)
        return text
    }

    @Test("Markup in a text stays text, in an element and in an attribute")
    func markup() {
        let attack = #""><script>alert('1')</script>&amp;"#
        let page = written(.element("p", ["title": attack], .text(attack)))
        let escaped = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;"
        #expect(page == "\n<p title=\"\(escaped)\">\(escaped)</p>")
    }

    @Test("A naive reader of the page finds the texts again", arguments: 0..<50)
    func random(seed: Int) {
        var random = SeededRandom(seed: seed)
        let letters = Array("<>&\"'=/ abü😀;#x\u{7}\u{0}")
        let words = String((0..<30).map { _ in letters.randomElement(using: &random) ?? "a" })
        let page = written(.element("span", ["title": words], .text(words)))
        let parts = page.split(separator: "\"", omittingEmptySubsequences: false)
        #expect(parts.count == 3)
        let expected = words.filter { $0 != "\u{7}" && $0 != "\u{0}" }
        #expect(read(String(parts[1])) == expected)
        let inner = page.dropFirst("<span title=\"\(parts[1])\">".count).dropLast("</span>".count)
        #expect(read(String(inner)) == expected && !inner.contains("<"))
    }

    private func read(_ text: String) -> String {
        let names = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ]
        return names.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }

    @Test("Addresses are encoded, and only web addresses become links")
    func links() {
        let link = PageLink.own(["s", "a b/../c"], [("from", "1 & 2?#"), ("at", "")])
        #expect(link == "/s/a%20b%2F..%2Fc?from=1%20%26%202%3F%23")
        let url = URL(string: PageLink.own(["s"], [("q", "Tŷ\n\"<>")]))
        #expect(url?.query(percentEncoded: false) == "q=Tŷ\n\"<>")
        for address in ["javascript:alert(1)", " javascript:alert(1)", "data:text/html,x", "//x"] {
            #expect(PageLink.foreign(address) == nil, "\(address)")
        }
        #expect(PageLink.foreign("HTTPS://museum.example/") != nil)
    }
}
