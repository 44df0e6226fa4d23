import SeededRandomness
import Testing

@testable import SiteSearch

@Suite("Vocabulary") struct VocabularyTests {
    @Test("The vocabulary finds the words that comparing each one finds", arguments: 0..<15)
    func agreesWithTryingEach(seed: Int) {
        var random = SeededRandom(seed: seed)
        func word() -> SearchWord {
            let alphabet = Array("aabcd1".unicodeScalars.map(\.value))
            let length = Int.random(in: 1...10, using: &random)
            return SearchWord((0..<length).map { _ in alphabet.randomElement(using: &random)! })
        }
        let words = Set((0..<100).map { _ in word() }).sorted()
        let vocabulary = Vocabulary(ascending: words)
        for asked in (0..<12).map({ _ in word() }) + words.prefix(10) {
            var found: [SearchWord: WordMatch] = [:]
            vocabulary.forEachMatch(of: asked) { index, match in
                #expect(found.updateValue(match, forKey: words[index]) == nil)
            }
            let expected = words.compactMap { word in
                plainMatch(asked, word).map { (word, $0.grade) }
            }
            #expect(
                found.mapValues(\.grade) == Dictionary(uniqueKeysWithValues: expected))
        }
    }

    @Test(
        "Edits are counted as a person would count them",
        arguments: [
            ("library", "libary", 1), ("library", "lirbary", 1), ("library", "library", 0),
            ("toilet", "tiolet", 1), ("café", "cafe", 1), ("abc", "cab", 2), ("", "ab", 2),
        ])
    func edits(left: String, right: String, edits: Int) {
        func letters(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }
        #expect(plainEdits(letters(left), letters(right)) == edits)
    }

    @Test("An empty vocabulary and an empty word find nothing")
    func empty() {
        for vocabulary in [Vocabulary(ascending: []), Vocabulary(ascending: [SearchWord("a")])] {
            vocabulary.forEachMatch(of: SearchWord("")) { _, _ in Issue.record("found") }
        }
        Vocabulary(ascending: []).forEachMatch(of: SearchWord("a")) { _, _ in
            Issue.record("found")
        }
    }
}
