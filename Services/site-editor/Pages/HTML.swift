/// A part of a page. It is the one place that writes HTML from texts of people: all of them become
/// text, never markup.
indirect enum HTML: Sendable {
    typealias Attributes = [(name: StaticString, value: String)]

    case text(String)
    /// An element; names of elements and attributes stand in the code, so no text can choose them.
    case element(StaticString, Attributes, [HTML])
    /// A script that is a file of the program, and the module that it starts. Nobody else's text
    /// may stand here.
    case script(String, main: String)

    static func element(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:],
        _ children: HTML...
    ) -> HTML {
        .element(name, attributes.map { ($0.key, $0.value) }, children)
    }

    /// The page as a document, in UTF-8.
    static func document(language: String, head: [HTML], body: HTML) -> [UInt8] {
        let page = HTML.element(
            "html", [("lang", language)], [.element("head", [], head), body])
        var text = "<!doctype html>\n"
        page.write(to: &text)
        text += "\n"
        return Array(text.utf8)
    }

    /// Elements without content and end tag (HTML, section 13.1.2).
    private static let voidNames: Set<String> = ["br", "hr", "img", "input", "link", "meta"]
    /// Elements on lines of their own, so that people can read the page's source.
    private static let blockNames: Set<String> = [
        "body", "div", "figure", "form", "h1", "h2", "h3", "head", "header", "li", "link", "main",
        "meta",
        "nav", "ol", "p", "script", "section", "title", "ul",
    ]

    func write(to text: inout String) {
        switch self {
        case .text(let words): Self.append(words, to: &text)
        case .script(let program, let main):
            text += "\n<script data-main=\"\(main)\">\(program)</script>"
        case .element(let name, let attributes, let children):
            let name = "\(name)"
            if Self.blockNames.contains(name) { text += "\n" }
            text += "<\(name)"
            for (name, value) in attributes {
                text += " \(name)=\""
                Self.append(value, to: &text)
                text += "\""
            }
            text += ">"
            guard !Self.voidNames.contains(name) else { return }
            for child in children { child.write(to: &text) }
            text += "</\(name)>"
        }
    }

    /// Appends a text of anybody. Controls can't stand in a page, but for the ends of lines.
    private static func append(_ words: String, to text: inout String) {
        for scalar in words.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            case "\n": text += "\n"
            default:
                if scalar.properties.generalCategory != .control {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
    }
}

/// Addresses in pages.
enum PageLink {
    /// A path of this server with a query. Empty values are left out.
    static func own(_ path: [String], _ query: [(name: String, value: String)] = []) -> String {
        let pairs = query.filter { !$0.value.isEmpty }.map { "\($0.name)=\(encoded($0.value))" }
        return "/" + path.map(encoded).joined(separator: "/")
            + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    /// An address that somebody typed; nil unless a browser opens it as a page. A `javascript:`
    /// address would be a program.
    static func foreign(_ address: String) -> String? {
        let lower = address.lowercased()
        return lower.hasPrefix("https://") || lower.hasPrefix("http://") ? address : nil
    }

    /// The text with all but the unreserved characters of RFC 3986 as percent codes.
    static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            let scalar = UnicodeScalar(byte)
            let isPlain = byte < 0x80 && (Character(scalar).isLetter || Character(scalar).isNumber)
            if isPlain || "-._~".unicodeScalars.contains(scalar) {
                encoded.unicodeScalars.append(scalar)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}
