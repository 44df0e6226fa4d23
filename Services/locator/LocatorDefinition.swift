public import Backups
import Devices
import EventLog
import Events
import HTTP
public import LogViews
import Positioners
import Positioning
import Postgres
import Retrying
public import ServiceHost
import ServiceRuntime
import Wire

/// The service that turns scans into positions and answers where devices are.
public enum LocatorDefinition {
    public static let definition = ServiceDefinition(
        name: "locator", summary: "turns scans into positions; answers where a device is",
        settings: LocatorSettings.all, hasViews: true, neighbours: ["fingerprint-builder"],
        requirements: { PositionerSettings.faults(in: $0) }, make: make)

    public static func view(_ host: Host) -> any View {
        PositionsView(daysKept: host.retentionDays(of: .positions))
    }

    /// The tables that a backup holds. Views are made from the log again.
    public static let backupStores = [BackupStore(ClosedCounts.migrator)]

    public static func visitsView(_ host: Host) -> any View {
        VisitsView(daysKept: host.retentionDays(of: .visits))
    }

    static func knownSites(
        _ host: Host, _ positioners: [WorkingPositioner], patience: Duration = .seconds(30)
    ) -> KnownSites {
        KnownSites(
            log: host.log, published: host.sites,
            mapStore: host.neighbour("fingerprint-builder", asItself: true),
            notices: host.notices, positioners: positioners, patience: patience)
    }

    static func locating(_ host: Host, _ sites: KnownSites, _ rules: VisitRules) -> Locating {
        Locating(
            sites: sites, rules: rules, visited: VisitedPartitions(), clock: host.clock,
            erased: host.erased,
            figures: LocatingFigures(host.context.metrics) { [clock = host.clock] in clock.now },
            onUnexpected: { host.unexpected($0) })
    }

    /// Prepares the default positioner, then the others that sites may select.
    static func working(
        _ host: Host, _ settings: PositionerSettings
    ) -> [WorkingPositioner] {
        settings.options.enumerated().map { index, option in
            WorkingPositioner(
                positioner: option.positioner(
                    settings: .serving(
                        answerLimit: settings.programAnswer,
                        mayUseNetwork: settings.programsMayUseNetwork),
                    note: { host.unexpected($0) },
                    onHealth: programHealth(host, option, isDefault: index == 0)),
                option: option.text, isProgram: option.isProgram)
        }
    }

    /// A service whose default positioner does not work is not ready: most sites could only get
    /// the answer "lost".
    private static func programHealth(
        _ host: Host, _ option: PositionerOption, isDefault: Bool
    ) -> @Sendable (String?) -> Void {
        let works = host.context.metrics.gauge(
            "whereabouts_positioner_works", help: "1 while the positioner works, else 0.",
            labels: ["positioner": option.name])
        works.set(1)
        guard option.isProgram else { return { _ in } }
        let check =
            isDefault ? host.context.health.check("positioner", initially: .ready) : nil
        return { [log = host.context.log] reason in
            if reason == nil { log.info("The positioner \(option.name) works again.") }
            works.set(reason == nil ? 1 : 0)
            check?.set(reason.map { .failing(reason: $0) } ?? .ready)
        }
    }

    /// The longest work on a batch. A member that works for more than ten seconds loses its
    /// partitions. Half of that is left for programs that use their full time.
    private static let longestBatch = Duration.seconds(5)

    private static func batchLimit(_ settings: LocatorSettings, _ sites: KnownSites) -> Int {
        let programs = sites.stock.mostPrograms
        guard programs > 0 else { return settings.batch }
        let scans = longestBatch / (settings.positioners.programAnswer * programs)
        return min(settings.batch, max(1, Int(scans)))
    }

    /// Runs the members of the locator's group. On PostgreSQL several members commit side by side,
    /// so a scan does not wait for earlier commits. PostgreSQL flushes their commits together.
    private static func members(
        _ host: Host, _ settings: LocatorSettings, _ locating: Locating,
        _ processor: Processor<DeviceTable>
    ) -> [any Component] {
        (1...settings.members).map { number in
            host.consumer("locator \(number)") {
                await locating.sites.untilTried()
                await locating.sites.untilRoutesAreRead()
                try await processor.run()
            }
        }
    }

