/// A table of comma-separated values (RFC 4180): a header, then rows; fields may be quoted, and
/// quoted ones may hold commas, quotes written twice, and line breaks.
///
/// Spreadsheets take a field for a formula that begins with one of a few signs, and run it. What is
/// written here has an apostrophe before such a field, which they take for the sign of a text, and
/// which is taken away again where a table is read. Numbers may begin with a sign.
public struct DelimitedTable: Hashable, Sendable {
    public struct Row: Hashable, Sendable {
        /// Where it begins in the file, from 1.
        public var line: Int
        /// As many as the header has.
        public var fields: [String]

        public init(line: Int, fields: [String]) {
            self.line = line
            self.fields = fields
        }
    }

    public var header: [String]
    public var rows: [Row]

    public init(header: [String], rows: [Row] = []) {
        self.header = header
        self.rows = rows
    }

    /// Rows and fields of a table, at most: each takes memory, however few its bytes are.
    private static let mostRows = 200_000
    private static let mostFields = 4_000_000

    /// Reads a table. A byte order mark is passed over, lines may end in LF or CRLF, empty lines
    /// are left out.
    public init(_ text: String) throws(TableFault) { try self.init(utf8: Array(text.utf8)) }

    /// Reads a table of text in UTF-8; bytes that are none become U+FFFD.
    public init(utf8 bytes: [UInt8]) throws(TableFault) {
        var reader = Reader(bytes)
        guard let header = try reader.next() else {
            throw TableFault(line: 1, "there is no header")
        }
        self.header = header.fields
        for (index, name) in header.fields.enumerated() where header.fields[..<index].contains(name)
        {
            throw TableFault(line: 1, "the column \(shown(name)) is there twice")
        }
        rows = []
        while let row = try reader.next() {
            guard row.fields.count == header.fields.count else {
                let detail =
                    "\(row.fields.count) fields, where the header has \(header.fields.count)"
                throw TableFault(line: row.line, detail)
            }
            rows.append(row)
            guard rows.count <= Self.mostRows, rows.count * header.fields.count <= Self.mostFields
            else {
                let limits = "\(Self.mostRows) rows or \(Self.mostFields) fields"
                throw TableFault(line: row.line, "the table has over \(limits)")
            }
        }
    }

    /// As text, with CRLF at the ends of lines.
    public var text: String {
        ([header] + rows.map(\.fields)).map { fields in
            fields.map { Self.quoted(Self.disarmed($0)) }.joined(separator: ",") + "\r\n"
        }.joined()
    }

    /// The field as a spreadsheet takes it for a text. Where its user's lists are parted by
    /// semicolons, it parts lines at those, quoted or not, so each part is a field.
    static func disarmed(_ field: String) -> String {
        eachPart(field) { isFormula($0) && Double($0) == nil ? "'" + $0 : $0 }
    }

    /// What `disarmed` made the text of.
    static func armed(_ text: String) -> String {
        eachPart(text) { $0.hasPrefix("'") && isFormula($0) ? String($0.dropFirst()) : $0 }
    }

    private static func eachPart(_ text: String, _ change: (String) -> String) -> String {
        guard text.utf8.contains(UInt8(ascii: ";")) else { return change(text) }
        return text.split(separator: ";", omittingEmptySubsequences: false)
            .map { change(String($0)) }.joined(separator: ";")
    }

    /// Whether it is one, but for apostrophes before it: the text of one must come back too.
    private static func isFormula(_ field: String) -> Bool {
        let first = field.unicodeScalars.first { $0 != "'" }
        return first.map(formulaStarts.contains) ?? false
    }

    /// Some spreadsheets take full-width signs and what a tab or a line break hides as well.
    private static let formulaStarts: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]

    private static func quoted(_ field: String) -> String {
        let special: Set<UInt8> = [
            UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"),
        ]
        guard field.utf8.contains(where: special.contains) else { return field }
        var quoted = "\""
        for character in field.unicodeScalars {
            if character == "\"" { quoted.unicodeScalars.append("\"") }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }

    private struct Reader {
        private static let mostFields = 1_000
        private let bytes: [UInt8]
        private var place: Int
        private var line = 1

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            place = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        }

        mutating func next() throws(TableFault) -> Row? {
            while place < bytes.count {
                if bytes[place] == UInt8(ascii: "\n") {
                    place += 1
                    line += 1
                    continue
                }
                let start = line
                let fields = try row()
                if fields != [""] { return Row(line: start, fields: fields) }
            }
            return nil
        }

        private mutating func row() throws(TableFault) -> [String] {
            var fields: [String] = []
            while true {
                fields.append(DelimitedTable.armed(try field()))
                guard fields.count <= Self.mostFields else {
                    throw TableFault(line: line, "more than \(Self.mostFields) fields")
                }
                guard place < bytes.count else { return fields }
                let separator = bytes[place]
                place += 1
                if separator == UInt8(ascii: ",") { continue }
                if separator == UInt8(ascii: "\r") {
                    guard place < bytes.count, bytes[place] == UInt8(ascii: "\n") else {
                        throw TableFault(line: line, "a carriage return without a line feed")
                    }
                    place += 1
                }
                line += 1
                return fields
            }
        }

        /// Up to the next comma or line break, which stays.
        private mutating func field() throws(TableFault) -> String {
            guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else {
                let start = place
                while place < bytes.count, !Self.endsField(bytes[place]) {
                    guard bytes[place] != UInt8(ascii: "\"") else {
                        throw TableFault(line: line, "a quote within a field without quotes")
                    }
                    place += 1
                }
                return String(decoding: bytes[start..<place], as: UTF8.self)
            }
            let start = line
            place += 1
            var content: [UInt8] = []
            while place < bytes.count {
                let byte = bytes[place]
                place += 1
                if byte == UInt8(ascii: "\n") { line += 1 }
                guard byte == UInt8(ascii: "\"") else {
                    content.append(byte)
                    continue
                }
                guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else {
                    guard place == bytes.count || Self.endsField(bytes[place]) else {
                        throw TableFault(line: line, "text after the closing quote")
                    }
                    return String(decoding: content, as: UTF8.self)
                }
                content.append(byte)
                place += 1
            }
            throw TableFault(line: start, "a quote that is never closed")
        }

        private static func endsField(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        }
    }
}

/// What is wrong with a table, and where.
public struct TableFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    public var line: Int
    public var detail: String

    public init(line: Int, _ detail: String) {
        self.line = line
        self.detail = detail
    }

    public var description: String { "line \(line): \(detail)" }
}

/// A text from outside, short and printable.
func shown(_ text: String) -> String { String(cleaned(text).prefix(64)) }
