public import Postgres

/// Tables of a service that are not views of the log, so that a backup must hold them.
public struct BackupStore: Sendable {
    /// Its schema counts the applied steps.
    public var migrator: Migrator
    /// Further schemas that the same migrations make.
    public var further: [String]
    /// Tables that are left out, with their schemas. After a restore they are empty.
    public var without: Set<String>

    public init(_ migrator: Migrator, further: [String] = [], without: Set<String> = []) {
        self.migrator = migrator
        self.further = further
        self.without = without
    }

    var schemas: [String] { [migrator.schema] + further }
}
