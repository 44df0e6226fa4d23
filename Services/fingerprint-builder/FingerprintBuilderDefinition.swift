public import Backups
import EventLog
import HTTP
public import LogViews
import Positioners
import Postgres
public import ServiceHost
import ServiceRuntime
import Wire

/// The service that turns surveys into radio maps.
public enum FingerprintBuilderDefinition {
    public static let definition = ServiceDefinition(
        name: "fingerprint-builder", summary: "turns surveys into fingerprints and radio maps",
        settings: FingerprintBuilderSettings.all, hasViews: true, make: make)

    public static func view(_ host: Host) -> any View { SurveysView() }

    /// The view of what nodes hear of one another.
    public static func nodesView(_ host: Host) -> any View { NodeHearingsView(sites: host.sites) }

    /// The steps that make the service's own tables.
    private static var migrators: [Migrator] {
        [RadioMapStore.migrator, MagneticRouteStore.migrator]
    }

    /// The tables that a backup holds.
    public static var backupStores: [BackupStore] {
        [
            BackupStore(
                RadioMapStore.migrator, outbox: RadioMapStore.outbox,
                announced: { try Announcements.putMaps($0, $2) }),
            BackupStore(
                MagneticRouteStore.migrator, outbox: MagneticRouteStore.outbox,
                announced: { try Announcements.putRoutes($0, $2) }),
        ]
    }

    /// Brings the tables up to the log, or a lost log up to the tables.
    ///
    /// - Returns: nil where both fit.
    public static func reconcile(
        _ host: Host, _ order: ReconcileOrder
    ) async throws -> ReconcileReport? {
        if !order.isCheck { try await migrate(host.requiredDatabase()) }
        let maps = try await MapReconciling(host: host, order: order).run()
        let routes = try await RouteReconciling(host: host, order: order).run()
        guard var report = maps ?? routes else { return nil }
        if maps != nil, let routes { report.add(routes) }
        return report
    }

    /// The routes that read the view's tables.
    private static let readers: Set<String> = [
        "/v1/sites/{site}/access-points", "/v1/sites/{site}/access-points/{id}",
        "/v1/sites/{site}/measurements", "/v1/sites/{site}/measurements/{id}",
        "/v1/sites/{site}/surveys", "/v1/sites/{site}/survey-reviews",
        "/v1/sites/{site}/taps", "/v1/sites/{site}/taps/{id}/survey",
    ]

    private static func make(_ host: Host) throws -> ServiceParts {
        let settings = FingerprintBuilderSettings(host.configuration)
        let pool = host.requiredDatabase()
        let (bell, routeBell) = (OutboxBell(), OutboxBell())
        let store = RadioMapStore(
            pool: pool, positionsKept: .seconds(host.retentionDays(of: .positions) * 86_400),
            bell: bell)
        let view = SurveysView()
        let changes = ChangeCounter()
        host.sites.countChanges(in: changes)
        let (mapGuard, routeGuard) = (OutboxGuard(), OutboxGuard())
        let builder = MapBuilder(
            sites: host.sites, log: host.log, clock: host.clock, notices: host.notices,
            pool: pool, store: store, view: view,
            quiet: settings.mapQuiet, latest: settings.mapLatest, guarding: mapGuard,
            changes: changes)
        let nodesView = nodesView(host)
        let nodeKeeper = NodeKeeper(
            sites: host.sites, clock: host.clock, notices: host.notices,
            store: NodeStore(pool: pool, bell: bell), interval: settings.nodeInterval,
            guarding: mapGuard)
        let comparisonKeeper = try comparisonKeeper(host, store, mapGuard)
        let health = host.context.health.check("radio-map-store")
        return ServiceParts(
            routes: try routes(host, pool, store, view, bell, routeBell)
                .refusingChanges(unless: [mapGuard, routeGuard]),
            components: [
                host.keeping(view, source: MapBuilder.source, changes: changes),
                host.lagWatch(view: view), host.outboxWatch(RadioMapStore.outbox),
                host.keeping(nodesView, source: MapBuilder.source), host.lagWatch(view: nodesView),
                host.outboxWatch(MagneticRouteStore.outbox),
                host.fitWatch(RadioMapStore.outbox, mapGuard),
                host.fitWatch(MagneticRouteStore.outbox, routeGuard),
                SurveyCopying.component(host),
                host.lagWatch(group: SurveyCopying.group, topics: [Topic.surveys.name]),
                host.loop("radio-maps-store") {
                    await prepare(host, pool)
                    health.set(.ready)
                    await withTaskGroup { group in
                        group.addTask { await qualityKeeper(host, store, settings, changes).run() }
                        group.addTask {
                            await MagneticRouteStore.outbox.relay(
                                log: host.log, pool: pool, guarding: routeGuard,
                                bell: routeBell, notices: host.notices)
                        }
                        // A new map would get the number of one that is on the log.
                        await mapGuard.untilFitting()
                        group.addTask { await builder.run() }
                        group.addTask { await chooser(host, store, settings, changes).run() }
                        group.addTask { await nodeKeeper.run() }
                        group.addTask { await tapKeeper(host, store, view, mapGuard).run() }
                        group.addTask { await visitorKeeper(host, store, mapGuard).run() }
                        group.addTask { await comparisonKeeper.run() }
                        group.addTask { await send(host, pool, mapGuard, bell, changes) }
                    }
                },
            ])
    }

