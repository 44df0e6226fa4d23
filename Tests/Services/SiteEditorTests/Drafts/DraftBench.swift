import Access
import Events
import HTTP
import LogViews
import Postgres
import SampleSites
import ServiceBench
import ServiceHost
import Site
import Testing
import Wire

@testable import SiteEditor

/// The routes of drafts on a database of their own, with the sample site published.
struct DraftBench {
    static let site = SampleSite.id
    static let path = "/v1/sites/\(SampleSite.id)"
    static let edits = "\(path)/draft/edits"

    let bench: ServiceBench
    let pool: PostgresPool
    let store: SiteStore
    let hub: DraftEditHub
    let app: Served
    let administrator: String
    let surveyor: String

    init(_ document: SiteDocument = SampleSite.index.document) async throws {
        bench = try await ServiceBench()
        pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        let surveyed = SurveyedPlacesView()
        let steps = [.schema(surveyed.schema)] + surveyed.migrations(schema: surveyed.schema)
        try await pool.withConnection {
            _ = try await Migrator(schema: surveyed.schema, steps: steps).migrate($0)
        }
        store = SiteStore(pool: pool, outbox: SiteEditorSchema.outbox)
        hub = DraftEditHub(store)
        let publishing = Publishing(sites: bench.sites, security: bench.security)
        let drafts = DraftIndexes(store)
        app = try bench.serve(
            SiteRoutes(
                sites: bench.sites, clock: bench.clock, publishing: publishing, store: store
            ).all
                + DraftEditRoutes(
                    sites: bench.sites, clock: bench.clock, store: store, hub: hub
                ).all + MapRoutes(sites: bench.sites, drafts: drafts).all
                + MapPartRoutes(sites: bench.sites, drafts: drafts).all
                + ReviewRoutes(
                    sites: bench.sites, store: store, surveyed: SurveyedPlacesView()
                ).all
                + ExchangeRoutes(
                    sites: bench.sites, clock: bench.clock, security: bench.security,
                    publishing: publishing, store: store, imports: ImportStore(pool: pool)
                ).all)
        administrator = bench.issue(.administratorOfSite, site: Self.site)
        surveyor = bench.issue(.surveyor, site: Self.site)
        _ = try await store.replace(
            Self.site, with: document, expectedVersion: nil, at: bench.clock.now)
        bench.publish(try SiteIndex(document))
    }

    /// Another process on the same database, which remembers nothing.
    func another() -> SiteStore { SiteStore(pool: pool, outbox: SiteEditorSchema.outbox) }

    func send(
        _ method: String, _ path: String, as token: String? = nil, _ body: String = "",
        ifMatch: String? = nil
    ) async throws -> Answer {
        try await app.send(
            method, path, token: token ?? administrator,
            headers: ifMatch.map { ["if-match": $0] } ?? [:], body: body)
    }

    /// A UUID made of a number.
    static func id(_ number: Int) -> String {
        EventID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 + UInt64(number))
            .description
    }

    /// An edit as JSON. `rest` begins with a comma.
    static func edit(
        _ number: Int, _ word: String, _ kind: String, _ record: String?, _ value: String? = nil,
        basedOn: Int? = nil, rest: String = ""
    ) -> String {
        let members = [
            #""id": "\#(id(number))", "do": "\#(word)", "kind": "\#(kind)""#,
            record.map { #""record": "\#($0)""# }, value.map { #""value": \#($0)"# },
            basedOn.map { #""basedOn": \#($0)"# },
        ]
        return "{\(members.compactMap(\.self).joined(separator: ", "))\(rest)}"
    }

    func make(_ edits: [String], as token: String? = nil, together: Bool = false) async throws
        -> Answer
    {
        try await send(
            "POST", Self.edits, as: token,
            #"{"edits": [\#(edits.joined(separator: ", "))], "together": \#(together)}"#)
    }

    /// Renames room A, as the edit of this number.
    func rename(
        _ number: Int, _ name: String, basedOn: Int? = nil, as token: String? = nil
    ) async throws -> Answer {
        try await make(
            [Self.edit(number, "patch", "rooms", "A", #"{"name": "\#(name)"}"#, basedOn: basedOn)],
            as: token)
    }

    func undo(_ number: Int, revision: Int? = nil, as token: String? = nil) async throws -> Answer {
        let named = revision.map { #", "revision": \#($0)"# } ?? ""
        return try await send(
            "POST", "\(Self.path)/draft/undo", as: token, #"{"id": "\#(Self.id(number))"\#(named)}"#
        )
    }

    /// The draft, as this process and one that has just started have it.
    func draft() async throws -> SiteDraft {
        let draft = try #require(try await store.draft(of: Self.site))
        let other = try #require(try await another().draft(of: Self.site))
        #expect(draft == other, "a process that starts replays the same draft")
        return draft
    }
}
