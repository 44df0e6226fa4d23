public import Backups
import EventLog
public import LogViews
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

    /// The steps that make the service's own tables.
    private static var migrators: [Migrator] {
        [RadioMapStore.migrator, MagneticRouteStore.migrator]
    }

    /// The tables that a backup holds.
    public static var backupStores: [BackupStore] { migrators.map { BackupStore($0) } }

    /// The routes that read the view's tables.
    private static let readers: Set<String> = [
        "/v1/sites/{site}/access-points", "/v1/sites/{site}/measurements",
        "/v1/sites/{site}/surveys", "/v1/sites/{site}/survey-reviews",
    ]

    private static func make(_ host: Host) -> ServiceParts {
        let settings = FingerprintBuilderSettings(host.configuration)
        let pool = host.requiredDatabase()
        let store = RadioMapStore(
            pool: pool, positionsKept: .seconds(host.retentionDays(of: .positions) * 86_400))
        let view = SurveysView()
        let builder = MapBuilder(
            sites: host.sites, log: host.log, clock: host.clock, notices: host.notices,
            pool: pool, store: store, view: view,
            quiet: settings.mapQuiet, latest: settings.mapLatest)
        let keeper = QualityKeeper(
            sites: host.sites, notices: host.notices, pool: pool, maps: store,
            store: QualityStore(pool: pool), quiet: settings.qualityQuiet)
        let chooser = PositionerChooser(
            clock: host.clock, notices: host.notices, store: store, quiet: settings.qualityQuiet)
        let bell = OutboxBell()
        let health = host.context.health.check("radio-map-store")
        return ServiceParts(
            routes: (FingerprintRoutes(sites: host.sites, pool: pool, store: store).all
                + SurveyRoutes(
                    sites: host.sites, clock: host.clock, security: host.security, pool: pool,
                    maps: store, bell: bell
                ).all)
                .reading(view, of: host, at: readers)
                + MagneticRouteRoutes(
                    sites: host.sites, clock: host.clock, store: MagneticRouteStore(pool: pool)
                ).all
                + QualityRoutes(sites: host.sites, pool: pool).all
                + SurveyErasureRoutes(pool: pool).all,
            components: [
                host.keeping(view, source: MapBuilder.source),
                host.lagWatch(view: view), host.outboxWatch(RadioMapStore.outbox),
                host.outboxWatch(MagneticRouteStore.outbox),
                SurveyCopying.component(host),
                host.lagWatch(group: SurveyCopying.group, topics: [Topic.surveys.name]),
                host.loop("radio-maps-store") {
                    await prepare(host, pool)
                    health.set(.ready)
                    await withTaskGroup { group in
                        group.addTask { await builder.run() }
                        group.addTask { await keeper.run() }
                        group.addTask { await chooser.run() }
                        group.addTask {
                            await SurveyRemoval(
                                log: host.log, pool: pool, bell: bell,
                                erasuresKept: host.erasureRetention
                            ).run(host.notices)
                        }
                        group.addTask {
                            await MagneticRouteStore.outbox.relay(
                                log: host.log, pool: pool, notices: host.notices)
                        }
                        group.addTask {
                            await RadioMapStore.outbox.relay(
                                log: host.log, pool: pool, bell: bell, notices: host.notices)
                        }
                    }
                },
            ])
    }

    private static func prepare(_ host: Host, _ pool: PostgresPool) async {
        await host.untilDone("Preparing the radio map store") { _ in
            try await pool.withConnection { connection in
                _ = try await RadioMapStore.migrator.migrate(connection)
                _ = try await MagneticRouteStore.migrator.migrate(connection)
            }
            try await MagneticRouteStore(pool: pool).repeatRecordings(source: MapBuilder.source)
        }
    }
}
