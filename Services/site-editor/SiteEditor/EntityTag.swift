import HTTP

/// The ETag of a site: of a published version, of the draft, or of what testers see.
enum EntityTag: Hashable, Sendable {
    case version(Int)
    case draft(Int)
    case test(Int)

    /// As it stands in header fields, with its quotes.
    var text: String {
        switch self {
        case .version(let number): "\"\(number)\""
        case .draft(let number): "\"draft-\(number)\""
        case .test(let number): "\"test-\(number)\""
        }
    }

    init?(_ text: String) {
        guard text.count > 2, text.first == "\"", text.last == "\"" else { return nil }
        let inner = text.dropFirst().dropLast()
        let digits = inner.drop { !$0.isASCII || !$0.isNumber }
        guard let number = Int(digits), number >= 0 else { return nil }
        switch inner.dropLast(digits.count) {
        case "": self = .version(number)
        case "draft-": self = .draft(number)
        case "test-": self = .test(number)
        default: return nil
        }
    }
}

extension HTTPRequest {
    /// What If-Match names; nil without it and for `*`.
    func expectedTag() throws(Problem) -> EntityTag? {
        guard let text = header("if-match"), text != "*" else { return nil }
        guard let tag = EntityTag(text) else {
            throw Problem(
                400, "etag-malformed", "If-Match takes the ETag that the site was read with.")
        }
        return tag
    }

    /// The draft's revision that the editor has seen; nil for `*`, whatever it is.
    /// - Throws: 428 without If-Match: who does not say what they saw would overwrite others.
    func expectedRevision() throws -> Int? {
        guard header("if-match") != nil else {
            throw Problem(
                428, "if-match-missing",
                "Send If-Match with the ETag of the draft as you read it: ?version=draft.")
        }
        switch try expectedTag() {
        case nil: return nil
        case .draft(let revision): return revision
        case .version, .test:
            throw Problem(
                412, "version-moved-on",
                "This ETag is not the draft's: read ?version=draft and send that one.")
        }
    }
}

extension HTTPRequest {
    /// Whether the client has what the tag stands for: `If-None-Match` of RFC 9110, 13.1.2.
    /// - Parameter tag: with its quotation marks.
    func knows(_ tag: String) -> Bool {
        guard let known = header("if-none-match") else { return false }
        return known == "*" || known.split(separator: ",").contains { $0.contains(tag) }
    }
}
