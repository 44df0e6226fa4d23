import EventLog
import Events
import HTTP
import HTTPClient
public import ServiceHost
import ServiceRuntime
import Wire

/// The service that receives scans and surveys.
public enum ScanIngestDefinition {
    public static let definition = ServiceDefinition(
        name: "scan-ingest", summary: "receives scans and surveys and appends them to the log",
        settings: ScanIngestSettings.all, hasViews: false,
        neighbours: ["site-editor", "fingerprint-builder", "locator"],
        requirements: { MQTTSettings.missing(in: $0) }, make: make)

    private static func make(_ host: Host) -> ServiceParts {
        let settings = ScanIngestSettings(host.configuration)
        let privacy = ScanPrivacy(
            directory: PrivacyDirectory(), tokens: host.tokens, clock: host.clock,
            metrics: host.context.metrics)
        let requests = ScanRequestDirectory()
        let board = board(host, settings, requests)
        let intake = ScanIntake(
            sites: host.sites, tokens: host.tokens, blocks: host.senderBlocks, clock: host.clock,
            recent: RecentScans(limit: settings.recentScans), privacy: privacy,
            erased: host.erased, requests: requests)
        let fetching = PrivacyFetching(
            editor: host.neighbour(
                "site-editor", asItself: true, maximumBytes: PrivacyFetching.mostBytes),
            directory: privacy.directory, notices: host.notices)
        let learning = NetworkLearning(
            builder: host.neighbour("fingerprint-builder", asItself: true), sites: host.sites,
            privacy: privacy, notices: host.notices)
        let inbound = InboundScans(
            intake: intake,
            sender: InboundSender(
                tokens: host.tokens, proof: settings.inboundProof,
                serviceSecret: host.serviceSecret, onUnexpected: { host.unexpected($0) }),
            serviceSecret: host.serviceSecret, privacy: privacy,
            patience: host.now.advanced(byMicroseconds: PrivacyFetching.patienceMicroseconds))
        let processor = Processor<InboundQuotas>(
            log: host.log,
            configuration: .init(
                group: "scan-ingest", input: Topic.scansInbound.name, stateTopic: nil),
            emptyState: { _ in InboundQuotas() }, restore: { _, _ in },
            work: { quotas, records in try inbound.work(&quotas, records) },
            deadLetters: host.deadLetters(of: "scan-ingest", source: ScanIntake.source),
            notices: host.notices)
        let joining = SightingJoining(
            rules: settings.sightings, erased: host.erased, clock: host.clock,
            metrics: host.context.metrics, onUnexpected: { host.unexpected($0) })
        let routes = ScanRoutes(
            intake: intake, log: host.log, board: board, metrics: host.context.metrics,
            settings: settings)
        let sightings = SightingIntake(
            scans: intake, log: host.log,
            unknownNodes: UnknownNodes(
                metrics: host.context.metrics, onUnexpected: { host.unexpected($0) }))
        let sink = ForeignSightings(
            intake: sightings, clock: host.clock, metrics: host.context.metrics)
        return ServiceParts(
            routes: routes.all + ResultRoutes(intake: intake, board: board).all
                + SightingRoutes(intake: sightings, metrics: host.context.metrics).all
                + taps(host, intake) + foreignRoutes(host, settings, routes, sink),
            components: nodes(host, settings, sink) + [
                host.loop("day-keys") { await fetching.run() },
                host.loop("known-networks") { await learning.run() },
                host.consumer("scans-inbound") { try await processor.run() },
                host.senderWatch(), host.erasureTable(),
                host.scanRequestTable(requests) { board.changed($0) },
                host.loopWithoutLog("held results") { await board.sweep() },
                host.lagWatch(group: "scan-ingest", topics: [Topic.scansInbound.name]),
            ] + joinsSightings(host, joining))
    }

    private static func taps(_ host: Host, _ intake: ScanIntake) -> [Route] {
        let taps = TapIntake(scans: intake, quotas: TapQuotas())
        return TapRoutes(intake: taps, log: host.log, metrics: host.context.metrics).all
    }

    private static func joinsSightings(
        _ host: Host, _ joining: SightingJoining
    ) -> [any Component] {
        let processor = joining.processor(host)
        return [
            host.consumer("sightings") { try await processor.run() },
            host.loop("silent partitions of sightings") {
                await joining.silent.run(host.log, host.clock, host.notices)
            },
            host.lagWatch(group: SightingJoining.group, topics: [Topic.sightings.name]),
        ]
    }

    /// The paths at which other systems send.
    private static func foreignRoutes(
        _ host: Host, _ settings: ScanIngestSettings, _ routes: ScanRoutes,
        _ sink: any SightingSink
    ) -> [Route] {
        let find3 = FIND3Route(
            intake: routes.intake, log: routes.log, accepted: routes.accepted,
            rejected: routes.rejected)
        let meraki = MerakiRoutes(
            networks: settings.meraki, sink: sink, metrics: host.context.metrics)
        return [find3.route] + meraki.all
    }

    /// Hears nodes, where a broker is set.
    private static func nodes(
        _ host: Host, _ settings: ScanIngestSettings, _ sink: any SightingSink
    ) -> [any Component] {
        guard let mqtt = settings.mqtt else { return [] }
        let messages = NodeMessages(
            settings: mqtt, sink: sink, clock: host.clock, notices: host.notices,
            metrics: host.context.metrics)
        return [host.loop("mqtt") { await messages.run() }]
    }

    private static func board(
        _ host: Host, _ settings: ScanIngestSettings, _ requests: ScanRequestDirectory
    ) -> ScanSwitchboard {
        let headers = [
            (name: "authorization", value: "Bearer \(host.serviceSecret)"),
            (name: "content-type", value: "application/json"),
        ]
        return ScanSwitchboard(
            directory: requests, sites: host.sites, clock: host.clock, log: host.log,
            ownAddress: settings.ownAddress ?? host.ownAddress,
            locator: host.address(of: "locator"), notices: host.notices
        ) { [client = host.client] url, body, seconds in
            let answer = try await client.send(
                "POST", url, headers: headers, body: body, timeoutSeconds: seconds)
            return (answer.status, answer.body)
        }
    }
}
