/// Reads a Swift file once for its words outside of comments and the lengths of its functions.
///
/// Words in strings count, because an interpolation is code. A regular expression between slashes
/// is treated as a string.
struct SourceScanner {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private(set) var words: Set<String> = []
    private(set) var functions: [SourceFile.Function] = []

    /// The open braces. A function's brace has the line in which the function begins.
    private var braces: [Int?] = []
    private var parentheses = 0
    /// The number of open braces before each brace.
    private var outer: [Int] = []
    /// A function whose body has not begun: its line, and the number of open braces.
    private var awaited: (line: Int, braces: Int)?
    /// The last byte that was not a space.
    private var last: UInt8 = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func run() {
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                position += 1
            case UInt8(ascii: "/") where next == UInt8(ascii: "/"): skipLine()
            case UInt8(ascii: "/") where next == UInt8(ascii: "*"): skipBlock()
            case UInt8(ascii: "/") where beginsExpression: skip(to: [byte])
            case UInt8(ascii: "#") where next == UInt8(ascii: "/"): skip(to: Array("/#".utf8))
            case UInt8(ascii: "#") where next == UInt8(ascii: "\""): skip(to: Array("\"#".utf8))
            case UInt8(ascii: "\""): skipString()
            case _ where Self.isWord(byte): readWord()
            default: readSign(byte)
            }
            if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\n") { last = byte }
        }
    }

    private var next: UInt8 { position + 1 < bytes.count ? bytes[position + 1] : 0 }

    private static func isWord(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
            || byte == UInt8(ascii: "_") || byte >= 128
    }

    /// Whether a slash begins a regular expression here. It must follow `(`, `,`, `=`, `:` or `[`,
    /// and be closed in the same line.
    private var beginsExpression: Bool {
        guard Array("(,=:[".utf8).contains(last), next != UInt8(ascii: " ") else { return false }
        for byte in bytes[(position + 1)...] {
            if byte == UInt8(ascii: "\n") { return false }
            if byte == UInt8(ascii: "/") { return true }
        }
        return false
    }

    private mutating func skipLine() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    }

    private mutating func skipBlock() {
        position += 2
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "*"), next == UInt8(ascii: "/") { break }
            if bytes[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
        position += 2
    }

    private mutating func skipString() {
        let three = bytes[position...].starts(with: Array("\"\"\"".utf8))
        skip(to: Array((three ? "\"\"\"" : "\"").utf8))
    }

    /// Skips a literal to its end and collects the words in it.
    private mutating func skip(to end: [UInt8]) {
        position += end.count
        while position < bytes.count {
            let byte = bytes[position]
            if byte == end[0], bytes[position...].starts(with: end) { break }
            if byte == UInt8(ascii: "\n") { line += 1 }
            if Self.isWord(byte) {
                scanWord()
            } else if byte == UInt8(ascii: "\\"), end.count != 2, next != UInt8(ascii: "(") {
                position += 2
            } else if byte == UInt8(ascii: "\\"), end == [UInt8(ascii: "\"")] {
                skipInterpolation()
            } else {
                position += 1
            }
        }
        position += end.count
    }

    /// Skips an interpolation, which may contain strings.
    private mutating func skipInterpolation() {
        position += 2
        var depth = 1
        while position < bytes.count, depth > 0 {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                skipString()
            } else if Self.isWord(byte) {
                scanWord()
            } else {
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                if byte == UInt8(ascii: "\n") { line += 1 }
                position += 1
            }
        }
    }

    @discardableResult private mutating func scanWord() -> String {
        let start = position
        while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        words.insert(word)
        return word
    }

    private mutating func readWord() {
        let (before, begun) = (last, line)
        let word = scanWord()
        let isMember = before == UInt8(ascii: ".")
        if ["func", "init", "deinit", "subscript"].contains(word), !isMember, parentheses == 0 {
            awaited = (begun, braces.count)
        } else if parentheses == 0, Self.declaring.contains(word) {
            // The function before had no body, since a protocol declares it.
            awaited = nil
        }
    }

    private static let declaring: Set<String> = [
        "var", "let", "case", "struct", "class", "enum", "extension", "protocol", "actor",
    ]

    private mutating func readSign(_ byte: UInt8) {
        position += 1
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "["): parentheses += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"): parentheses -= 1
        case UInt8(ascii: "{"):
            let begins = awaited.map { $0.braces == braces.count && parentheses == 0 } == true
            braces.append(begins ? awaited?.line : nil)
            if begins { awaited = nil }
            outer.append(parentheses)
            parentheses = 0
        case UInt8(ascii: "}"):
            if let awaited, awaited.braces == braces.count { self.awaited = nil }
            if let begun = braces.popLast() ?? nil {
                functions.append(.init(line: begun, length: line - begun + 1))
            }
            parentheses = outer.popLast() ?? 0
        default: break
        }
    }
}