    private static func qualityKeeper(
        _ host: Host, _ store: RadioMapStore, _ settings: FingerprintBuilderSettings,
        _ changes: ChangeCounter
    ) -> QualityKeeper {
        QualityKeeper(
            sites: host.sites, notices: host.notices, pool: store.pool, maps: store,
            store: QualityStore(pool: store.pool), quiet: settings.qualityQuiet,
            changes: changes)
    }

    private static func chooser(
        _ host: Host, _ store: RadioMapStore, _ settings: FingerprintBuilderSettings,
        _ changes: ChangeCounter
    ) -> PositionerChooser {
        PositionerChooser(
            clock: host.clock, notices: host.notices, store: store,
            quiet: settings.qualityQuiet, changes: changes)
    }

    private static func tapKeeper(
        _ host: Host, _ store: RadioMapStore, _ view: SurveysView, _ guarding: OutboxGuard
    ) -> TapKeeper {
        TapKeeper(
            sites: host.sites, log: host.log, clock: host.clock, notices: host.notices,
            pool: store.pool, maps: store, view: view, daysKept: host.retentionDays(of: .taps),
            guarding: guarding)
    }

    private static func visitorKeeper(
        _ host: Host, _ store: RadioMapStore, _ guarding: OutboxGuard
    ) -> VisitorKeeper {
        VisitorKeeper(
            sites: host.sites, log: host.log, clock: host.clock, notices: host.notices, maps: store,
            store: VisitorStore(pool: store.pool), guarding: guarding)
    }

    private static func comparisonKeeper(
        _ host: Host, _ store: RadioMapStore, _ guarding: OutboxGuard
    ) throws -> ComparisonKeeper {
        ComparisonKeeper(
            sites: host.sites, clock: host.clock, notices: host.notices, maps: store,
            taps: TapStore(pool: store.pool), store: ComparisonStore(pool: store.pool),
            stock: try PositionerSettings.candidates(host.configuration), guarding: guarding)
    }

    private static func routes(
        _ host: Host, _ pool: PostgresPool, _ store: RadioMapStore, _ view: SurveysView,
        _ bell: OutboxBell, _ routeBell: OutboxBell
    ) throws -> [Route] {
        let surveys = SurveyRoutes(
            sites: host.sites, clock: host.clock, security: host.security, pool: pool,
            maps: store, bell: bell)
        let heard =
            FingerprintRoutes(sites: host.sites, pool: pool, store: store).all
            + MeasurementRoutes(sites: host.sites, pool: pool).all
            + NodeRoutes(sites: host.sites, store: NodeStore(pool: pool)).all
            + TapRoutes(sites: host.sites, pool: pool, bell: bell).all
        return (heard + surveys.all).reading(view, of: host, at: readers)
            + MagneticRouteRoutes(
                sites: host.sites, clock: host.clock,
                store: MagneticRouteStore(pool: pool, bell: routeBell)
            ).all
            + SelectionRoutes(
                sites: host.sites, clock: host.clock, security: host.security,
                allowed: try PositionerSettings.names(host.configuration),
                store: SelectionStore(pool: pool, bell: bell)
            ).all
            + ComparisonRoutes(
                sites: host.sites, selections: SelectionStore(pool: pool, bell: bell),
                store: ComparisonStore(pool: pool)
            ).all
            + QualityRoutes(sites: host.sites, clock: host.clock, pool: pool).all
            + SurveyErasureRoutes(pool: pool).all
    }

    /// Sends events of maps and selections, and tombstones of surveys.
    private static func send(
        _ host: Host, _ pool: PostgresPool, _ guarding: OutboxGuard, _ bell: OutboxBell,
        _ changes: ChangeCounter
    ) async {
        async let removed: Void = SurveyRemoval(
            log: host.log, pool: pool, bell: bell, erasuresKept: host.erasureRetention,
            changes: changes
        ).run(host.notices)
        async let unselected: Void = SelectionKeeper(
            sites: host.sites, clock: host.clock, store: SelectionStore(pool: pool, bell: bell),
            guarding: guarding
        ).run(host.notices)
        await RadioMapStore.outbox.relay(
            log: host.log, pool: pool, guarding: guarding, bell: bell, notices: host.notices)
        _ = await (removed, unselected)
    }

    private static func prepare(_ host: Host, _ pool: PostgresPool) async {
        await host.untilDone("Preparing the radio map store") { _ in
            try await migrate(pool)
            try await MagneticRouteStore(pool: pool).repeatRecordings(source: MapBuilder.source)
        }
    }

    private static func migrate(_ pool: PostgresPool) async throws {
        try await pool.withConnection { connection in
            for migrator in migrators { _ = try await migrator.migrate(connection) }
        }
    }
}
