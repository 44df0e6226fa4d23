import EventLog
import HTTP
public import LogViews
import Postgres
public import ServiceHost
import ServiceRuntime

/// The service that owns sites and tokens, and serves the web page.
public enum SiteEditorDefinition {
    public static let definition = ServiceDefinition(
        name: "site-editor", summary: "owns sites and tokens; serves the web page",
        settings: SiteEditorSettings.all, hasViews: true, make: make)

    /// The table of places that have surveys.
    public static func surveyedPlacesView() -> any View { SurveyedPlacesView() }

    private static func make(_ host: Host) -> ServiceParts {
        let settings = SiteEditorSettings(host.configuration)
        let pool = host.requiredDatabase()
        let bell = OutboxBell()
        let health = host.context.health.check("site-store")
        let store = SiteStore(pool: pool, outbox: SiteEditorSchema.outbox, bell: bell)
        let media = MediaStore(pool: pool)
        let surveyed = SurveyedPlacesView()
        let keys = SessionKeys(pool: pool, bell: bell)
        let people = People(
            host: host, accounts: AccountStore(pool: pool, bell: bell),
            invitations: InvitationStore(pool: pool, bell: bell), keys: keys,
            settings: settings.people)
        let reviews = ReviewRoutes(host: host, store: store, surveyed: surveyed).all
        let tokens = TokenStore(pool: pool, bell: bell)
        let routes: [[Route]] = [
            SiteRoutes(host: host, store: store).all,
            CurrentBuildingRoutes(host: host).all,
            MediaRoutes(host: host, store: media).all,
            OutageRoutes(host: host, store: OutageStore(pool: pool, bell: bell)).all,
            SearchRoutes(host: host).all, MapRoutes(host: host).all,
            reviews.reading(surveyed, of: host, at: ["/v1/sites/{site}/review"]),
            ExchangeRoutes(host: host, store: store, imports: ImportStore(pool: pool)).all,
            TokenRoutes(host: host, store: tokens).all,
            PageRoutes(embedding: settings.embedding).all, people.routes,
        ]
        return ServiceParts(
            routes: routes.flatMap(\.self),
            components: [
                host.keeping(surveyed, source: "/site-editor"),
                host.lagWatch(view: surveyed), host.senderWatch(),
                host.loop("site-store") {
                    await host.untilDone("Preparing the site store") { _ in
                        try await SiteEditorSchema.migrate(pool)
                    }
                    health.set(.ready)
                    async let swept: Void = media.keepSwept(host)
                    async let signed: Void = keys.keep(host)
                    async let told: Void = people.tellFirstLink()
                    await SiteEditorSchema.outbox.relay(
                        log: host.log, pool: pool, bell: bell, notices: host.notices)
                    await swept
                    await signed
                    await told
                },
            ])
    }
}
