import Events
import Site

/// Finds the things of a site by any of their names, in any language, with typing errors and
/// half-typed words.
///
/// A search finds those entries that match the most words of the query. A word that no entry has,
/// such as please, makes each result a partial one. If the query has numbers, each result must have
/// one of them.
///
/// Each word adds a penalty to an entry. It depends first on the quality of the match, then on the
/// kind of text (name or extra text), then on the name's language. Equal sums are sorted by the
/// number of further words in the name, then by kind, name, floor and id. The same index always
/// gives the same answer.
public struct SearchIndex: Sendable {
    public let entries: [SearchEntry]
    let vocabulary: Vocabulary
    /// The postings of word w are `postings[postingStarts[w]..<postingStarts[w + 1]]`.
    let postingStarts: [Int32]
    let postings: [Posting]
    /// The language tags of all names.
    let languages: [String]
    /// For each entry its rank among equally good ones, and the entry of each rank.
    let standings: [UInt32]
    let entryByStanding: [Int32]
    /// For each entry, the number of words in its shortest name.
    let nameLengths: [UInt8]

    public init(_ entries: [SearchEntry]) {
        var builder = SearchIndexBuilder()
        for (number, entry) in entries.enumerated() { builder.add(entry, number: number) }
        self.entries = entries
        let order = SearchIndexBuilder.order(of: entries)
        entryByStanding = order
        var standings = [UInt32](repeating: 0, count: entries.count)
        for (standing, entry) in order.enumerated() { standings[Int(entry)] = UInt32(standing) }
        self.standings = standings
        languages = builder.languages
        nameLengths = builder.nameLengths
        (vocabulary, postingStarts, postings) = builder.finish()
    }

    /// The least length of a kind, an id or another extra text that is matched with typing errors.
    static let longExtraWord = 6

    /// The number of different words in all entries.
    public var wordCount: Int { vocabulary.words.count }

    public func find(_ query: SearchQuery) -> SearchPage {
        let asked = SearchText(query.text).questionWords.prefix(SearchLimits.queryWords)
        guard !asked.isEmpty else { return SearchPage(results: [], next: nil) }
        var tally = Tally(entryCount: entries.count)
        let languageRanks = languageRanks(for: query.language)
        for ways in asked {
            for word in ways { addMatches(of: word, languageRanks, into: &tally) }
            tally.endWord(isNumber: ways.contains(where: \.hasDigit))
        }
        let kinds = query.kinds.map { PlaceKind($0) }
        let hasNumbers = asked.contains { $0.contains(where: \.hasDigit) }
        let admitted = tally.touched.filter { number in
            admits(query, kinds, entries[Int(number)])
                && (!hasNumbers || tally.hasNumber(Int(number)))
        }
        let most = admitted.map { tally.matchedWords(Int($0)) }.max() ?? 0
        var best = SmallestKeys(count: query.limit + 1)
        for number in admitted.lazy.map({ Int($0) }) where tally.matchedWords(number) == most {
            let key = key(of: number, tally)
            if let after = query.after, key <= after.key { continue }
            best.offer(key)
        }
        let keys = best.finish()
        let results = keys.prefix(query.limit).map { key in
            let number = Int(entryByStanding[Int(key & UInt64(UInt32.max))])
            return SearchResult(
                entry: entries[number],
                match: most < asked.count ? .partial : tally.worstMatch(number),
                cursor: SearchCursor(key: key))
        }
        let hasMore = keys.count > query.limit
        return SearchPage(results: results, next: hasMore ? results.last?.cursor : nil)
    }

    private func addMatches(
        of word: SearchWord, _ languageRanks: [UInt16], into tally: inout Tally
    ) {
        vocabulary.forEachMatch(of: word) { index, match in
            let grade = UInt16(match.grade)
            for posting in postings[Int(postingStarts[index])..<Int(postingStarts[index + 1])] {
                let source = posting.source
                // A typing error in a short kind or id makes another word: lift and gift.
                if source.isExtra, !match.isWithoutSlips, word.letters.count < Self.longExtraWord {
                    continue
                }
                let rank = languageRanks[Int(source.language)]
                let penalty = grade * Penalty.grade + (source.isExtra ? Penalty.extra : rank)
                tally.add(penalty, to: Int(posting.entry))
            }
        }
    }

