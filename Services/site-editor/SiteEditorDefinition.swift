public import Backups
import Devices
import EventLog
public import Events
import HTTP
public import LogViews
public import Postgres
public import ServiceHost
import ServiceRuntime

/// The service that stores sites and tokens, and serves the web page.
public enum SiteEditorDefinition {
    /// - Parameter upkeep: the checks and repairs that only the complete program can make.
    public static func definition(_ upkeep: Upkeep) -> ServiceDefinition {
        ServiceDefinition(
            name: "site-editor", summary: "stores sites and tokens; serves the web page",
            settings: SiteEditorSettings.all, hasViews: true,
            neighbours: ["locator", "fingerprint-builder", "router", "timetable-fetcher"],
            requirements: { PeopleSettings.missing(in: $0) + AlarmSettings.missing(in: $0) },
            make: { try make($0, upkeep) })
    }

    /// The headers of a proxy that signs people in. Each proxy removes them from clients' requests.
    public static let proxyHeaders = ProviderRoutes.proxyHeaders

    public static func surveyedPlacesView() -> any View { SurveyedPlacesView() }

    /// The events of former releases that the next start puts on the log again without names, as
    /// topics with their numbers. Changes nothing.
    public static func eventsToRewrite(
        _ pool: PostgresPool
    ) async throws -> [(topic: String, count: Int64)] {
        try await NamesSchema.eventsToRewrite(pool)
    }

    /// The tables that a backup holds. Sessions end with the installation that signed them.
    public static let backupStores = [
        BackupStore(
            SiteEditorSchema.migrator,
            further: [NamesSchema.name],
            without: [
                "site_editor.session_keys", ScanRequestStore.table, EnrolmentStore.table,
                PairingStore.table, "site_editor.pairing_codes", PositionShareStore.table,
                BarrierStore.table,
            ],
            outbox: SiteEditorSchema.outbox,
            announced: { try Announcements.put($0, at: $1, $2) })
    ]

    /// The check of `/readyz` that fails while the tables and the log don't fit.
    public static let fitCheck = Host.fitCheck(of: SiteEditorSchema.name)

    /// Applies erasures to restored tables that do not have them.
    public static func reapply(
        _ erased: [DeviceErased], _ connection: isolated PostgresConnection
    ) throws { try ErasureStore.reapply(erased, connection) }

    /// Brings the tables up to the log, or a lost log up to the tables.
    ///
    /// - Parameter note: gets sentences about what can't be read.
    /// - Returns: nil where both fit.
    public static func reconcile(
        _ host: Host, _ order: ReconcileOrder, note: @escaping @Sendable (String) -> Void
    ) async throws -> ReconcileReport? {
        if !order.isCheck { try await SiteEditorSchema.migrate(host.requiredDatabase()) }
        let files = try host.backupPlace().map { ErasureFiles($0) }
        return try await SiteReconciling(host: host, files: files, order: order).run(note: note)
    }

    /// Writes all erasures beside the backups.
    public static func writeErasures(_ pool: PostgresPool, _ files: ErasureFiles) async throws {
        try await files.catchUp(ErasureStore.all(pool))
    }

    /// The erasures that lie beside the backups, as the tables say; nil where there are no tables.
    public static func copiedErasures(_ pool: PostgresPool) async throws -> [DeviceErased]? {
        try await ErasureStore.copied(pool)
    }

    /// The column that shows whether a backup is of the same secret.
    ///
    /// - Parameter secret: the services' secret; nil where none is set.
    public static func sealedKeys(secret: String?) -> SealedColumn {
        var opens: (@Sendable ([UInt8]) -> Bool)?
        if let secret { opens = { DeviceStore.opens($0, secret: secret) } }
        return SealedColumn(
            table: "\(NamesSchema.name).devices", column: "identity_key", opens: opens)
    }

