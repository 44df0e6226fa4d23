import Events
import HTTP
import LogViews
import Postgres
import SampleSites
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import SiteEditor

/// An older version gives back what the site has, and opens it to nobody.
@Suite(
    "A restored version",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct RestoredVersionTests {
    private static let site = SampleSite.id

    private let bench: ServiceBench
    private let store: SiteStore
    private let app: Served
    private let token: String

    init() async throws {
        bench = try await ServiceBench()
        let pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        store = SiteStore(pool: pool, outbox: SiteEditorSchema.outbox)
        let publishing = Publishing(sites: bench.sites, security: bench.security)
        app = try bench.serve(
            SiteRoutes(
                sites: bench.sites, clock: bench.clock, publishing: publishing, store: store
            ).all)
        token = bench.issue(.administrator)
    }

    private func publish(
        _ name: String, _ audience: SiteAudience?, link: String? = nil
    ) async throws {
        var document = SampleSite.index.document
        (document.name, document.audience, document.linkSecret) = (name, audience, link)
        _ = try await store.replace(
            Self.site, with: document, expectedVersion: nil, at: bench.clock.now)
        bench.publish(try SiteIndex(document))
    }

    @Test(
        "It has the audience and the link of now, and all else as it was",
        arguments: [
            (SiteAudience.everybody, nil, SiteAudience.nobody, nil),
            (.everybody, nil, nil, nil),
            (.link, "a-link-that-was-given-up-22", .link, "k5Wc0n7mQ2yT9bVd3XhJfA1e"),
            (.nobody, nil, .everybody, nil),
        ] as [(SiteAudience?, String?, SiteAudience?, String?)])
    func audience(
        before: SiteAudience?, oldLink: String?, now: SiteAudience?, link: String?
    ) async throws {
        try await publish("Then", before, link: oldLink)
        try await publish("Now", now, link: link)
        let answer = try await app.send(
            "POST", "/v1/sites/\(Self.site)/versions/1/restore", token: token,
            headers: ["if-match": "\"2\""])
        #expect(answer.status == 200, "\(answer.text)")
        let published = try #require(try await store.published(Self.site))
        let document = published.document
        #expect(published.version == 3 && document.name == "Then")
        #expect(document.audience == now && document.linkSecret == link)
        // Nor does the next publication of the draft open it.
        #expect(try await store.draft(of: Self.site)?.document == document)
    }
}
