import Events
import Site

@testable import SiteSearch

/// A slow and obvious search; the index must give the same results.
struct PlainSearch {
    let entries: [SearchEntry]

    /// The ids of all results in order, each with its match.
    func find(_ query: SearchQuery) -> [String] {
        let asked = SearchText(query.text).questionWords.prefix(SearchLimits.queryWords)
        let admitted = entries.filter { entry in
            if let floor = query.floor, !entry.floors.contains(floor) { return false }
            let names: [String] = [entry.kind.rawValue, entry.category ?? ""]
            return query.kinds.isEmpty || !query.kinds.isDisjoint(with: names)
                || isOfKind(entry, query.kinds)
        }
        var known: [[SearchWord]: WordMatch?] = [:]
        let match = { (asked: SearchWord, word: SearchWord) in
            if let match = known[[asked, word]] { return match }
            let match = plainMatch(asked, word)
            known[[asked, word]] = match
            return match
        }
        let numbers = asked.filter { $0.contains(where: \.hasDigit) }
        let rated = admitted.filter { entry in
            numbers.isEmpty
                || numbers.contains { penalty(of: entry, $0, query.language, match) != nil }
        }.map { entry in
            (entry, asked.compactMap { penalty(of: entry, $0, query.language, match) })
        }
        let most = rated.map(\.1.count).max() ?? 0
        guard most > 0 else { return [] }
        let kinds = SearchEntry.Kind.allCases
        return rated.filter { $0.1.count == most }.map { entry, penalties in
            let names: [String] = [entry.name] + entry.names.byLanguage.values
            let shortest = names.map { SearchText($0).wordCount }.min() ?? 0
            let order: [Int] = [
                penalties.reduce(0, +), max(0, shortest - most), kinds.firstIndex(of: entry.kind)!,
            ]
            let texts: [String] = [entry.name, entry.floors.first?.text ?? "", entry.id]
            return (order, texts, "\(entry.kind) \(entry.id)")
        }.sorted { left, right in
            left.0 == right.0
                ? left.1.lexicographicallyPrecedes(right.1)
                : left.0.lexicographicallyPrecedes(right.0)
        }.map(\.2)
    }

    private func penalty(
        of entry: SearchEntry, _ ways: [SearchWord], _ language: String?,
        _ match: (SearchWord, SearchWord) -> WordMatch?
    ) -> Int? {
        var texts = [(entry.name, language == nil ? 0 : 1)]
        for (tag, name) in entry.names.byLanguage {
            texts.append((name, language.map { isSameLanguage($0, tag) } == true ? 0 : 2))
        }
        texts += entry.extraTexts.map { ($0, 3) }
        return texts.flatMap { text, cost in
            SearchText(text).nameWords.flatMap { word in
                ways.compactMap { way -> Int? in
                    guard let found = match(way, word) else { return nil }
                    if cost == 3, way.letters.count < 6, !found.isWithoutSlips { return nil }
                    return 4 * found.grade + cost
                }
            }
        }.min()
    }
}

/// Whether the entry's category is one of the wanted kinds.
private func isOfKind(_ entry: SearchEntry, _ kinds: Set<String>) -> Bool {
    guard let category = entry.category else { return false }
    return kinds.contains { PlaceKind(category).satisfies(PlaceKind($0)) }
}

/// The match of the word, found by trying all its beginnings.
func plainMatch(_ asked: SearchWord, _ word: SearchWord) -> WordMatch? {
    var matches: [WordMatch] = []
    let whole = plainEdits(asked.letters, word.letters)
    if whole <= asked.forgivenEdits { matches.append(.whole(edits: whole)) }
    for length in 0..<word.letters.count {
        let edits = plainEdits(asked.letters, Array(word.letters.prefix(length)))
        if edits <= asked.forgivenPrefixEdits { matches.append(.prefix(edits: edits)) }
    }
    return matches.min { $0.grade < $1.grade }
}

/// Optimal string alignment by its recursive definition, over the full table.
func plainEdits(_ left: [UInt32], _ right: [UInt32]) -> Int {
    var table = [[Int]](
        repeating: [Int](repeating: 0, count: right.count + 1), count: left.count + 1)
    for row in 0...left.count {
        for column in 0...right.count {
            guard row > 0, column > 0 else {
                table[row][column] = row + column
                continue
            }
            let change = left[row - 1] == right[column - 1] ? 0 : 1
            var edits = min(
                table[row - 1][column] + 1, table[row][column - 1] + 1,
                table[row - 1][column - 1] + change)
            if row > 1, column > 1, left[row - 1] == right[column - 2],
                left[row - 2] == right[column - 1]
            {
                edits = min(edits, table[row - 2][column - 2] + 1)
            }
            table[row][column] = edits
        }
    }
    return table[left.count][right.count]
}
