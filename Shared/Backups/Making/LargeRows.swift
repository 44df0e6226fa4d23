import Archive
import Postgres

/// The rows of a table with large `bytea` values, such as radio maps. A COPY hands a row over as a
/// whole, in hex and in two buffers. So these rows are read in parts, and are never in memory.
struct LargeRows {
    /// Rows with more bytes are large.
    private static let most = 2 << 20
    private static let partBytes = 1 << 20

    private let table: String
    private let columns: [String]
    private let large: Set<String>

    init(
        _ table: String, _ columns: [String], _ connection: isolated PostgresConnection
    ) throws {
        self.table = table
        self.columns = columns
        let names: [String] = try connection.query(
            """
            SELECT quote_ident(attname) AS name FROM pg_attribute
            WHERE attrelid = $1::regclass AND atttypid = 'bytea'::regtype AND NOT attisdropped
            """, [.text(table)]
        ).map { try $0["name"] }
        large = Set(names)
    }

    /// Whether a row is large. PostgreSQL knows the lengths without reading the values.
    private var condition: String {
        large.sorted().map { "coalesce(octet_length(\($0)), 0)" }.joined(separator: " + ")
            + " > \(Self.most)"
    }

    /// Selects all other rows, for a COPY.
    var others: String {
        let list = columns.joined(separator: ", ")
        return large.isEmpty
            ? "\(table) (\(list))" : "(SELECT \(list) FROM \(table) WHERE NOT (\(condition)))"
    }

    /// Where the large rows lie, as PostgreSQL's `ctid`. They stay there for a transaction.
    func places(_ connection: isolated PostgresConnection) throws -> [String] {
        guard !large.isEmpty else { return [] }
        return try connection.query(
            "SELECT ctid::text AS place FROM \(table) WHERE \(condition)"
        ).map { try $0["place"] }
    }

    /// The row's line in the text format, compressed.
    func packed(_ place: String, _ connection: isolated PostgresConnection) throws -> [UInt8] {
        let writer = try ZstandardWriter()
        for (number, column) in columns.enumerated() {
            if number > 0 { try writer.write([UInt8(ascii: "\t")]) }
            if large.contains(column) {
                try write(column, of: place, to: writer, connection)
            } else {
                try writer.write(Array(line(of: column, place, connection).dropLast()))
            }
        }
        try writer.write([UInt8(ascii: "\n")])
        return try writer.finish()
    }

    /// The value as COPY writes it.
    private func line(
        of column: String, _ place: String, _ connection: isolated PostgresConnection
    ) throws -> [UInt8] {
        let line = CopiedLine()
        // A place is two numbers, as PostgreSQL has given it.
        try connection.copyOut(
            "COPY (SELECT \(column) FROM \(table) WHERE ctid = '\(place)') TO STDOUT"
        ) { line.add($0) }
        return line.bytes
    }

    /// Writes a `bytea` in hex. Its backslash is doubled in the text format.
    private func write(
        _ column: String, of place: String, to writer: ZstandardWriter,
        _ connection: isolated PostgresConnection
    ) throws {
        let length: Int? = try connection.query(
            "SELECT octet_length(\(column))::bigint AS length FROM \(table) WHERE ctid = $1::tid",
            [.text(place)])[0]["length"]
        guard let length else { return try writer.write(Array(#"\N"#.utf8)) }
        try writer.write(Array(#"\\x"#.utf8))
        for start in stride(from: 1, through: length, by: Self.partBytes) {
            let part: [UInt8] = try connection.query(
                """
                SELECT convert_to(
                    encode(substring(\(column) FROM $2 FOR $3), 'hex'), 'UTF8') AS part
                FROM \(table) WHERE ctid = $1::tid
                """,
                [
                    .text(place), .int32(Int32(clamping: start)),
                    .int32(Int32(clamping: Self.partBytes)),
                ])[0]["part"]
            try writer.write(part)
        }
    }
}
