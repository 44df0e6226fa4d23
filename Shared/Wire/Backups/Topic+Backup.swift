extension Topic {
    /// What a backup holds of a topic, and of which moment.
    public enum BackupPart: Hashable, Sendable {
        /// What the tables of that moment had sent: an outbox feeds the topic.
        case sent
        /// Everything, of a later moment.
        case all
        /// The same, but not in a backup that is kept long: the topic has a retention.
        case aging
        /// What the group had not read yet. The rest is there on demand.
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

    /// The topics in the order of a backup. What is on its way from one topic to another is in the
    /// first or in both, never in neither: inputs come before outputs.
    public static let inOrderOfBackup: [Topic] = {
        let first: [Topic] = [.scansInbound, .scans]
        return first + allCases.filter { !first.contains($0) }
    }()
}