    /// The penalty of a name, for plain names and for each language.
    private func languageRanks(for language: String?) -> [UInt16] {
        guard let language else { return [0] + languages.map { _ in Penalty.otherLanguage } }
        return [Penalty.plainName]
            + languages.map { isSameLanguage($0, language) ? 0 : Penalty.otherLanguage }
    }

    /// Categories are compared as kinds of one vocabulary: toilets are found as toilet.
    private func admits(
        _ query: SearchQuery, _ kinds: [PlaceKind], _ entry: SearchEntry
    ) -> Bool {
        (query.kinds.isEmpty || query.kinds.contains(entry.kind.rawValue)
            || entry.category.map { category in
                query.kinds.contains(category)
                    || kinds.contains { PlaceKind(category).satisfies($0) }
            } ?? false)
            && (query.floor.map(entry.floors.contains) ?? true)
    }

    private func key(of entry: Int, _ tally: Tally) -> UInt64 {
        let unasked = max(0, Int(nameLengths[entry]) - tally.matchedWords(entry))
        return UInt64(tally.penalty(entry)) << 40 | UInt64(unasked) << 32
            | UInt64(standings[entry])
    }
}

/// The penalty of one word. The grade of the match outweighs the rest.
enum Penalty {
    static let plainName: UInt16 = 1
    static let otherLanguage: UInt16 = 2
    static let extra: UInt16 = 3
    static let grade: UInt16 = 4
}

/// One occurrence of a word in an entry's texts.
struct Posting: Hashable, Sendable {
    /// The text that the word is from.
    struct Source: Hashable, Sendable {
        /// 0 for the plain name, otherwise the index in `SearchIndex.languages` plus 1.
        var language: UInt16
        var isExtra: Bool
    }

    var entry: Int32
    var source: Source
}

/// The penalties of all entries, summed up word by word.
private struct Tally {
    private static let none = UInt16.max
    /// The penalties for the current word.
    private var current: [UInt16]
    private var currentEntries: [Int32] = []
    private var sums: [UInt16]
    private var worst: [UInt16]
    private var counts: [UInt8]
    private var withNumbers: Set<Int32> = []
    /// Entries that match at least one word, each once.
    private(set) var touched: [Int32] = []

    init(entryCount: Int) {
        current = [UInt16](repeating: Self.none, count: entryCount)
        sums = [UInt16](repeating: 0, count: entryCount)
        worst = sums
        counts = [UInt8](repeating: 0, count: entryCount)
    }

    /// If an entry matches the word in several ways, the best one counts.
    mutating func add(_ penalty: UInt16, to entry: Int) {
        let known = current[entry]
        if known == Self.none { currentEntries.append(Int32(entry)) }
        if penalty < known { current[entry] = penalty }
    }

    mutating func endWord(isNumber: Bool) {
        if isNumber { withNumbers.formUnion(currentEntries) }
        for number in currentEntries {
            let entry = Int(number)
            if counts[entry] == 0 { touched.append(number) }
            counts[entry] += 1
            sums[entry] += current[entry]
            worst[entry] = max(worst[entry], current[entry])
            current[entry] = Self.none
        }
        currentEntries.removeAll(keepingCapacity: true)
    }

    func matchedWords(_ entry: Int) -> Int { Int(counts[entry]) }
    func hasNumber(_ entry: Int) -> Bool { withNumbers.contains(Int32(entry)) }
    func penalty(_ entry: Int) -> UInt16 { sums[entry] }

    func worstMatch(_ entry: Int) -> SearchResult.Match {
        switch worst[entry] / Penalty.grade {
        case 0: .exact
        case 1: .prefix
        default: .typo
        }
    }
}

/// Collects the smallest of many keys without storing all of them.
private struct SmallestKeys {
    private let count: Int
    private var kept: [UInt64] = []
    private var bound = UInt64.max

    init(count: Int) {
        self.count = count
        kept.reserveCapacity(2 * count)
    }

    mutating func offer(_ key: UInt64) {
        guard key < bound else { return }
        kept.append(key)
        if kept.count >= 2 * count { trim() }
    }

    consuming func finish() -> [UInt64] {
        trim()
        return kept
    }

    private mutating func trim() {
        kept.sort()
        guard kept.count > count else { return }
        kept.removeLast(kept.count - count)
        bound = kept[count - 1]
    }
}
