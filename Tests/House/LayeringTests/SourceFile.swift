/// The facts about one file that the rules need, determined once.
struct SourceFile: Sendable {
    /// A function with the line of its beginning, counted from 1.
    struct Function: Sendable {
        let line: Int
        let length: Int
    }

    let lineCount: Int
    let longLines: [Int]
    let imports: [String]
    /// The names of top-level types that other modules can use.
    let publicTypes: [String]
    /// The names of all declarations that other modules can use.
    let publicNames: [String]
    /// The words in declarations for other modules and in enumerations' cases. A type that occurs
    /// there must be visible outside, too.
    let publicWords: Set<String>
    /// The names that the file's protocols require.
    let requirements: Set<String>
    /// All words outside of comments.
    let words: Set<String>
    let functions: [Function]
    /// Whether the file makes a problem without a code of the table.
    let givesStatus: Bool
    let wordFaults: [WordRules.Fault]

    init(_ text: String, isSwift: Bool) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        lineCount = lines.count - 1
        guard isSwift else {
            (longLines, imports, publicTypes, publicNames) = ([], [], [], [])
            (publicWords, requirements, words, functions) = ([], [], [], [])
            givesStatus = false
            wordFaults = []
            return
        }
        longLines = lines.indices.filter {
            // The bytes are counted first, because a line has at least as many bytes as characters.
            lines[$0].utf8.count > LayeringRules.longestLineColumns
                && lines[$0].count > LayeringRules.longestLineColumns
        }.map { $0 + 1 }
        imports = lines.compactMap(Self.imported)
        let declared = lines.compactMap(Declaration.init)
        publicTypes = declared.filter { $0.isPublic && $0.isType && $0.indentation == 0 }.map(
            \.name)
        publicNames = declared.filter { $0.isPublic && $0.kind != "init" }.map(\.name)
        publicWords = Self.publicWords(lines)
        requirements = Self.requirements(lines)
        var scanner = SourceScanner(text)
        scanner.run()
        words = scanner.words
        functions = scanner.functions
        wordFaults = WordRules(text).faults
        // The words are looked up first, because matching is slow.
        givesStatus =
            words.isSuperset(of: ["Problem", "status"]) && text.contains(/Problem\(\s*status:/)
    }

    /// The module of an import line, whatever comes before or after the keyword.
    private static func imported(_ line: Substring) -> String? {
        // Looking at the first letter saves nearly all of the slow splitting.
        guard let first = line.utf8.first(where: { $0 != UInt8(ascii: " ") }),
            "@fip".utf8.contains(first)
        else { return nil }
        var words = line.split(separator: " ")[...]
        while let word = words.first, word.hasPrefix("@") || accesses.contains(word) {
            words.removeFirst()
        }
        guard words.popFirst() == "import" else { return nil }
        if let word = words.first, Declaration.kinds.contains(word) { words.removeFirst() }
        return words.first.map { String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
    }

    private static let accesses: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private",
    ]

    /// The words in public declarations. A declaration's own name counts only if it occurs there
    /// twice.
    private static func publicWords(_ lines: [Substring]) -> Set<String> {
        var words: Set<String> = []
        var isOpen = false
        for line in lines {
            let declaration = Declaration(line)
            isOpen = isOpen || declaration?.isPublic == true
            let isCase = line.drop { $0 == " " }.hasPrefix("case ")
            guard isOpen || isCase else { continue }
            var isNamed = declaration?.isPublic != true
            for word in line.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                if !isNamed, word == declaration?.name ?? "" {
                    isNamed = true
                } else if word.first?.isUppercase == true || isValue(word, in: line) {
                    words.insert(String(word))
                }
            }
            if line.hasSuffix("{") || line.hasSuffix("}") || line.isEmpty { isOpen = false }
        }
        return words
    }

    /// Whether the word is a default value or part of one.
    private static func isValue(_ word: Substring, in line: Substring) -> Bool {
        let before = line[..<word.startIndex]
        return before.hasSuffix(".") || before.hasSuffix("= ")
    }

    /// The names declared in the bodies of protocols.
    private static func requirements(_ lines: [Substring]) -> Set<String> {
        var names: Set<String> = []
        var isInside = false
        for line in lines {
            if line.contains("protocol "), line.hasSuffix("{") { isInside = true }
            if line == "}" { isInside = false }
            guard isInside, let declaration = Declaration(line) else { continue }
            names.insert(declaration.name)
        }
        return names
    }
}

/// A line that declares something.
private struct Declaration {
    let name: String
    let kind: String
    let isPublic: Bool
    let indentation: Int

    var isType: Bool {
        ["struct", "class", "enum", "protocol", "actor", "typealias"].contains(kind)
    }

    static let kinds: Set<Substring> = [
        "struct", "class", "enum", "protocol", "actor", "typealias", "func", "var", "let", "init",
        "subscript",
    ]
    private static let modifiers: Set<Substring> = [
        "public", "package", "open", "final", "indirect", "static", "mutating", "nonmutating",
        "nonisolated", "override", "consuming", "convenience", "required", "unowned", "weak",
        "lazy", "nonisolated(unsafe)", "private(set)", "fileprivate(set)", "internal(set)",
        "internal", "private", "fileprivate", "isolated", "distributed", "borrowing",
    ]

    init?(_ line: Substring) {
        let indentation = line.prefix { $0 == " " }.count
        var words = line.dropFirst(indentation).split(separator: " ")[...]
        while let first = words.first, first.hasPrefix("@") { words.removeFirst() }
        var isPublic = false
        while let first = words.first, Self.modifiers.contains(first) {
            isPublic = isPublic || first == "public" || first == "package" || first == "open"
            words.removeFirst()
        }
        // `class func` and `class var` begin with a modifier.
        guard let kind = words.first.map({ $0.prefix { $0.isLetter } }), Self.kinds.contains(kind)
        else { return nil }
        let rest = kind == words.first ? words.dropFirst().first ?? "" : ""
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        guard !name.isEmpty || kind == "init" else { return nil }
        self.name = String(name)
        self.kind = String(kind)
        self.isPublic = isPublic
        self.indentation = indentation
    }
}
