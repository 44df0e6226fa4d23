public import EventLog

/// The topics of the log, by what they carry.
public enum Topic: String, Hashable, Sendable, CaseIterable {
    /// The only one that producers outside write.
    case scansInbound = "scans-inbound"
    case scans
    case surveys
    /// What was found, decided and withdrawn of surveys.
    case surveyReviews = "survey-reviews"
    case site
    case fingerprints
    case radioMaps = "radio-maps"
    case magneticRoutes = "magnetic-routes"
    case outages
    case tokens
    case positions
    case visits
    case locatorState = "locator-state"
    case deadLetters = "dead-letters"

    public static let prefix = "whereabouts."
    /// Chosen once for the life of a log; `scans`, `positions` and `locator-state` must agree.
    public static let defaultPartitions = 12

    /// As the log knows it, such as `whereabouts.scans`.
    public var name: String { Self.prefix + rawValue }

    /// Where a positioner writes that is not the locator's own: `whereabouts.positions.<name>`.
    public static func positions(of positioner: String) -> String {
        positions.name + "." + positioner
    }

    /// What happens to old records unless the configuration says otherwise.
    public var defaultCleanup: TopicSpecification.Cleanup {
        switch self {
        // Producers of before showed their tokens there, and nobody needs them once they are taken.
        case .scansInbound: .delete(after: .seconds(3 * 3_600))
        case .scans: .delete(after: .days(7))
        case .positions, .visits, .deadLetters: .delete(after: .days(30))
        case .surveys, .surveyReviews, .magneticRoutes, .site: .forever
        case .fingerprints, .radioMaps, .outages, .tokens, .locatorState: .compact
        }
    }

    /// Whether a retention can be configured: only what is deleted by age has one.
    public var hasRetention: Bool {
        if case .delete = defaultCleanup { true } else { false }
    }

    /// Bytes of the largest record. A site is published whole, in one record. A dead letter holds
    /// the largest record whole, in base64, which takes four bytes for three.
    public var maximumRecordBytes: Int {
        switch self {
        case .site: 8_000_000
        case .deadLetters: 11_000_000
        default: Self.usualRecordBytes
        }
    }

    private static let usualRecordBytes = 1_000_000
    private static let limits = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.name, $0.maximumRecordBytes) })

    /// The same for a topic by its name. Those of positioners beside are like `positions`; nil for
    /// what is none of ours.
    public static func largestRecord(_ topic: String) -> Int? {
        limits[topic] ?? (topic.hasPrefix(prefix) ? usualRecordBytes : nil)
    }

    /// What people have made by hand, and nobody sends again: a broker that loses power must not
    /// lose it.
    var isFlushed: Bool { [.surveys, .magneticRoutes, .site].contains(self) }

    public func specification(
        partitions: Int = defaultPartitions, retention: Duration? = nil
    ) -> TopicSpecification {
        var cleanup = defaultCleanup
        if let retention, hasRetention { cleanup = .delete(after: retention) }
        return TopicSpecification(
            name: name, partitions: partitions, cleanup: cleanup,
            maximumRecordBytes: maximumRecordBytes, isFlushed: isFlushed)
    }

    /// What every topic is made with.
    ///
    /// - Parameter retention: replaces the default of topics that are deleted by age.
    public static func specifications(
        partitions: Int = defaultPartitions, retention: [Topic: Duration] = [:]
    ) -> [TopicSpecification] {
        allCases.map { $0.specification(partitions: partitions, retention: retention[$0]) }
    }
}

extension Duration {
    fileprivate static func days(_ count: Int) -> Duration { .seconds(86_400 * count) }
}
