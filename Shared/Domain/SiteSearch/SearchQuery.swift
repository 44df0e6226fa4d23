public import Events

/// A search for things of a site.
public struct SearchQuery: Hashable, Sendable {
    public var text: String
    /// BCP 47 tag of the reader's language: names in it come first. Nil for the plain names.
    public var language: String?
    /// The wanted kinds, such as room, and categories, such as toilet; empty for all.
    public var kinds: Set<String>
    /// Only things that are on this floor or stop there.
    public var floor: FloorID?
    /// The number of results on a page.
    public var limit: Int
    /// The end of the previous page; nil for the first page.
    public var after: SearchCursor?

    /// - Throws: `SearchFault` if the query exceeds `SearchLimits`.
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

/// The reason why a query is refused.
public enum SearchFault: String, Error, Hashable, Sendable {
    case queryTooLong = "query-too-long"
    case limitOutOfRange = "limit-out-of-range"
}

/// Limits of the work for one query.
public enum SearchLimits {
    /// The most Unicode scalars in a query.
    public static let queryScalars = 200
    /// The most words of a query that count; later ones are ignored.
    public static let queryWords = 12
    /// The most results on a page.
    public static let results = 100
    public static let ordinaryResults = 20
}

/// The place of a result in the order of all results of a query. It is valid for the same query on
/// the same index. For another version of the site, results may be missing or repeated.
public struct SearchCursor: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The penalty, the number of further words in the name, and the rank among equals, from the
    /// highest bits down.
    let key: UInt64

    init(key: UInt64) { self.key = key }

    /// Nil if the text was not written by `description`.
    public init?(_ text: String) {
        guard text.utf8.count <= 16, let key = UInt64(text, radix: 36) else { return nil }
        self.key = key
    }

    public var description: String { String(key, radix: 36) }

    public static func < (left: Self, right: Self) -> Bool { left.key < right.key }
}

/// One thing that was found.
public struct SearchResult: Hashable, Sendable {
    /// The quality of the match of the worst matching word.
    public enum Match: String, Hashable, Sendable, CaseIterable {
        /// The same word, apart from case and diacritics.
        case exact
        /// The query's word is the beginning of the entry's word.
        case prefix
        /// A word with one or two typing errors.
        case typo
        /// A word of the query is missing in this result and in all others.
        case partial
    }

    public var entry: SearchEntry
    public var match: Match
    public var cursor: SearchCursor
}

/// The best results, in order.
public struct SearchPage: Hashable, Sendable {
    public var results: [SearchResult]
    /// The cursor for the next page; nil if there is none.
    public var next: SearchCursor?
}
