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
        ///
        /// - Parameter isAging: whether the topic has a retention, as `aging` has.
        case unread(group: String, isAging: Bool)
        /// Nothing: the restore makes it again, or a service does after it.
        case madeAgain
        /// Nothing: what it holds is over before anybody restores it.
        case passing
    }

    public var backupPart: BackupPart {
        switch self {
        case .site, .siteDocuments, .fingerprints, .radioMaps, .magneticRoutes, .outages, .tokens,
            .surveyReviews, .erasures, .timetables, .availability:
            .sent
        case .surveyRecords, .beaconBatteries: .all
        // The rest was copied to `survey-records`.
        case .surveys: .unread(group: "fingerprint-builder-surveys", isAging: false)
        case .taps, .positions, .positionsBeside, .visits, .deadLetters: .aging
        case .scansInbound: .unread(group: "scan-ingest", isAging: true)
        case .scans: .unread(group: "locator", isAging: true)
        // The smoother reads the restored positions from their start.
        case .locatorState, .positionsSmoothed, .smoothingWindows: .madeAgain
        case .scanRequests, .sightings, .sightingWindows: .passing
        }
    }

    /// The topics in the order of a backup: inputs come before outputs. So a record on its way from
    /// one topic to another is in the first or in both, never in neither.
    public static let inOrderOfBackup: [Topic] = {
        let first: [Topic] = [.scansInbound, .scans, .surveys]
        return first + allCases.filter { !first.contains($0) }
    }()
}
