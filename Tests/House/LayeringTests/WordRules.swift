/// Checks the comments and function names of a Swift file against the rules of docs/words.md.
///
/// Only comments on lines of their own count. Tables and samples in fences or indented by four are
/// left out.
struct WordRules {
    /// A broken rule, with the line in which the sentence or the name begins.
    struct Fault: Hashable, Sendable {
        var line: Int
        var problem: String
    }

    static let mostWords = 25
    static let firstWords: Set<String> = ["what", "of", "whoever"]
    /// Words that end with a full stop but do not end a sentence.
    static let abbreviations: Set<String> = [
        "e.g.", "i.e.", "etc.", "vs.", "no.", "p.", "pp.", "fig.",
    ]

    private struct Word {
        var text: Substring
        var line: Int
    }

    private(set) var faults: [Fault] = []
    private var paragraph: [Word] = []
    private var isInFence = false
    private var isInText = false

    init(_ text: String) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            read(line.drop { $0 == " " }, number: index + 1)
        }
        endParagraph()
        faults.sort { $0.line < $1.line }
    }

    private mutating func read(_ line: Substring, number: Int) {
        guard line.hasPrefix("//"), !isInText else {
            endParagraph()
            isInFence = false
            checkFunctionName(line, number: number)
            let quotes = line.ranges(of: "\"\"\"").count
            if quotes % 2 == 1 { isInText.toggle() }
            return
        }
        let content = line.drop { $0 == "/" }
        let indent = content.prefix { $0 == " " }.count
        let body = content.dropFirst(indent)
        if body.hasPrefix("```") { isInFence.toggle() }
        let isSample = isInFence || body.hasPrefix("```") || (indent >= 4 && paragraph.isEmpty)
        let isMark = ["|", "MARK:", "swift-"].contains { body.hasPrefix($0) }
        if body.isEmpty || isSample || isMark { return endParagraph() }
        if let item = Self.listItem(body) {
            endParagraph()
            add(item, number: number)
        } else {
            add(body, number: number)
        }
    }

    /// The text of a list item, without the name that it describes.
    private static func listItem(_ body: Substring) -> Substring? {
        guard body.hasPrefix("- ") || body.hasPrefix("* ") else { return nil }
        let text = body.dropFirst(2)
        guard let colon = text.firstIndex(of: ":") else { return text }
        let isName = text[..<colon].split(separator: " ").count <= 2
        return isName ? text[text.index(after: colon)...] : text
    }

    private mutating func add(_ text: Substring, number: Int) {
        for piece in text.split(separator: " ") {
            // A code span counts as one word.
            if let last = paragraph.last, last.text.count(where: { $0 == "`" }) % 2 == 1 {
                paragraph[paragraph.count - 1].text += piece
            } else {
                paragraph.append(Word(text: piece, line: number))
            }
        }
    }

    private mutating func endParagraph() {
        var sentence: [Word] = []
        for word in paragraph {
            sentence.append(word)
            if Self.endsSentence(word.text) {
                check(sentence)
                sentence = []
            }
        }
        check(sentence)
        paragraph = []
    }

    private static func endsSentence(_ word: Substring) -> Bool {
        var core = word
        while let last = core.last, ")\"'*_".contains(last) { core.removeLast() }
        guard let last = core.last, ".?!".contains(last) else { return false }
        return !abbreviations.contains(core.lowercased().trimmingPrefix("(").description)
            && !core.hasSuffix("..")
    }

    private mutating func check(_ sentence: [Word]) {
        let words = sentence.filter { $0.text.contains { $0.isLetter || $0.isNumber } }
        guard let first = words.first else { return }
        let start = first.text.drop { !$0.isLetter && $0 != "`" }.prefix { $0.isLetter }
        if Self.firstWords.contains(start.lowercased()) {
            faults.append(Fault(line: first.line, problem: "a sentence begins with \(start)"))
        }
        if words.count > Self.mostWords {
            faults.append(
                Fault(
                    line: first.line,
                    problem: "a sentence has \(words.count) words; \(Self.mostWords) is the most"))
        }
    }

    private mutating func checkFunctionName(_ line: Substring, number: Int) {
        guard !isInText, let start = line.firstRange(of: "func "),
            !line[..<start.lowerBound].contains("\"")
        else { return }
        let name = line[start.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        for verb in ["take", "tell", "say"] where name.hasPrefix(verb) {
            // Names such as `taken` and `sayings` only begin like the verbs.
            guard name.dropFirst(verb.count).first?.isLowercase != true else { continue }
            faults.append(
                Fault(line: number, problem: "the function \(name) is named after \(verb)"))
        }
    }
}
