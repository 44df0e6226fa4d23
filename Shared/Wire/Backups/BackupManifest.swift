public import Events
internal import JSON

/// The content of a backup: the last of its files, and the list of all others.
public struct BackupManifest: Hashable, Sendable {
    /// The form of the files. A program refuses a number that it does not know.
    public static let presentForm = 1

    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// All that a restore needs to go on as before.
        case whole
        /// Without everything that has a retention: no scans, positions, visits, dead letters.
        case lasting
    }

    /// A file and its sum. Its name begins at the backup's own folder.
    public struct File: Hashable, Sendable {
        public var name: String
        public var bytes: Int
        /// SHA-256 in lower-case hex.
        public var sum: String

        public init(name: String, bytes: Int, sum: String) {
            self.name = name
            self.bytes = bytes
            self.sum = sum
        }
    }

    public struct Schema: Hashable, Sendable {
        public var name: String
        /// The migrations that were applied, in their order.
        public var steps: [String]

        public init(name: String, steps: [String]) {
            self.name = name
            self.steps = steps
        }
    }

    public struct Table: Hashable, Sendable {
        /// With its schema.
        public var name: String
        public var columns: [String]
        public var rows: Int
        public var files: [File]

        public init(name: String, columns: [String], rows: Int, files: [File]) {
            self.name = name
            self.columns = columns
            self.rows = rows
            self.files = files
        }
    }

    /// A sequence and the last number that it gave.
    public struct Sequence: Hashable, Sendable {
        public var name: String
        public var last: Int

        public init(name: String, last: Int) {
            self.name = name
            self.last = last
        }
    }

    public struct TopicContent: Hashable, Sendable {
        public var name: String
        public var records: Int
        public var files: [File]

        public init(name: String, records: Int, files: [File]) {
            self.name = name
            self.records = records
            self.files = files
        }
    }

    /// How far a group had read a topic, by partition, in offsets of the log that was backed up.
    public struct Group: Hashable, Sendable {
        public var name: String
        public var topic: String
        public var offsets: [Int64]

        public init(name: String, topic: String, offsets: [Int64]) {
            self.name = name
            self.topic = topic
            self.offsets = offsets
        }
    }

    public var form = presentForm
    public var name: String
    public var kind: Kind
    /// The version of the program that made it.
    public var program: String
    /// The engine of the log that was backed up, for people.
    public var log: String
    public var partitions: Int
    /// Whether scans are in it that were located already.
    public var hasScans: Bool
    /// How many seconds each topic that ages kept its records. Empty in backups of former releases.
    public var retentions: [String: Int] = [:]
    /// The time of the tables, and of what had been sent from them to the log.
    public var tablesAt: Timestamp
    /// The time of scans, surveys, positions and visits: what was accepted before it is in it.
    public var recordsAt: Timestamp
    public var finishedAt: Timestamp
    public var schemas: [Schema] = []
    /// Referenced tables come before those that reference them.
    public var tables: [Table] = []
    public var sequences: [Sequence] = []
    public var topics: [TopicContent] = []
    public var groups: [Group] = []

    public init(
        name: String, kind: Kind, program: String, log: String, partitions: Int, hasScans: Bool,
        tablesAt: Timestamp, recordsAt: Timestamp, finishedAt: Timestamp
    ) {
        self.name = name
        self.kind = kind
        self.program = program
        self.log = log
        self.partitions = partitions
        self.hasScans = hasScans
        self.tablesAt = tablesAt
        self.recordsAt = recordsAt
        self.finishedAt = finishedAt
    }

    public var files: [File] { tables.flatMap(\.files) + topics.flatMap(\.files) }
    public var bytes: Int { files.reduce(0) { $0 + $1.bytes } }
    public var records: Int { topics.reduce(0) { $0 + $1.records } }
}
