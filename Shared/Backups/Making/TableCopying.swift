import Archive
import Postgres
import Synchronization
import Wire

/// Copies the tables of all stores, as one transaction sees them.
struct TableCopying {
    let files: BackupFiles
    let backup: String
    let stores: [BackupStore]

    /// The tables and sequences, without their rows. Referenced tables come first.
    private struct Found {
        var tables: [(name: String, columns: [String])] = []
        var sequences: [BackupManifest.Sequence] = []
    }

    /// Writes the files of all tables, and notes them in the manifest.
    func run(
        _ manifest: inout BackupManifest, _ connection: isolated PostgresConnection
    ) async throws {
        for store in stores {
            let steps: [String] = try connection.query(
                "SELECT name FROM public.migrations WHERE schema_name = $1 ORDER BY position",
                [.text(store.migrator.schema)]
            ).map { try $0["name"] }
            guard !steps.isEmpty else { continue }
            manifest.schemas.append(.init(name: store.migrator.schema, steps: steps))
        }
        let found = try find(connection)
        manifest.sequences = found.sequences
        for table in found.tables {
            manifest.tables.append(try await copy(table.name, table.columns, connection))
        }
    }

    /// The columns of all tables that a backup holds, by the table's name.
    static func columns(
        of stores: [BackupStore], _ connection: isolated PostgresConnection
    ) throws -> [String: [String]] {
        let without = stores.reduce(into: Set<String>()) { $0.formUnion($1.without) }
        var columns: [String: [String]] = [:]
        for row in try connection.query(
            """
            SELECT format('%I.%I', space.nspname, class.relname) AS name,
                quote_ident(attribute.attname) AS part
            FROM pg_class class JOIN pg_namespace space ON space.oid = class.relnamespace
            JOIN pg_attribute attribute ON attribute.attrelid = class.oid
            WHERE class.relkind = 'r' AND class.relpersistence = 'p'
                AND space.nspname = ANY ($1) AND attribute.attnum > 0
                AND NOT attribute.attisdropped AND attribute.attgenerated = ''
            ORDER BY name, attribute.attnum
            """, [.textArray(stores.flatMap(\.schemas))])
        {
            columns[try row["name"], default: []].append(try row["part"])
        }
        return columns.filter { !without.contains($0.key) }
    }

    private func find(_ connection: isolated PostgresConnection) throws -> Found {
        var found = Found()
        let schemas = PostgresValue.textArray(stores.flatMap(\.schemas))
        let columns = try Self.columns(of: stores, connection)
        var references: [String: Set<String>] = [:]
        for row in try connection.query(
            """
            SELECT format('%I.%I', here.nspname, one.relname) AS name,
                format('%I.%I', there.nspname, other.relname) AS target
            FROM pg_constraint c JOIN pg_class one ON one.oid = c.conrelid
            JOIN pg_namespace here ON here.oid = one.relnamespace
            JOIN pg_class other ON other.oid = c.confrelid
            JOIN pg_namespace there ON there.oid = other.relnamespace
            WHERE c.contype = 'f' AND here.nspname = ANY ($1) AND c.conrelid <> c.confrelid
            """, [schemas])
        {
            references[try row["name"], default: []].insert(try row["target"])
        }
        var open = Set(columns.keys)
        while !open.isEmpty {
            let next = open.filter { references[$0, default: []].isDisjoint(with: open) }.sorted()
            guard !next.isEmpty else {
                throw BackupFault("\(open.sorted()[0]): tables refer to each other in a circle")
            }
            found.tables += next.map { ($0, columns[$0] ?? []) }
            open.subtract(next)
        }
        found.sequences = try connection.query(
            """
            SELECT format('%I.%I', schemaname, sequencename) AS name, last_value AS last
            FROM pg_sequences
            WHERE schemaname = ANY ($1) AND last_value IS NOT NULL ORDER BY name
            """, [schemas]
        ).map { .init(name: try $0["name"], last: try $0["last"]) }
        return found
    }

    /// Streams one table into files. A row is never cut, so each file can be copied back alone.
    private func copy(
        _ name: String, _ columns: [String], _ connection: isolated PostgresConnection
    ) async throws -> BackupManifest.Table {
        let written = WrittenFiles()
        let channel = PieceChannel { [files, backup] piece in
            let number = written.count + 1
            let file = "tables/\(name)-\(PieceName.text(number))"
            written.add(try await files.write(packed: piece, as: file, of: backup))
        }
        let rows = RowPieces(channel)
        let large = try LargeRows(name, columns, connection)
        let places = try large.places(connection)
        do {
            try connection.copyOut("COPY \(large.others) TO STDOUT") { try rows.add($0) }
            try rows.finish()
            for place in places {
                channel.waitUntilEmpty()
                try channel.put(large.packed(place, connection))
            }
        } catch is PieceChannel.Stopped {}
        try await channel.finish()
        return BackupManifest.Table(
            name: name, columns: columns, rows: rows.count + places.count, files: written.all)
    }
}

/// Collects rows into pieces, and compresses these.
private final class RowPieces: Sendable {
    private let channel: PieceChannel
    private let state = Mutex(State())

    private struct State {
        var rows = 0
        var piece: [UInt8] = []

        mutating func removePiece() -> [UInt8] {
            defer { piece = [] }
            return piece
        }
    }

    init(_ channel: PieceChannel) { self.channel = channel }

    var count: Int { state.withLock(\.rows) }

    func add(_ row: UnsafeRawBufferPointer) throws {
        let full: [UInt8] = state.withLock { state in
            state.rows += 1
            state.piece.append(contentsOf: row)
            return state.piece.count >= PieceName.bytes ? state.removePiece() : []
        }
        if !full.isEmpty { try channel.put(Zstandard.compress(full)) }
    }

    func finish() throws {
        let rest = state.withLock { $0.removePiece() }
        if !rest.isEmpty { try channel.put(Zstandard.compress(rest)) }
    }
}

/// A line of a COPY that has one.
final class CopiedLine: Sendable {
    private let line = Mutex<[UInt8]>([])

    var bytes: [UInt8] { line.withLock(\.self) }
    func add(_ row: UnsafeRawBufferPointer) { line.withLock { $0 += row } }
}

/// The numbers and sizes of pieces.
enum PieceName {
    /// The bytes of a piece before it is compressed; the last row or record may exceed them.
    static let bytes = 8 << 20

    static func text(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ".zst"
    }
}

/// The files written so far.
final class WrittenFiles: Sendable {
    private let files = Mutex<[BackupManifest.File]>([])

    var all: [BackupManifest.File] { files.withLock(\.self) }
    var count: Int { files.withLock(\.count) }
    func add(_ file: BackupManifest.File) { files.withLock { $0.append(file) } }
}
