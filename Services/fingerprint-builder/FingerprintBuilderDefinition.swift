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

    /// The tables that surveys make.
    public static func view(_ host: Host) -> any View { SurveysView() }

    /// What the view's tables are read by.
    private static let readers: Set<String> = [
        "/v1/sites/{site}/access-points", "/v1/sites/{site}/measurements",
        "/v1/sites/{site}/surveys", "/v1/sites/{site}/survey-reviews",
    ]

    private static func make(_ host: Host) -> ServiceParts {
        let settings = FingerprintBuilderSettings(host.configuration)
        let pool = host.requiredDatabase()
        let store = RadioMapStore(pool: pool)
        let view = SurveysView()
        let builder = MapBuilder(
            host: host, pool: pool, store: store, view: view,
            quiet: settings.mapQuiet, latest: settings.mapLatest)
        let keeper = QualityKeeper(
            host: host, pool: pool, maps: store, store: QualityStore(pool: pool),
            quiet: settings.qualityQuiet)
        let chooser = PositionerChooser(
            host: host, store: store,
            quiet: settings.qualityQuiet)
        let bell = OutboxBell()
        let health = host.context.health.check("radio-map-store")
        return ServiceParts(
            routes: (FingerprintRoutes(host: host, pool: pool, store: store).all
                + SurveyRoutes(host: host, pool: pool, maps: store, bell: bell).all)
                .reading(view, of: host, at: readers)
                + MagneticRouteRoutes(host: host, store: MagneticRouteStore(pool: pool)).all
                + QualityRoutes(host: host, pool: pool).all,
            components: [
                host.keeping(view, source: MapBuilder.source),
                host.lagWatch(view: view),
                host.loop("radio-maps-store") {
                    await host.untilDone("Preparing the radio map store") { _ in
                        try await pool.withConnection { connection in
                            _ = try await RadioMapStore.migrator.migrate(connection)
                            _ = try await MagneticRouteStore.migrator.migrate(connection)
                        }
                    }
                    health.set(.ready)
                    await withTaskGroup { group in
                        group.addTask { await builder.run() }
                        group.addTask { await keeper.run() }
                        group.addTask { await chooser.run() }
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
}