    private static func make(_ host: Host, _ upkeep: Upkeep) throws -> ServiceParts {
        let settings = SiteEditorSettings(host.configuration)
        let pool = host.requiredDatabase()
        let (bell, guarding) = (OutboxBell(), OutboxGuard())
        let health = host.context.health.check("site-store")
        let store = SiteStore(pool: pool, outbox: SiteEditorSchema.outbox, bell: bell)
        let (media, surveyed) = (MediaStore(pool: pool), SurveyedPlacesView())
        let (keys, requests) = (SessionKeys(pool: pool, bell: bell), ScanRequestDirectory())
        let holdings = SessionHoldings(host, pool, bell, requests)
        let people = people(host, settings, pool, bell, keys, holdings)
        let place = try host.backupPlace()
        let copies = place.map { ErasureCopies(pool, ErasureFiles($0), host.clock) }
        let dayKeys = DayKeyStore(pool: pool, hour: settings.dayBegins)
        let (sites, clock, security) = (host.sites, host.clock, host.security)
        let (publishing, drafts) = (Publishing(sites: sites, security: security), DraftWork(store))
        let routes: [[Route]] = [
            SiteRoutes(sites: sites, clock: clock, publishing: publishing, store: store).all,
            CurrentBuildingRoutes(sites: sites, clock: clock, rules: VisitRules(host.configuration))
                .all,
            MediaRoutes(sites: sites, clock: clock, store: media).all,
            ways(host, pool, bell) + drafts.routes(host),
            ReviewRoutes(sites: sites, store: store, surveyed: surveyed).all
                .reading(surveyed, of: host, at: ["/v1/sites/{site}/review"]),
            ExchangeRoutes(
                sites: sites, clock: clock, security: security, publishing: publishing,
                store: store, imports: ImportStore(pool: pool)
            ).all,
            TokenRoutes(
                tokens: host.tokens, blocks: host.senderBlocks, clock: clock,
                security: security, store: TokenStore(pool: pool, bell: bell)
            ).all,
            devices(host, pool, bell, dayKeys, copies).all, self.upkeep(host, upkeep),
            scanSwitch(host, pool, bell, requests), people.routes, holdings.routes(host),
        ]
        return try ServiceParts(
            routes: routes.flatMap(\.self).refusingChanges(unless: [guarding], but: signingIn)
                + pages(host, settings, people, api: routes.flatMap(\.self)),
            components: [
                host.keeping(surveyed, source: "/site-editor"),
                host.lagWatch(view: surveyed), host.senderWatch(), drafts.component(host),
                host.scanRequestTable(requests), host.outboxWatch(SiteEditorSchema.outbox),
                host.fitWatch(SiteEditorSchema.outbox, guarding, makesID: true),
                host.loop("site-store") {
                    await prepare(store, host)
                    health.set(.ready)
                    await guarding.untilFitting()
                    async let swept: Void = Sweep.keep(
                        sweeps(host, pool, bell, media, people, copies, requests, holdings),
                        clock, host.notices)
                    async let signed: Void = keys.keep(clock, host.notices)
                    async let firstLink: Void = people.reportFirstLink()
                    async let keyed: Void = dayKeys.keep(sites, host.notices)
                    async let copied: Void? = copies?.keep(host.notices)
                    await relay(host, pool, guarding, bell)
                    _ = await (swept, signed, firstLink, keyed, copied)
                },
                UnruledSites(sites: sites, surveyed: surveyed, pool: pool).component(host),
            ] + (place.map { [host.backupWatch($0)] } ?? [])
                + host.alarms(publicURL: settings.people.publicURL))
    }

    /// The pages, and the files of both apps.
    ///
    /// - Parameter api: the routes from whose answers the pages are made.
    private static func pages(
        _ host: Host, _ settings: SiteEditorSettings, _ people: People, api: [Route]
    ) throws -> [Route] {
        let policy = PageRoutes.policy(
            embedding: settings.embedding, scripts: [PageFrame.startSource])
        let app = AppRoutes(policy: policy)
        if let fault = app.fault { host.unexpected(fault) }
        return PageRoutes(embedding: settings.embedding).all + app.all
            + VisitorRoutes(
                services: try PageServices(host, people, own: api),
                frame: PageFrame(
                    policy: policy, modules: app.firstModules, following: app.followingModules)
            ).all + StaffRoutes(modules: app.staffModules).all
            + ReferenceRoutes(modules: app.referenceModules).all
    }

    private static func relay(
        _ host: Host, _ pool: PostgresPool, _ guarding: OutboxGuard, _ bell: OutboxBell
    ) async {
        await SiteEditorSchema.outbox.relay(
            log: host.log, pool: pool, guarding: guarding, bell: bell, notices: host.notices)
    }

    /// The administrator who reconciles has to sign in, and that changes no event.
    private static let signingIn: Set = ["/v1/session", "/v1/session/anonymous"]

    private static func people(
        _ host: Host, _ settings: SiteEditorSettings, _ pool: PostgresPool, _ bell: OutboxBell,
        _ keys: SessionKeys, _ holdings: SessionHoldings
    ) -> People {
        People(
            tokens: host.tokens, clock: host.clock, notices: host.notices, security: host.security,
            accounts: AccountStore(pool: pool, bell: bell),
            invitations: InvitationStore(pool: pool, bell: bell), keys: keys,
            settings: settings.people, client: host.client,
            endHoldings: { try await holdings.end($0, at: $1) })
    }

    private static func sweeps(
        _ host: Host, _ pool: PostgresPool, _ bell: OutboxBell, _ media: MediaStore,
        _ people: People, _ copies: ErasureCopies?, _ requests: ScanRequestDirectory,
        _ holdings: SessionHoldings
    ) -> [Sweep] {
        let tokens = TokenStore(pool: pool, bell: bell)
        let erasures = ErasureStore(pool: pool, bell: bell, copies: copies)
        // Older erasures are older than everything that they could erase.
        let erasureAge = host.erasureRetention.components.seconds * 1_000_000
        return [
            holdings.sweep,
            Sweep("Removing unused files") { try await media.sweep(at: $0) },
            Sweep("Forgetting edits that changed nothing") { _ in
                try await DraftJournal.forgetUnchanged(pool)
            },
            Sweep("Forgetting invitations and sign-ins that expired") {
                try await people.forgetExpired(at: $0)
            },
            Sweep("Taking expired tokens off the log") { try await tokens.sweepExpired(at: $0) },
            Sweep("Forgetting old erasures") {
                try await erasures.forget(before: $0.advanced(byMicroseconds: -erasureAge))
            },
            Sweep("Forgetting barriers") {
                try await BarrierStore(pool: pool, bell: bell).sweep(at: $0)
            },
        ] + scanSweeps(host, pool, bell, requests)
    }

