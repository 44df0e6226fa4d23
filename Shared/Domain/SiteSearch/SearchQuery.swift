public import Events

/// What somebody looks for.
public struct SearchQuery: Hashable, Sendable {
    public var text: String
    /// BCP 47 tag of the reader's language: names in it come first. Nil for the plain names.
    public var language: String?
    /// Kinds, such as room, and categories, such as toilet, that will do; empty for all.
    public var kinds: Set<String>
    /// Only what is on this floor or stops there.
    public var floor: FloorID?
    /// Results on a page.
    public var limit: Int
    /// Where the page before this one ended.
    public var after: SearchCursor?

    /// - Throws: `SearchFault` for what exceeds `SearchLimits`.
    public init(
        _ text: String, language: String? = nil, kinds: Set<String> = [],
        floor: FloorID? = nil, limit: Int = SearchLimits.ordinaryResults,
        after: SearchCursor? = nil
    ) throws(SearchFault) {
        guard text.unicodeScalars.count <= SearchLimits.queryScalars else {
            throw .queryTooLong
        }
        guard (1...SearchLimits.results).contains(limit) else { throw .limitOutOfRange }
        self.text = text
        self.language = language
        self.kinds = kinds
        self.floor = floor
        self.limit = limit
        self.after = after
    }
}

/// Why a query is not answered.
public enum SearchFault: String, Error, Hashable, Sendable {
    case queryTooLong = "query-too-long"
    case limitOutOfRange = "limit-out-of-range"
}

/// Bounds on what a question can cost.
public enum SearchLimits {
    /// Unicode scalars of a query.
    public static let queryScalars = 200
    /// Words of a query that count; later ones are left out.
    public static let queryWords = 12
    /// Results on a page.
    public static let results = 100
    public static let ordinaryResults = 20
}

/// A result's place in the order of all results of a query. It is of use for the same query on the
/// same index; for another version of the site it may leave out or repeat some.
public struct SearchCursor: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Penalty, words of the name not asked for, and standing among equals, from the highest bits
    /// down.
    let key: UInt64

    init(key: UInt64) { self.key = key }

    /// Nil when the text is none that `description` wrote.
    public init?(_ text: String) {
        guard text.utf8.count <= 16, let key = UInt64(text, radix: 36) else { return nil }
        self.key = key
    }

    public var description: String { String(key, radix: 36) }

    public static func < (left: Self, right: Self) -> Bool { left.key < right.key }
}

/// One thing that was found.
public struct SearchResult: Hashable, Sendable {
    /// How the worst of its words agrees with what was asked for.
    public enum Match: String, Hashable, Sendable, CaseIterable {
        /// As it was asked for, but for case and diacritics.
        case exact
        /// The word goes on.
        case prefix
        /// But for a slip of the keyboard or two.
        case typo
        /// It lacks a word that was asked for, and so does everything else.
        case partial
    }

    public var entry: SearchEntry
    public var match: Match
    public var cursor: SearchCursor
}

/// The best results, in order.
public struct SearchPage: Hashable, Sendable {
    public var results: [SearchResult]
    /// What to ask for the next page with; nil when there is none.
    public var next: SearchCursor?
}
