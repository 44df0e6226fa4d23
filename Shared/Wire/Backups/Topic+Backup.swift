extension Topic {
    /// The part of a topic that a backup holds, and its moment.
    public enum BackupPart: Hashable, Sendable {
        /// All that the tables of that moment had sent: an outbox feeds the topic.
        case sent
        /// Everything, of a later moment.
        case all
        /// The same, but not in a backup that is kept long: the topic has a retention.
        case aging
        /// All that the group had not read yet. The rest is there on demand.
        case unread(group: String)
        /// Nothing: the restore makes it again.
        case madeAgain
    }

    public var backupPart: BackupPart {
        switch self {
        case .site, .siteDocuments, .fingerprints, .radioMaps, .magneticRoutes, .outages, .tokens,
            .surveyReviews, .erasures:
            .sent
        case .surveys: .all
        case .positions, .visits, .deadLetters: .aging
        case .scansInbound: .unread(group: "scan-ingest")
        case .scans: .unread(group: "locator")
        case .locatorState: .madeAgain
        }
    }

    /// The topics in the order of a backup: inputs come before outputs. So a record on its way from
    /// one topic to another is in the first or in both, never in neither.
    public static let inOrderOfBackup: [Topic] = {
        let first: [Topic] = [.scansInbound, .scans]
        return first + allCases.filter { !first.contains($0) }
    }()
}