    private static func ways(
        _ host: Host, _ pool: PostgresPool, _ bell: OutboxBell
    ) -> [Route] {
        OutageRoutes(
            sites: host.sites, clock: host.clock, security: host.security,
            store: OutageStore(pool: pool, bell: bell)
        ).all
            + BarrierRoutes(
                sites: host.sites, clock: host.clock, security: host.security,
                store: BarrierStore(pool: pool, bell: bell)
            ).all + SearchRoutes(sites: host.sites).all
            + PosterRoutes(
                sites: host.sites, publicURL: PeopleSettings(host.configuration).publicURL
            ).all
    }

    private static func scanSwitch(
        _ host: Host, _ pool: PostgresPool, _ bell: OutboxBell, _ requests: ScanRequestDirectory
    ) -> [Route] {
        let store = ScanRequestStore(
            pool: pool, bell: bell, directory: requests, notices: host.notices)
        return ScanRequestRoutes(sites: host.sites, clock: host.clock, store: store).all
            + EnrolmentRoutes(
                sites: host.sites, clock: host.clock, security: host.security,
                store: EnrolmentStore(
                    pool: pool, tokens: TokenStore(pool: pool, bell: bell),
                    directory: host.tokens)
            ).all
            + PairingRoutes(
                sites: host.sites, clock: host.clock, security: host.security,
                store: PairingStore(pool: pool, requests: store)
            ).all
            + ScannerRoutes(
                sites: host.sites, clock: host.clock, security: host.security,
                store: ScannerStore(pool: pool)
            ).all
    }

    private static func scanSweeps(
        _ host: Host, _ pool: PostgresPool, _ bell: OutboxBell, _ requests: ScanRequestDirectory
    ) -> [Sweep] {
        let store = ScanRequestStore(
            pool: pool, bell: bell, directory: requests, notices: host.notices)
        let pairings = PairingStore(pool: pool, requests: store)
        let codes = EnrolmentStore(
            pool: pool, tokens: TokenStore(pool: pool, bell: bell), directory: host.tokens)
        return [
            Sweep("Forgetting yesterday's requests for scans") { try await store.sweep(at: $0) },
            Sweep("Forgetting codes of scanners") { try await codes.sweep(at: $0) },
            Sweep("Forgetting pairings") { try await pairings.sweep(at: $0) },
            Sweep("Forgetting silent scanners") {
                try await ScannerStore(pool: pool).sweep(at: $0)
            },
        ]
    }

    private static func upkeep(_ host: Host, _ upkeep: Upkeep) -> [Route] {
        let collector = MetricCollector(host.configuration, client: host.client)
        return UpkeepRoutes(
            clock: host.clock, findings: upkeep.findings, samples: { await collector.collect() }
        ).all
            + DeadLetterRoutes(
                sites: host.sites, security: host.security,
                shelf: LetterShelf(log: host.log) { record in
                    host.sender(of: record).site.flatMap { SiteID(validating: $0) }
                },
                putBack: upkeep.putBack, unexpected: { host.unexpected($0) }
            ).all
    }

    private static func devices(
        _ host: Host, _ pool: PostgresPool, _ bell: OutboxBell, _ dayKeys: DayKeyStore,
        _ copies: ErasureCopies?
    ) -> DeviceRoutes {
        DeviceRoutes(
            sites: host.sites, clock: host.clock, security: host.security,
            devices: DeviceStore(pool: pool, secret: host.lastingSecret), dayKeys: dayKeys,
            erasures: ErasureStore(pool: pool, bell: bell, copies: copies),
            keepers: [
                DeviceKeeper(
                    "locator", erasures: "/v1/erasures", kept: "/v1/kept-positions",
                    host.neighbour("locator", asItself: true)),
                DeviceKeeper(
                    "fingerprint-builder", erasures: "/v1/survey-erasures",
                    kept: "/v1/kept-surveys",
                    host.neighbour("fingerprint-builder", asItself: true)),
            ],
            keptOnLog: host.configuration.text("WHEREABOUTS_LOG") == "kafka"
                ? host.erasureRetention : nil)
    }

    private static func prepare(_ store: SiteStore, _ host: Host) async {
        await host.untilDone("Preparing the site store") { _ in
            try await SiteEditorSchema.migrate(store.pool)
            try await NamesSchema.rewriteEvents(store.pool, at: host.now)
            for site in try await store.ordinarySitesWithTestersIDs() {
                host.unexpected(
                    "\(site) has the id of a testers' site: only administrators see it. Publish "
                        + "it under another id, and remove it.")
            }
        }
    }
}
