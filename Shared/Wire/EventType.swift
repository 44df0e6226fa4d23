/// The kind of an event and its version, as the CloudEvents type names it:
/// `whereabouts.scan-recorded.v1`.
public enum EventType: String, Hashable, Sendable, CaseIterable {
    case scanRecorded = "scan-recorded"
    case surveyRecorded = "survey-recorded"
    case positionEstimated = "position-estimated"
    case sitePublished = "site-published"
    case radioMapAnnounced = "radio-map-announced"
    case fingerprintBuilt = "fingerprint-built"
    case tokenIssued = "token-issued"
    case deadLettered = "dead-lettered"

    private static let prefix = "whereabouts."
    /// The newest version that this program reads and the one that it writes, of every type.
    public static let version = 1

    public var name: String { "\(Self.prefix)\(rawValue).v\(Self.version)" }

    /// Throws `type-unknown`, or `version-too-new` for a known type of a later version.
    public init(name: String) throws(WireFault) {
        guard name.hasPrefix(Self.prefix), let dot = name.lastIndex(of: "."),
            name[dot...].hasPrefix(".v"), let version = Int(name[dot...].dropFirst(2)),
            version >= 1, dot > name.index(name.startIndex, offsetBy: Self.prefix.count),
            let type = EventType(
                rawValue: String(name[..<dot].dropFirst(Self.prefix.count)))
        else { throw WireFault(.typeUnknown, path: "ce_type", "no event is called \(name)") }
        guard version <= Self.version else {
            throw WireFault(
                .versionTooNew, path: "ce_type",
                "version \(version) is newer than this program, which reads \(Self.version)")
        }
        self = type
    }
}
