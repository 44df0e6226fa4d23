/// A table of comma-separated values (RFC 4180): a header, then rows. Fields may be quoted; quoted
/// ones may contain commas, doubled quotes and line breaks.
///
/// A spreadsheet runs a field as a formula if it begins with one of a few characters. So such a
/// field is written with an apostrophe before it, which marks it as text for spreadsheets. Reading
/// a table removes the apostrophe. Numbers may begin with a sign.
public struct DelimitedTable: Hashable, Sendable {
    public struct Row: Hashable, Sendable {
        /// The line in the file where the row begins, from 1.
        public var line: Int
        /// The row's fields, as many as in the header.
        public var fields: [String]

        public init(line: Int, fields: [String]) {
            self.line = line
            self.fields = fields
        }
    }

    public var header: [String]
    public var rows: [Row]
    /// The faults of the lines that are no rows.
    private(set) var unread = TableFaults()

    public init(header: [String], rows: [Row] = []) {
        self.header = header
        self.rows = rows
    }

    /// The most rows and fields of a table. Each needs memory, however few bytes it has.
    private static let mostRows = 200_000
    private static let mostFields = 4_000_000

    /// Reads a table. A byte order mark is skipped, lines may end in LF or CRLF, and empty lines
    /// are left out.
    public init(_ text: String) throws(TableFault) { try self.init(utf8: Array(text.utf8)) }

    /// Reads a table of UTF-8 text. Other text is refused, since names would lose their letters.
    ///
    /// - Throws: the faults of all lines that are no rows.
    public init(utf8 bytes: [UInt8]) throws(TableFault) {
        try self.init(readableOf: bytes)
        try unread.check()
    }

    /// Reads a table as far as it can be read. The import of its rows tells the faults of the other
    /// lines with its own.
    ///
    /// - Throws: the fault of a table without rows that can be read.
    public init(readableOf bytes: [UInt8]) throws(TableFault) {
        try Self.checkEncoding(bytes)
        try Self.checkSeparator(bytes)
        var reader = Reader(bytes)
        guard let header = try reader.next() else {
            throw TableFault(line: 1, "the table has no header")
        }
        self.header = header.fields
        for (index, name) in header.fields.enumerated() where header.fields[..<index].contains(name)
        {
            throw TableFault(line: 1, "the column \(shown(name)) is in the header twice")
        }
        rows = []
        do throws(TableFault) {
            try read(&reader)
        } catch {
            // Nobody can tell where the next row begins.
            unread.note(error)
        }
    }

    private mutating func read(_ reader: inout Reader) throws(TableFault) {
        var count = 0
        while let row = try reader.next() {
            count += 1
            guard count <= Self.mostRows, count * header.count <= Self.mostFields else {
                let limits = "\(Self.mostRows) rows or \(Self.mostFields) fields"
                throw TableFault(line: row.line, "the table has over \(limits)")
            }
            if row.fields.count == header.count {
                rows.append(row)
            } else {
                let detail = "the row has \(row.fields.count) fields, the header \(header.count)"
                unread.note(line: row.line, detail)
            }
        }
    }

    /// Spreadsheets save CSV in the encoding of their country, unless they are asked for UTF-8.
    private static func checkEncoding(_ bytes: [UInt8]) throws(TableFault) {
        guard String(validating: bytes, as: UTF8.self) == nil else { return }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let index = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        throw TableFault(
            line: index + 1, "the text is not UTF-8: save the table as \u{201c}CSV UTF-8\u{201d}")
    }

    /// Refuses a table whose cells are separated by semicolons or tabs, as spreadsheets of many
    /// languages save them. Their numbers often have commas, too, so nobody can guess the cells.
    private static func checkSeparator(_ bytes: [UInt8]) throws(TableFault) {
        let header = bytes.prefix(headerBytes).prefix { $0 != UInt8(ascii: "\n") }
        guard !header.contains(UInt8(ascii: ",")) else { return }
        for (separator, name) in [(UInt8(ascii: ";"), "semicolons"), (UInt8(ascii: "\t"), "tabs")]
        where header.contains(separator) {
            throw TableFault(
                line: 1,
                "the table is separated by \(name): save it as CSV with commas, and with points "
                    + "in numbers")
        }
    }

    /// A header is shorter.
    private static let headerBytes = 4_096

    /// The table as text, with CRLF at the ends of lines.
    public var text: String {
        ([header] + rows.map(\.fields)).map { fields in
            fields.map { Self.quoted(Self.disarmed($0)) }.joined(separator: ",") + "\r\n"
        }.joined()
    }

    /// The field in a form that no spreadsheet runs as a formula. Some spreadsheets separate cells
    /// by semicolons, quoted or not, so each part is treated as a field.
    static func disarmed(_ field: String) -> String {
        eachPart(field) { isFormula($0) && Double($0) == nil ? "'" + $0 : $0 }
    }

    /// The field that `disarmed` was given.
    static func armed(_ text: String) -> String {
        eachPart(text) { $0.hasPrefix("'") && isFormula($0) ? String($0.dropFirst()) : $0 }
    }

    private static func eachPart(_ text: String, _ change: (String) -> String) -> String {
        guard text.utf8.contains(UInt8(ascii: ";")) else { return change(text) }
        return text.split(separator: ";", omittingEmptySubsequences: false)
            .map { change(String($0)) }.joined(separator: ";")
    }

    /// Whether a spreadsheet might run the field, or an apostrophe protects it already. The second
    /// case keeps the apostrophes of a field when it is read back.
    private static func isFormula(_ field: String) -> Bool {
        let first = field.unicodeScalars.first { $0 != "'" }
        return first.map(formulaStarts.contains) ?? false
    }

    /// Some spreadsheets also accept full-width signs, and signs after a tab or a line break.
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
                    throw TableFault(line: line, "a row has more than \(Self.mostFields) fields")
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

        /// Reads up to the next comma or line break, without consuming it.
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

/// A text from outside, shortened and printable.
func shown(_ text: String) -> String { String(cleaned(text).prefix(64)) }
