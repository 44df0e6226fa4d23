import ServiceHost
import ServiceRuntime
import Sightings

struct ScanIngestSettings: Sendable {
    let recentScans: Int
    let inboundProof: InboundProof
    /// The most requests that one token may send in a second; 0 for no limit.
    let requestsPerSecond: Int
    let requestBurst: Int
    /// The address at which other copies reach this one; nil for the one that it listens at.
    let ownAddress: String?
    let sightings: SightingRules
    /// The broker of nodes; nil for none.
    let mqtt: MQTTSettings?
    let meraki: MerakiSites

    init(_ configuration: Configuration) {
        recentScans = configuration.integer(Self.recentScans)
        inboundProof = InboundProof(configuration)
        requestsPerSecond = configuration.integer(Host.requestsPerSecond)
        requestBurst = configuration.integer(Host.requestBurst)
        ownAddress = configuration.optionalText(Self.ownAddress.name)
        sightings = SightingRules(configuration)
        mqtt = MQTTSettings(configuration)
        meraki = MerakiSites(configuration.optionalSecret(Self.merakiSites.name)?.reveal())
    }

    static let all =
        [recentScans, ownAddress, merakiSites] + SightingRules.settings + MQTTSettings.all

    private static let merakiSites = Setting(
        "WHEREABOUTS_MERAKI_SITES", .checkedSecret(MerakiSites.form), .optional,
        help: "validators and secrets of Cisco Meraki's Scanning API")

    private static let recentScans = Setting(
        "WHEREABOUTS_RECENT_SCANS", .integer(1_000...10_000_000), .defaultsTo("131072"),
        help: "scan ids that scan-ingest remembers, to refuse a different scan with the same id")

    private static let ownAddress = Setting(
        "WHEREABOUTS_SCAN_INGEST_SELF_URL", .url(schemes: ["http", "https"]), .optional,
        help: "address at which other copies of scan-ingest reach this one; else the one that it "
            + "listens at")
}
