import HTTP
import ServiceHost
import Wire

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

    /// The same for an answer that also says which version is the newest one: it is another answer
    /// after a publication, which leaves the draft as it was.
    func text(beside newest: Int) -> String {
        switch self {
        case .version: text
        case .draft(let number): "\"draft-\(number)-\(newest)\""
        case .test(let number): "\"test-\(number)-\(newest)\""
        }
    }

    /// Reads either form.
    init?(_ text: String) {
        guard text.count > 2, text.first == "\"", text.last == "\"" else { return nil }
        let parts = text.dropFirst().dropLast().split(
            separator: "-", omittingEmptySubsequences: false)
        let isVersion = parts.count == 1
        let numbers = parts.dropFirst(isVersion ? 0 : 1).compactMap { part in
            part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
        }
        guard let number = numbers.first, numbers.count == parts.count - (isVersion ? 0 : 1) else {
            return nil
        }
        switch (parts[0], parts.count) {
        case (_, 1): self = .version(number)
        case ("draft", 2...3): self = .draft(number)
        case ("test", 2...3): self = .test(number)
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
                .etagMalformed, "If-Match takes the ETag that the site was read with.")
        }
        return tag
    }

    /// The draft's revision that the editor has seen; nil for `*`, whatever it is.
    /// - Throws: 428 without If-Match: who does not say what they saw would overwrite others.
    func expectedRevision() throws -> Int? {
        guard header("if-match") != nil else {
            throw Problem(
                .ifMatchMissing,
                "Send If-Match with the ETag of the draft as you read it: ?version=draft.")
        }
        switch try expectedTag() {
        case nil: return nil
        case .draft(let revision): return revision
        case .version, .test:
            throw Problem(
                .versionMovedOn,
                "This ETag is not the draft's: read ?version=draft and send that one.")
        }
    }
}
