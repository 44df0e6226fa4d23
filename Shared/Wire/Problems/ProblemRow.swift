/// A row of the table of problems, taken apart.
public struct ProblemRow: Equatable, Sendable, ExpressibleByStringLiteral {
    /// The HTTP status that a code has unless something else is said; 500 for a code that HTTP
    /// never answers.
    public let status: Int
    /// The status of the same code in another place: an older client may rely on either.
    public let otherStatus: Int?
    /// Where the code stands beside an answer of HTTP.
    public let place: Place?
    /// The code that programs rely on, such as `site-unknown`.
    public let code: String
    /// The advice on what to do about it, in Markdown.
    public let advice: Substring
    /// Whether HTTP answers with it.
    public let isAnswered: Bool

    public enum Place: String, Sendable {
        /// The code of a dead letter.
        case letter
        /// Printed by `whereabouts dead-letters apply`.
        case apply
    }

    public init(stringLiteral text: StaticString) {
        let row = Substring(text.description)
        let head = row.prefix { $0 != ":" }
        let words = head.split(separator: " ")
        let statuses = words.compactMap { Int($0) }
        isAnswered = !statuses.isEmpty
        status = statuses.first ?? 500
        otherStatus = statuses.dropFirst().first
        place = words.dropFirst(statuses.count).dropLast().first.flatMap {
            Place(rawValue: String($0))
        }
        code = words.last.map(String.init) ?? ""
        advice = row.dropFirst(head.utf8.count + 2)
    }
}

extension ProblemCode {
    /// The code as programs read it.
    public var text: String { rawValue.code }
}
