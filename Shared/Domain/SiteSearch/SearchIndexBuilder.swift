import Events
import Site

/// Collects the words of all entries.
struct SearchIndexBuilder {
    private(set) var languages: [String] = []
    private(set) var nameLengths: [UInt8] = []
    private var languageNumbers: [String: UInt16] = [:]
    private var wordNumbers: [SearchWord: Int] = [:]
    private var postingsByWord: [[Posting]] = []
    /// Caches the words of texts such as building names, which many entries have.
    private var wordsByExtraText: [String: [Int]] = [:]

    mutating func add(_ entry: SearchEntry, number: Int) {
        let plain = SearchText(entry.name)
        var length = plain.wordCount
        var words: [Int: Posting.Source] = [:]
        func note(_ found: some Sequence<Int>, _ source: Posting.Source) {
            for word in found where words[word] == nil { words[word] = source }
        }
        note(numbers(of: plain), Posting.Source(language: 0, isExtra: false))
        var postings = words.map { ($0.key, $0.value) }
        for (language, name) in entry.names.byLanguage.sorted(by: { $0.key < $1.key }) {
            let text = SearchText(name)
            length = min(length, text.wordCount)
            let source = Posting.Source(language: self.number(of: language), isExtra: false)
            // A word that several languages have is listed for each of them, since readers differ.
            for word in numbers(of: text) {
                postings.append((word, source))
                words[word] = source
            }
        }
        for text in entry.extraTexts {
            for word in extraNumbers(of: text) where words[word] == nil {
                let source = Posting.Source(language: 0, isExtra: true)
                words[word] = source
                postings.append((word, source))
            }
        }
        for (word, source) in postings {
            postingsByWord[word].append(Posting(entry: Int32(number), source: source))
        }
        nameLengths.append(UInt8(clamping: length))
    }

    consuming func finish() -> (Vocabulary, starts: [Int32], [Posting]) {
        let ascending = wordNumbers.sorted { $0.key < $1.key }
        var starts: [Int32] = [0]
        var postings: [Posting] = []
        for (_, number) in ascending {
            postings += postingsByWord[number]
            starts.append(Int32(postings.count))
        }
        return (Vocabulary(ascending: ascending.map(\.key)), starts, postings)
    }

    /// The order of equally good entries: by kind, name, first floor and id.
    static func order(of entries: [SearchEntry]) -> [Int32] {
        let kinds = Dictionary(
            uniqueKeysWithValues: SearchEntry.Kind.allCases.enumerated().map { ($1, $0) })
        let keys = entries.enumerated().map { number, entry in
            (
                kinds[entry.kind, default: 0], entry.name, entry.floors.first?.text ?? "",
                entry.id, number
            )
        }
        return keys.sorted { $0 < $1 }.map { Int32($0.4) }
    }

    private mutating func numbers(of text: SearchText) -> [Int] {
        text.nameWords.map { word in
            if let known = wordNumbers[word] { return known }
            let number = postingsByWord.count
            wordNumbers[word] = number
            postingsByWord.append([])
            return number
        }
    }

    private mutating func extraNumbers(of text: String) -> [Int] {
        if let known = wordsByExtraText[text] { return known }
        let numbers = numbers(of: SearchText(text))
        wordsByExtraText[text] = numbers
        return numbers
    }

    private mutating func number(of language: String) -> UInt16 {
        if let known = languageNumbers[language] { return known }
        languages.append(language)
        let number = UInt16(clamping: languages.count)
        languageNumbers[language] = number
        return number
    }
}
