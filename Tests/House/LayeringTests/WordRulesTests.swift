import Testing

@Suite("Words") struct WordRulesTests {
    private static let twentySix = Array(repeating: "word", count: 26).joined(separator: " ")

    /// Texts with one fault each: the fault's line and words of its message.
    static let planted: [(text: String, line: Int, words: String)] = [
        ("/// What is known of it.\nlet a = 1\n", 1, "begins with What"),
        ("let a = 1\n// Of both the later one.\n", 2, "begins with Of"),
        ("    /// Whoever asks gets it.\n", 1, "begins with Whoever"),
        ("/// It is so. What follows\n/// is more.\n", 1, "begins with What"),
        ("/// - Parameter at: what the clock shows.\n", 1, "begins with what"),
        ("/// \(twentySix).\n", 1, "26 words"),
        ("/// Short.\n///\n/// \(twentySix)\n/// and more.\n", 3, "28 words"),
        ("func " + "take(_ line: Int) {}\n", 1, "take"),
        ("struct A {\n    private mutating func " + "tellOthers() {}\n}\n", 2, "tellOthers"),
        ("static func " + "say<Value>(_ value: Value) {}\n", 1, "say"),
    ]

    @Test("Each planted fault is found in its line, and nothing else", arguments: planted)
    func found(text: String, line: Int, words: String) throws {
        let faults = WordRules(text).faults
        #expect(faults.count == 1, "\(faults)")
        let fault = try #require(faults.first)
        #expect(fault.line == line)
        #expect(fault.problem.contains(words), "\(fault.problem)")
    }

    @Test(
        "Samples, tables, code spans, abbreviations and similar words are not faults",
        arguments: [
            "///     What = \(twentySix)\n", "/// ```\n/// What a sample.\n/// ```\n",
            "/// | What | is it |\n",
            "/// It is `a b c d e f g h i j k l m n o p q r s t u v w x y z`.\n",
            "// e.g. \(Array(repeating: "word", count: 24).joined(separator: " ")).\n",
            "func taken() {}\nfunc telling() {}\nfunc sayings() {}\nfunc retake() {}\n",
            "let a = \"\"\"\n    // What is in a text.\n    \"\"\"\n",
            "/// Whatever. Offers. Whatsoever.\n",
            "let a = \"func " + "take()\"\n",
        ])
    func quiet(text: String) {
        #expect(WordRules(text).faults.isEmpty)
    }
}