    /// Reads scans, and appends positions, state and offsets in one transaction.
    static func processor(
        _ host: Host, _ settings: LocatorSettings, _ locating: Locating,
        work:
            @escaping @Sendable (
                inout DeviceTable, [StoredRecord]
            ) async throws -> ProcessorOutputs
    ) -> Processor<DeviceTable> {
        Processor(
            log: host.log,
            configuration: .init(
                group: "locator", input: Topic.scans.name, stateTopic: Topic.locatorState.name,
                batchLimit: batchLimit(settings, locating.sites)),
            emptyState: { _ in DeviceTable() },
            restore: { locating.restore(&$0, $1) },
            // Ids of scans are stored once a minute; what came since stands in the positions.
            tail: .init(
                topic: Topic.positions.name,
                from: { $0.seen.restoredUntil?.microseconds },
                restore: { locating.restoreLocated(&$0, $1) }), work: work,
            isReady: { locating.isReady($0) },
            deadLetters: host.deadLetters(of: "locator", source: Locating.source),
            notices: host.notices)
    }

    private static let sweepPause = Duration.seconds(600)
    /// The longest time for which a reader may keep old tables from being dropped without a report.
    private static let readersLimit = Duration.seconds(3_600)

    /// Drops old rows regularly, whether or not new ones come.
    private static func keepRetention(
        _ host: Host, _ pool: PostgresPool, _ positions: PositionsView, _ visits: VisitsView,
        _ smoothed: PositionsView
    ) async {
        await host.untilDone("Dropping old rows of positions and visits") { retry in
            var sweptAt = ContinuousClock.now
            while !Task.isCancelled {
                var isFree = try await positions.sweep(pool, now: host.now)
                let earliest = host.now.advanced(
                    byMicroseconds: -host.erasureRetention.components.seconds * 1_000_000)
                try await Erasures.forget(
                    before: earliest, schemas: (positions.schema, visits.schema), pool)
                try await Erasures.forget(
                    before: earliest, of: smoothed.schema, unlessIn: positions.schema, pool)
                if try await !smoothed.sweep(pool, now: host.now) { isFree = false }
                if try await visits.sweep(pool, now: host.now), isFree {
                    sweptAt = .now
                    retry.ended()
                } else if .now - sweptAt > readersLimit {
                    retry.failed(EndlessReader())
                }
                try? await Task.sleep(for: sweepPause)
            }
        }
    }

    /// Keeps radio maps, magnetic routes, erased devices and batteries up to date.
    private static func knowing(
        _ host: Host, _ sites: KnownSites, _ batteries: BatteryDirectory
    ) -> [any Component] {
        [
            host.loop("radio-maps") {
                let health = host.context.health.check("radio-maps")
                await sites.run { health.set(.ready) }
            },
            host.loop("magnetic-routes") {
                let health = host.context.health.check("magnetic-routes")
                await sites.runRoutes { health.set(.ready) }
            },
            host.erasureTable(),
        ] + BatteryTable(host: host, directory: batteries).components
    }

    private static func erasing(
        _ host: Host, _ pool: PostgresPool
    ) -> ErasingLog {
        ErasingLog(
            log: host.log, pool: pool,
            rowsTellAll: host.retentionDays(of: .positions) >= host.retentionDays(of: .scans))
    }

    private typealias Hubs = (positions: StreamHub, groups: StreamHub, batteries: StreamHub)

    /// The readers of all streams, whose clients are counted together.
    private static func hubs(_ host: Host, _ settings: LocatorSettings) -> Hubs {
        let limits = StreamHub.Limits(
            streams: settings.streams, streamsOfToken: settings.streamsOfToken)
        let places = StreamPlaces(limits)
        places.show(in: host.context.metrics)
        func hub(_ source: StreamSource) -> StreamHub {
            StreamHub(
                source, log: host.log,
                erased: source.isOfDevices ? host.erased : ErasureDirectory(ErasedDevices()),
                notices: host.notices, limits: limits, places: places)
        }
        return (hub(.positions), hub(.groups), hub(.batteries))
    }

