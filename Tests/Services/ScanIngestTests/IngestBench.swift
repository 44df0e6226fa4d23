import Events
import MemoryLog
import Privacy
import SampleSites
import ServiceBench
import ServiceHost
import Wire

@testable import ScanIngest

/// Scan-ingest in memory, with the sample site published.
struct IngestBench {
    static let site = SampleSite.id
    let bench: ServiceBench
    let app: Served
    let inbound: InboundScans
    let privacy: ScanPrivacy
    let sightings: SightingIntake
    let taps: TapIntake
    var erased: ErasureDirectory { inbound.intake.erased }

    /// - Parameter queuedRecords: the most records that may wait for the log.
    init(
        over transport: Transport = .memory, isStarting: Bool = false,
        queuedRecords: Int = 1_000
    ) async throws {
        bench = try await ServiceBench(isStarting: isStarting)
        if !isStarting { bench.publish(SampleSite.index, as: Self.site) }
        let settings = ScanIngestSettings(
            try bench.configuration(
                ScanIngestSettings.all, ["WHEREABOUTS_RECENT_SCANS": "1000"]))
        privacy = ScanPrivacy(
            directory: PrivacyDirectory(), tokens: bench.tokens, clock: bench.clock,
            metrics: bench.metrics)
        let requests = ScanRequestDirectory()
        if !isStarting { requests.markReady() }
        let board = ScanSwitchboard(
            directory: requests, sites: bench.sites, clock: bench.clock, log: bench.log,
            ownAddress: "http://here", locator: "http://locator", notices: bench.notices
        ) { _, _, _ in (404, []) }
        let intake = ScanIntake(
            sites: bench.sites, tokens: bench.tokens, blocks: bench.blocks, clock: bench.clock,
            recent: RecentScans(limit: settings.recentScans), privacy: privacy,
            erased: ErasureDirectory(isStarting ? nil : ErasedDevices()), requests: requests)
        let routes = ScanRoutes(
            intake: intake,
            log: MemoryLog(bench.server, maximumQueuedRecords: queuedRecords), board: board,
            metrics: bench.metrics, settings: settings)
        sightings = SightingIntake(
            scans: intake, log: bench.log,
            unknownNodes: UnknownNodes(
                metrics: bench.metrics, onUnexpected: bench.onUnexpected))
        taps = TapIntake(scans: intake, quotas: TapQuotas())
        app = try bench.serve(
            routes.all + SightingRoutes(intake: sightings, metrics: bench.metrics).all
                + TapRoutes(
                    intake: taps,
                    log: MemoryLog(bench.server, maximumQueuedRecords: queuedRecords),
                    metrics: bench.metrics
                ).all,
            over: transport)
        inbound = InboundScans(
            intake: intake,
            sender: InboundSender(
                tokens: bench.tokens, proof: settings.inboundProof,
                serviceSecret: ServiceBench.serviceSecret, onUnexpected: bench.onUnexpected),
            serviceSecret: ServiceBench.serviceSecret, privacy: privacy,
            patience: ServiceBench.start)
    }

    /// Three days of keys around the bench's first day, which begins at its start.
    static let keys = DayKeys(
        (Int64(-1)...1).map { number in
            let day: Int64 = 86_400_000_000
            return DayKey(
                begins: ServiceBench.start.advanced(byMicroseconds: number * day),
                ends: ServiceBench.start.advanced(byMicroseconds: (number + 1) * day),
                secret: [UInt8](repeating: UInt8(number + 2), count: DayKey.secretBytes))
        })

    /// Hands over keys and devices, as site-editor does.
    func hand(enrolled: Set<DeviceID> = [], identities: [SitePrivacy.Identity] = []) {
        privacy.directory.replace(with: [
            Self.site: SitePrivacy(
                keys: Self.keys, enrolled: enrolled, identities: identities)
        ])
    }

    /// The token of a device of the sample site.
    func phone(quota: TokenQuota? = nil) -> String {
        bench.issue(.device, site: Self.site, device: DeviceID("phone"), quota: quota)
    }

    /// - Parameter members: members of the scan beside its time and readings.
    static func scan(_ members: String = "", rssi: Int = -50) -> String {
        let comma = members.isEmpty ? "" : ", "
        return #"{"at": "2026-11-21T08:00:00Z", "wifi": [{"bssid": "02:00:00:00:00:01", "#
            + #""rssi": \#(rssi)}]\#(comma)\#(members)}"#
    }

    static func id(_ number: Int) -> String {
        let text = EventID(high: 9, low: UInt64(number)).description
        return #""id": "\#(text)""#
    }

    func send(
        _ body: String, _ token: String, to path: String = "/v1/scans"
    ) async throws -> Answer {
        try await app.send("POST", path, token: token, body: body)
    }

    func scans() async throws -> [ScanRecorded] {
        try await bench.records(of: .scans).map { try ScanRecorded(record: $0) }
    }

    func surveys() async throws -> [SurveyRecorded] {
        try await bench.records(of: .surveyRecords).map { try SurveyRecorded(record: $0) }
    }
}
