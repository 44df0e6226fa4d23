import EventLog
import Events
public import LogViews
import Positioning
public import ServiceHost
import ServiceRuntime
import Visits
import Wire

/// The service that turns scans into positions and answers where things are.
public enum LocatorDefinition {
    public static let definition = ServiceDefinition(
        name: "locator", summary: "turns scans into positions; answers where a device is",
        settings: ServiceSettings.locator, hasViews: true, make: make)

    /// The tables of positions.
    public static func view(_ host: Host) -> any View { PositionsView(host: host) }

    /// The table of visits.
    public static func visitsView(_ host: Host) -> any View { VisitsView(host: host) }

    /// On PostgreSQL several members commit side by side, so that a scan does not wait for the commit
    /// of those before it; PostgreSQL flushes their commits together.
    private static func members(
        _ host: Host, _ maps: RadioMaps, _ processor: Processor<PartitionState>
    ) -> [any Component] {
        let isKafka = host.configuration.text("WHEREABOUTS_LOG") == "kafka"
        let count =
            host.configuration.optionalInteger("WHEREABOUTS_LOCATOR_MEMBERS") ?? (isKafka ? 1 : 4)
        return (1...count).map { number in
            host.loop("locator \(number)") {
                await maps.untilTried()
                await processor.run()
            }
        }
    }

    /// Takes scans and appends positions, state and offsets in one transaction.
    static func processor(
        _ host: Host, _ locating: Locating,
        work: @escaping @Sendable (inout PartitionState, [StoredRecord]) async throws -> [LogRecord]
    ) -> Processor<PartitionState> {
        Processor(
            log: host.log,
            configuration: .init(
                group: "locator", input: Topic.scans.name, stateTopic: Topic.locatorState.name,
                batchLimit: host.configuration.integer("WHEREABOUTS_LOCATOR_BATCH")),
            emptyState: { _ in PartitionState() },
            restore: { locating.restore(&$0, $1) }, work: work, notices: host.notices)
    }

    private static func make(_ host: Host) -> ServiceParts {
        let name = host.configuration.text("WHEREABOUTS_POSITIONER")
        guard let positioner = PositionerRegistry.standard[name] else {
            preconditionFailure("the setting was checked by the same registry")
        }
        let pool = host.requiredDatabase()
        let maps = RadioMaps(host: host, positioners: [WorkingPositioner(positioner: positioner)])
        let locating = Locating(
            host: host, maps: maps, rules: VisitRules(host), visited: VisitedPartitions())
        let processor = processor(host, locating) { state, records in
            try await locating.work(&state, records)
        }
        let projector = Projector(
            view(host), log: host.log, pool: pool, notices: host.notices)
        let visits = Projector(
            visitsView(host), log: host.log, pool: pool, notices: host.notices)
        let routes = LocatorRoutes(
            host: host, locating: locating,
            stream: PositionStream(
                host: host, limit: host.configuration.integer("WHEREABOUTS_STREAMS")),
            pool: pool)
        return ServiceParts(
            routes: routes.all,
            components: [
                host.loop("radio-maps") { await maps.run() }
            ] + members(host, maps, processor) + [
                host.loop("silent partitions") { await locating.visited.run(host) },
                host.loop("positions-view") { try await projector.run() },
                host.loop("visits-view") { try await visits.run() },
                host.lagWatch(group: "locator", topics: [Topic.scans.name]),
                host.lagWatch(view: view(host)), host.lagWatch(view: visitsView(host)),
            ])
    }
}
