import HTTP
import ServiceHost
import Wire

/// The ETag of a site: of a published version, of the draft, or of the testers' version.
enum EntityTag: Hashable, Sendable {
    case version(Int)
    case draft(Int)
    case test(Int)

    /// The text for header fields, with its quotes.
    var text: String { text(mark: "") }

    /// The text with a mark, which is added where the reader does not see everything. Such a tag is
    /// of no use to editors, so it is not read back.
    func text(mark: String) -> String {
        switch self {
        case .version(let number): "\"\(number)\(mark)\""
        case .draft(let number): "\"draft-\(number)\(mark)\""
        case .test(let number): "\"test-\(number)\(mark)\""
        }
    }

    /// The ETag of a draft's answer that also contains the newest version. A publication changes
    /// that answer, although it leaves the draft as it was.
    func text(beside newest: Int, mark: String = "") -> String {
        switch self {
        case .version: text(mark: mark)
        case .draft(let number): "\"draft-\(number)-\(newest)\(mark)\""
        case .test(let number): "\"test-\(number)-\(newest)\(mark)\""
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
    /// The ETag in If-Match; nil without the header and for `*`.
    func expectedTag() throws(Problem) -> EntityTag? {
        guard let text = header("if-match"), text != "*" else { return nil }
        guard let tag = EntityTag(text) else {
            throw Problem(
                .etagMalformed, "Send the ETag that the site was read with as If-Match.")
        }
        return tag
    }

    /// The draft's revision that the editor has read; nil for `*`, which means any revision.
    /// - Throws: 428 without If-Match: an editor who has not read the draft would overwrite other
    ///   people's changes.
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
