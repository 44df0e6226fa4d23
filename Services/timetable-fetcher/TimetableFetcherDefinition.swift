public import Backups
import Events
import HTTP
import HTTPClient
import LogViews
import Postgres
import RoomAnswers
public import ServiceHost
import ServiceRuntime
import Timetables

/// The service that fetches timetables and free computers.
public enum TimetableFetcherDefinition {
    public static let definition = ServiceDefinition(
        name: "timetable-fetcher", summary: "fetches timetables and free computers",
        settings: TimetableFetcherSettings.all, hasViews: true, neighbours: ["router"],
        requirements: { TimetableFetcherSettings.missing(in: $0) }, make: make)

    /// The tables that a backup holds.
    public static let backupStores = [
        BackupStore(
            TimetableSchema.migrator, outbox: TimetableSchema.outbox,
            announced: { _ = try Announcements.put($0, $2) })
    ]

    /// Brings the tables up to the log, or a lost log up to the tables.
    ///
    /// - Returns: nil where both fit.
    public static func reconcile(
        _ host: Host, _ order: ReconcileOrder
    ) async throws -> ReconcileReport? {
        if !order.isCheck { try await TimetableSchema.migrate(host.requiredDatabase()) }
        return try await TimetableReconciling(host: host, order: order).run()
    }

    private static func make(_ host: Host) -> ServiceParts {
        let settings = TimetableFetcherSettings(host.configuration)
        let pool = host.requiredDatabase()
        let (bell, guarding) = (OutboxBell(), OutboxGuard())
        let unread = UnreadRows(host.notices)
        let store = FeedStore(pool: pool, secret: host.lastingSecret, unread: unread)
        let due = FeedBell()
        let figures = FeedFigures(host.context.metrics, host.notices)
        let fetching = FeedFetching(
            claims: FeedClaims(store: store),
            results: FeedResults(pool: pool, bell: bell, unread: unread),
            sites: host.sites, clock: host.clock, client: HTTPClient(settings.client),
            userAgent: "whereabouts/\(whereaboutsVersion) (timetable-fetcher)",
            timeoutSeconds: settings.timeoutSeconds, concurrent: settings.concurrent,
            count: { figures.count($0) })
        let past = PastBookings(pool: pool, clock: host.clock, bell: bell)
        let removal = SiteRemoval(
            store: store, sites: host.sites, clock: host.clock, bell: bell, guarding: guarding)
        let health = host.context.health.check("timetable-store")
        let changes = FeedRoutes(
            sites: host.sites, clock: host.clock, store: store,
            wake: {
                due.ring()
                // A feed that is changed or removed may leave events in the outbox.
                bell.ring()
            })
        return ServiceParts(
            routes: changes.all.refusingChanges(unless: [guarding]) + answers(host, store, pool),
            components: [
                host.outboxWatch(TimetableSchema.outbox),
                host.fitWatch(TimetableSchema.outbox, guarding),
                host.loop("timetable-store") {
                    await host.untilDone("Preparing the timetable store") { _ in
                        try await TimetableSchema.migrate(pool)
                    }
                    health.set(.ready)
                    await guarding.untilFitting()
                    async let fetched: Void = fetching.run(due, host.notices)
                    async let removed: Void = removal.keep(host.notices)
                    async let forgot: Void = past.keep(host.notices)
                    async let measured: Void = figures.keep(pool, host.clock)
                    async let turned: Void = turn(due)
                    await TimetableSchema.outbox.relay(
                        log: host.log, pool: pool, guarding: guarding, bell: bell,
                        notices: host.notices)
                    _ = await (fetched, removed, forgot, measured, turned)
                },
            ])
    }

    private static func answers(
        _ host: Host, _ store: FeedStore, _ pool: PostgresPool
    ) -> [Route] {
        let schedules = StoredSchedules(
            feeds: store, rows: TimetableStore(pool: pool, unread: store.unread),
            sites: host.sites, clock: host.clock)
        let router = AskedRouter(client: host.client, address: host.address(of: "router"))
        return TimetableRoutes(sites: host.sites, schedules: schedules, clock: host.clock).all
            + FreeRoomRoutes(
                sites: host.sites, schedules: schedules, clock: host.clock,
                ways: { try await router.ways($0, for: $1) }
            ).all
    }

    /// Looks for due feeds each second.
    private static func turn(_ due: FeedBell) async {
        while !Task.isCancelled {
            due.ring()
            try? await Task.sleep(for: .seconds(1))
        }
    }
}
