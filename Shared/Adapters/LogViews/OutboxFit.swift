public import Postgres

/// Whether an outbox's tables and the log are of the same installation and the same moment.
public enum OutboxFit: Hashable, Sendable {
    case fits
    /// The tables do not know a log yet, and nothing contradicts this one: they belong together
    /// from now on.
    case new
    /// The tables forgot events that the log has: an older database was put in place.
    case behind(log: Int64, tables: Int64)
    /// The tables belong to a log with another id.
    case anotherLog

    /// Whether events may be sent and commands be taken.
    public var allowsChanges: Bool { self == .fits || self == .new }

    /// - Parameters:
    ///   - logID: the log's id; nil where it has none.
    ///   - newest: the outbox's newest number on the log.
    public init(_ mark: OutboxMark, logID: String?, newest: Int64) {
        if let known = mark.logID, known != logID {
            self = .anotherLog
        } else if newest > mark.sent, !mark.waits {
            self = .behind(log: newest, tables: mark.sent)
        } else {
            self = mark.logID == nil ? .new : .fits
        }
    }
}

/// The log as an outbox's tables know it.
public struct OutboxMark: Hashable, Sendable {
    /// The id of the log to which the tables belong.
    public var logID: String?
    /// The largest number that was sent.
    public var sent: Int64
    /// Whether the event with the number that was asked for waits in the outbox. It may be on the
    /// log already, when the relay ended between the append and the note of it.
    public var waits: Bool

    public init(logID: String?, sent: Int64, waits: Bool = false) {
        self.logID = logID
        self.sent = sent
        self.waits = waits
    }
}

extension Outbox {
    var markTable: String { "\(schema).outbox_mark" }

    /// The table of the mark.
    public var markMigration: Migrator.Step {
        Migrator.Step(
            "outbox-mark",
            """
            CREATE TABLE \(markTable) (
                only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
                log_id text,
                sent bigint NOT NULL);
            INSERT INTO \(markTable) (log_id, sent) VALUES (NULL, 0)
            """)
    }

    static func markStatement(_ schema: String, number: Int64) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT log_id, sent, EXISTS (SELECT FROM \(schema).outbox WHERE id = $1) AS waits
            FROM \(schema).outbox_mark
            """, [.int64(number)])
    }

    static func mark(_ rows: PostgresRows) throws -> OutboxMark {
        guard let row = rows.first else { return OutboxMark(logID: nil, sent: 0) }
        return OutboxMark(logID: try row["log_id"], sent: try row["sent"], waits: try row["waits"])
    }

    /// - Parameter number: an event that may wait in the outbox.
    public func mark(_ pool: PostgresPool, number: Int64) async throws -> OutboxMark {
        let statement = Self.markStatement(schema, number: number)
        return try Self.mark(await pool.query(statement.sql, statement.parameters))
    }

    /// Lets the tables belong to this log, unless they belong to one already.
    public func adopt(_ logID: String, connection: isolated PostgresConnection) throws {
        try connection.query(
            "UPDATE \(markTable) SET log_id = $1 WHERE log_id IS NULL", [.text(logID)])
    }

    // MARK: After another database or another log was put in place

    /// Keeps all relays out until the transaction ends.
    public func holdRelays(_ connection: isolated PostgresConnection) throws {
        try connection.query(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
            [.text("whereabouts outbox \(schema)")])
    }

    /// Lets the tables fit the log: they know all numbers up to the newest one there, and later
    /// events get larger ones.
    ///
    /// Events that waited with a smaller number go. An old database holds them from the moment of
    /// its copy, and they were sent soon after that. Sent again, they would come behind newer ones.
    ///
    /// - Returns: how many went.
    public func settle(
        on logID: String, newest: Int64, connection: isolated PostgresConnection
    ) throws -> Int {
        let mark = try Self.mark(
            connection.query("SELECT log_id, sent, false AS waits FROM \(markTable)"))
        var dropped = 0
        if newest > mark.sent {
            dropped =
                try connection.query(
                    "DELETE FROM \(schema).outbox WHERE id <= $1", [.int64(newest)]
                ).affected
        }
        // Not undone with the transaction, which does no harm: numbers may have gaps.
        try connection.query(
            """
            SELECT setval(pg_get_serial_sequence('\(schema).outbox', 'id'),
                greatest($1, (SELECT last_value FROM \(schema).outbox_id_seq), 1))
            """, [.int64(newest)])
        try connection.query(
            """
            INSERT INTO \(markTable) (log_id, sent) VALUES ($1, $2)
            ON CONFLICT (only_row) DO UPDATE SET log_id = excluded.log_id,
                sent = greatest(outbox_mark.sent, excluded.sent)
            """, [.text(logID), .int64(newest)])
        return dropped
    }
}
