/// A row of the table of problems, split into its parts.
public struct ProblemRow: Equatable, Sendable, ExpressibleByStringLiteral {
    /// The usual HTTP status of the code; 500 for a code that HTTP never answers.
    public let status: Int
    /// A second status that the code has in some places. Older clients may rely on either.
    public let otherStatus: Int?
    /// The place where the code appears besides HTTP.
    public let place: Place?
    /// The code that programs rely on, such as `site-unknown`.
    public let code: String
    /// The advice what to do, in Markdown.
    public let advice: Substring
    /// Whether HTTP answers with this code.
    public let isAnswered: Bool

    public enum Place: String, Sendable {
        /// The code of a dead letter.
        case letter
        /// The code is printed by `whereabouts dead-letters apply`.
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
