public import EventLog

/// The topics of the log, by their content.
public enum Topic: String, Hashable, Sendable, CaseIterable {
    /// The only topic that producers outside of Whereabouts write.
    case scansInbound = "scans-inbound"
    case scans
    /// Reports of devices that nodes heard, one by one. scan-ingest joins them to scans.
    case sightings
    /// The windows in which scan-ingest joins sightings.
    case sightingWindows = "sighting-windows"
    /// Surveys of earlier releases, with the keys of floors and locations. Nobody writes it any
    /// more; fingerprint-builder copies it to `survey-records`.
    case surveys
    /// Surveys, with a key for each.
    case surveyRecords = "survey-records"
    /// Events about surveys: judged, kept aside, decided and withdrawn.
    case surveyReviews = "survey-reviews"
    /// "I am here", with the scan of that moment. No radio map is made from these.
    case taps
    case site
    /// The documents of published sites, in pieces.
    case siteDocuments = "site-documents"
    case fingerprints
    case radioMaps = "radio-maps"
    case magneticRoutes = "magnetic-routes"
    case outages
    /// Requests for scans, and how far each is.
    case scanRequests = "scan-requests"
    case tokens
    case positions
    /// Positions by the positioners beside the served one of each site.
    case positionsBeside = "positions-beside"
    /// The positions, each smoothed by those shortly before and after it.
    case positionsSmoothed = "positions-smoothed"
    /// The positions that wait to be smoothed, and those that are evidence for them.
    case smoothingWindows = "smoothing-windows"
    /// Visits of zones, and of groups of beacons.
    case visits
    /// The last level of each beacon's battery.
    case beaconBatteries = "beacon-batteries"
    case locatorState = "locator-state"
    /// Bookings of rooms.
    case timetables
    /// Free computers of rooms.
    case availability
    /// Devices that were erased.
    case erasures
    case deadLetters = "dead-letters"

    public static let prefix = "whereabouts."
    /// The number of partitions; it can't be changed later. `scans`, `positions` and
    /// `locator-state` must have the same, and so must `sightings` and `sighting-windows`. The same
    /// holds for `positions`, `positions-smoothed` and `smoothing-windows`.
    public static let defaultPartitions = 12

    /// The topic's name in the log, such as `whereabouts.scans`.
    public var name: String { Self.prefix + rawValue }

    /// The clean-up of old records, unless the configuration sets another.
    public var defaultCleanup: TopicSpecification.Cleanup {
        switch self {
        // A short time: earlier releases put tokens into these records, and nobody needs them once
        // they are processed.
        case .scansInbound: .delete(after: .seconds(3 * 3_600))
        case .scans, .positionsBeside: .delete(after: .days(7))
        case .scanRequests, .sightings: .delete(after: .days(1))
        case .taps, .positions, .positionsSmoothed, .visits, .deadLetters:
            .delete(after: .days(30))
        case .erasures: .delete(after: .days(31))
        case .surveys, .surveyReviews: .forever
        case .surveyRecords, .site, .siteDocuments, .magneticRoutes: .compact
        case .fingerprints, .radioMaps, .outages, .tokens, .locatorState: .compact
        case .timetables, .availability, .sightingWindows, .smoothingWindows: .compact
        case .beaconBatteries: .compact
        }
    }

    /// Whether a retention can be configured: only topics that are deleted by age have one.
    /// Erasures are kept as long as the record of the slowest topic, and that follows from it.
    /// Requests for scans are over within a minute, and sightings become scans within seconds.
    /// Positions beside are for comparing, and a week is enough for that. Smoothed positions are
    /// kept as long as the positions that they smooth.
    public var hasRetention: Bool {
        guard case .delete = defaultCleanup else { return false }
        return ![
            .erasures, .scanRequests, .sightings, .positionsBeside, .positionsSmoothed,
        ].contains(self)
    }

    /// The most bytes of a record.
    ///
    /// Earlier releases wrote a complete site as one record. A dead letter holds the largest record
    /// in base64, which needs four bytes for three. A validated magnetic route has two walks.
    public var maximumRecordBytes: Int {
        switch self {
        case .site: 8_000_000
        case .deadLetters: 11_000_000
        case .magneticRoutes: 2_000_000
        default: Self.usualRecordBytes
        }
    }

    private static let usualRecordBytes = 1_000_000
    private static let limits = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.name, $0.maximumRecordBytes) })

    /// The most bytes of a record, by the topic's name; nil for a topic of another program.
    public static func largestRecord(_ topic: String) -> Int? {
        limits[topic] ?? (topic.hasPrefix(prefix) ? usualRecordBytes : nil)
    }

    /// Whether the brokers write each record to disk at once. This holds for the work of people,
    /// which nobody sends again after a power failure.
    var isFlushed: Bool {
        [.surveys, .surveyRecords, .magneticRoutes, .site, .siteDocuments].contains(self)
    }

    /// The longest time until compaction removes what newer records and tombstones cover, in topics
    /// with personal data. These go because somebody asked for it, so the log may not wait until
    /// enough of them are old.
    var longestCompactionLag: Duration? {
        let personal: Set<Topic> = [
            .surveyRecords, .tokens, .outages, .locatorState, .timetables, .sightingWindows,
            .smoothingWindows,
        ]
        return personal.contains(self) ? .days(1) : nil
    }

    /// A backup reads what the outboxes had sent at one moment. It takes less than a day, and what
    /// is replaced meanwhile must still be there. PostgreSQL's log has a lock instead.
    var shortestCompactionLag: Duration? {
        backupPart == .sent && defaultCleanup == .compact ? .days(1) : nil
    }

    public func specification(
        partitions: Int = defaultPartitions, retention: Duration? = nil
    ) -> TopicSpecification {
        var cleanup = defaultCleanup
        if let retention, case .delete = cleanup { cleanup = .delete(after: retention) }
        return TopicSpecification(
            name: name, partitions: partitions, cleanup: cleanup,
            maximumRecordBytes: maximumRecordBytes, isFlushed: isFlushed,
            longestCompactionLag: longestCompactionLag,
            shortestCompactionLag: shortestCompactionLag)
    }

    /// The settings of every topic.
    ///
    /// - Parameter retention: replaces the default of topics that are deleted by age.
    public static func specifications(
        partitions: Int = defaultPartitions, retention: [Topic: Duration] = [:]
    ) -> [TopicSpecification] {
        var retention = retention.filter { $0.key.hasRetention }
        // An erasure must outlive every record that it erases.
        let kept = (allCases.filter(\.hasRetention) + [.positionsBeside]).compactMap {
            topic -> Duration? in
            guard case .delete(let after) = topic.defaultCleanup else { return nil }
            return retention[topic] ?? after
        }
        retention[.erasures] = (kept.max() ?? .zero) + .days(1)
        retention[.positionsSmoothed] = retention[.positions]
        return allCases.map {
            $0.specification(partitions: partitions, retention: retention[$0])
        }
    }
}

extension Duration {
    fileprivate static func days(_ count: Int) -> Duration { .seconds(86_400 * count) }
}
