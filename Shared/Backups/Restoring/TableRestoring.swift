import Archive
import Events
import Postgres
import Synchronization
import Wire

/// Brings the schemas to the steps of the backup, and copies the rows into their tables.
struct TableRestoring {
    let files: BackupFiles
    let manifest: BackupManifest
    let stores: [BackupStore]

    /// The migrations up to the backup's steps, by schema.
    ///
    /// - Throws: `BackupFault` where a newer release made the backup.
    func migrators() throws(BackupFault) -> [Migrator] {
        try checkNames()
        var migrators: [Migrator] = []
        for schema in manifest.schemas {
            guard let store = stores.first(where: { $0.migrator.schema == schema.name }) else {
                throw BackupFault("this release does not know the schema \(schema.name)")
            }
            let known = store.migrator.steps.prefix(schema.steps.count)
            guard known.map(\.name) == schema.steps else {
                throw BackupFault(
                    "a newer release (\(manifest.program)) made this backup: restore it with that "
                        + "release or a later one")
            }
            migrators.append(Migrator(schema: schema.name, steps: Array(known)))
        }
        return migrators
    }

    /// Names of the manifest become parts of statements. Somebody who can write to the place of the
    /// backups must not become the owner of the database by them.
    private func checkNames() throws(BackupFault) {
        let schemas = Set(stores.flatMap(\.schemas))
        for name in manifest.tables.map(\.name) + manifest.sequences.map(\.name) {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, schemas.contains(String(parts[0])), Self.isName(parts[1])
            else { throw BackupFault("\(name) is no table of a service") }
        }
        let without = stores.reduce(into: Set<String>()) { $0.formUnion($1.without) }
        for table in manifest.tables where without.contains(table.name) {
            throw BackupFault("\(table.name) is in no backup, so somebody has put it in")
        }
        for column in manifest.tables.flatMap(\.columns) where !Self.isName(column[...]) {
            throw BackupFault("\(column) is no name of a column")
        }
    }

    /// Whether this is a name as PostgreSQL's `quote_ident` writes ours.
    private static func isName(_ text: Substring) -> Bool {
        text.wholeMatch(of: /[a-z_][a-z0-9_]*|"[a-z_][a-z0-9_]*"/) != nil
    }

    func migrate(_ connection: PostgresConnection) async throws {
        for migrator in try migrators() { _ = try await migrator.migrate(connection) }
    }

    /// Copies all rows; inside the caller's transaction.
    func copy(_ connection: isolated PostgresConnection) async throws {
        for table in manifest.tables where table.name.hasSuffix(".outbox_set_aside") {
            try connection.execute(script: Self.asideTable(table.name))
        }
        let names = manifest.tables.map(\.name)
        guard !names.isEmpty else { return }
        let columns = try TableCopying.columns(of: stores, connection)
        for table in manifest.tables {
            guard let known = columns[table.name], Set(known).isSuperset(of: table.columns) else {
                throw BackupFault("\(table.name) has no such columns in this release")
            }
        }
        // Some migrations put rows into their tables.
        try connection.execute(script: "TRUNCATE \(names.joined(separator: ", "))")
        for table in manifest.tables {
            var rows = 0
            let columns = table.columns.joined(separator: ", ")
            for file in table.files {
                let feed = ByteFeed(try await files.reader(of: file, of: manifest.name))
                rows += try connection.copyIn(
                    "COPY \(table.name) (\(columns)) FROM STDIN", format: .text
                ) { try feed.fill(&$0) }
            }
            guard rows == table.rows else {
                throw BackupFault("\(table.name) has \(rows) rows instead of \(table.rows)")
            }
        }
        for sequence in manifest.sequences {
            try connection.query(
                "SELECT setval($1::regclass, $2)",
                [.text(sequence.name), .int(sequence.last)])
        }
    }

    /// Outboxes make this table only when they need it.
    private static func asideTable(_ name: String) -> String {
        """
        CREATE TABLE IF NOT EXISTS \(name) (
            id bigint PRIMARY KEY, topic text NOT NULL, key bytea NOT NULL, value bytea,
            headers bytea NOT NULL, reason text NOT NULL,
            at timestamptz NOT NULL DEFAULT clock_timestamp())
        """
    }
}

/// Hands a file to a COPY, some parts at a time.
private final class ByteFeed: Sendable {
    private static let step = 1 << 20

    private let reader: Mutex<ZstandardReader>

    init(_ reader: sending ZstandardReader) { self.reader = Mutex(reader) }

    /// Appends the next bytes, and returns whether there are more.
    func fill(_ buffer: inout PostgresCopyBuffer) throws -> Bool {
        try reader.withLock { reader in
            while buffer.byteCount < Self.step {
                guard let part = try reader.next() else { return false }
                buffer.append(part)
            }
            return true
        }
    }
}