    private static func make(_ host: Host) throws -> ServiceParts {
        let settings = try LocatorSettings(host.configuration)
        let pool = host.requiredDatabase()
        let sites = knownSites(host, working(host, settings.positioners))
        let locating = locating(host, sites, settings.visits)
        let processor = processor(host, settings, locating) { devices, records in
            try await locating.work(&devices, records)
        }
        let hubs = hubs(host, settings)
        let view = PositionsView(daysKept: host.retentionDays(of: .positions))
        let smoothed = smoothedPositions(host)
        let visits = VisitsView(daysKept: host.retentionDays(of: .visits))
        let stream = EventStream(hub: hubs.positions)
        let routes = LocatorRoutes(
            published: host.sites, log: host.log, clock: host.clock, security: host.security,
            locating: locating,
            former: FormerSites(
                sites: sites, siteEditor: host.neighbour("site-editor", asItself: true)),
            stream: stream, groupStream: EventStream(hub: hubs.groups, beside: stream),
            batteryStream: EventStream(hub: hubs.batteries, beside: stream),
            stored: StoredPositions(pool),
            seal: MemorySeal(secret: host.serviceSecret))
        return ServiceParts(
            routes: reading(
                routes.all + [
                    smoothedHistory(host, routes, pool),
                    PairedPositionRoute(
                        published: host.sites, clock: host.clock,
                        siteEditor: host.neighbour("site-editor", asItself: false), pool: pool
                    ).route,
                ], of: host, view, smoothed, visits
            ) + ErasureRoutes(pool: pool).all,
            components: knowing(host, sites, locating.batteries)
                + members(host, settings, locating, processor) + smoothing(host) + [
                    host.loop("silent partitions") {
                        await locating.visited.run(host.log, host.clock, host.notices)
                    },
                    host.keeping(view, source: Locating.source),
                    host.keeping(smoothed, source: Locating.source),
                    host.keeping(visits, source: Locating.source),
                    host.loop("retention of views") {
                        await keepRetention(host, pool, view, visits, smoothed)
                    },
                    host.loop("ended tests") {
                        await host.untilDone("Removing positions of tests that have ended") {
                            try await EndedTests(sites: host.sites, pool: pool).run(&$0)
                        }
                    },
                    host.loop("counts") {
                        await QuarterCloser(
                            log: host.log, pool: pool, visits: visits, clock: host.clock
                        ).run(host.notices)
                    },
                    host.loop("erasures") {
                        await erasing(host, pool).run(host.notices)
                    },
                ] + streaming(host, hubs) + watching(host, view, smoothed, visits))
    }

    private static func streaming(_ host: Host, _ hubs: Hubs) -> [any Component] {
        [
            host.loop("position-streams") { await hubs.positions.run() },
            host.loop("group-streams") { await hubs.groups.run() },
            host.loop("battery-streams") { await hubs.batteries.run() },
            host.loop("stream beats") {
                try await StreamHub.beat([hubs.positions, hubs.groups, hubs.batteries])
            },
        ]
    }

    /// The routes, of which each reads its view.
    private static func reading(
        _ routes: [Route], of host: Host, _ positions: PositionsView, _ smoothed: PositionsView,
        _ visits: VisitsView
    ) -> [Route] {
        routes.reading(
            positions, of: host,
            at: [
                "/v1/positions", "/v1/positions/latest", "/v1/positions/{id}",
                "/v1/positions/{id}/explain", "/v1/sites/{site}/pairings/{id}/position",
                "/v1/sites/{site}/replay", "/v1/sites/{site}/room-hours",
            ]
        ).reading(smoothed, of: host, at: ["/v1/positions-smoothed"])
            .reading(
                visits, of: host,
                at: ["/v1/visits", "/v1/group-visits", "/v1/sites/{site}/visit-summary"])
    }

    /// Measures how far the locator and its views are behind.
    private static func watching(
        _ host: Host, _ views: any View...
    ) -> [any Component] {
        [
            host.lagWatch(group: "locator", topics: [Topic.scans.name]),
            host.transactionWatch(
                topics: [
                    .scans, .positions, .visits, .locatorState, .positionsSmoothed,
                    .smoothingWindows,
                ].map(\Topic.name)),
        ] + views.map { host.lagWatch(view: $0) }
    }
}

/// A reader holds tables for so long that old rows can't be dropped.
private struct EndlessReader: CausedFault, CustomStringConvertible {
    var cause: FaultCause { .world }
    let description =
        "a session has kept tables of the schemas locator, smoothed or visits for over an hour: "
        + "look for the oldest xact_start in pg_stat_activity, and end it by pg_terminate_backend"
}
