public import EventLog
public import Events
public import LogViews
public import Postgres

/// Tables of a service that are not views of the log, so that a backup must hold them.
public struct BackupStore: Sendable {
    /// Hands over the records that the log must hold of the present rows, in groups. The records of
    /// a group belong together, and are in the order of their appends.
    public typealias Announced =
        @Sendable (
            isolated PostgresConnection, Timestamp,
            _ put: (isolated PostgresConnection, [LogRecord]) throws -> Void
        ) throws -> Void

    /// Its schema counts the applied steps.
    public var migrator: Migrator
    /// Further schemas that the same migrations make.
    public var further: [String]
    /// Tables that are left out, with their schemas. After a restore they are empty.
    public var without: Set<String>
    /// Where its events wait for the log; nil where it has none.
    public var outbox: Outbox?
    public var announced: Announced?

    public init(
        _ migrator: Migrator, further: [String] = [], without: Set<String> = [],
        outbox: Outbox? = nil, announced: Announced? = nil
    ) {
        self.migrator = migrator
        self.further = further
        self.without = without
        self.outbox = outbox
        self.announced = announced
    }

    var schemas: [String] { [migrator.schema] + further }
}
