import Events
import Geometry
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

/// Every request that replaces much of a site checks the facts of its ways, and settles the rises.
@Suite(
    "Facts of ways in whole sites",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct SiteFactsTests {
    private static let site = SampleSite.id
    private static let path = "/v1/sites/\(SampleSite.id)"

    private let bench: ServiceBench
    private let store: SiteStore
    private let app: Served
    private let token: String

    private static func document(
        _ change: (inout ConnectionRecord) -> Void = { _ in }
    ) -> SiteDocument {
        var way = ConnectionRecord(
            id: ConnectionID("path"), kind: .walk,
            stops: [
                ConnectionStop(floor: nil, point: [20, -20]),
                ConnectionStop(floor: nil, point: [60, -20]),
            ], slope: 0.05, riseMetres: 2)
        change(&way)
        var document = SampleSite.index.document
        document.connections = [way]
        return document
    }

    init() async throws {
        bench = try await ServiceBench()
        let pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        store = SiteStore(pool: pool, outbox: SiteEditorSchema.outbox)
        let publishing = Publishing(sites: bench.sites, security: bench.security)
        app = try bench.serve(
            SiteRoutes(
                sites: bench.sites, clock: bench.clock, publishing: publishing, store: store
            ).all
                + ExchangeRoutes(
                    sites: bench.sites, clock: bench.clock, security: bench.security,
                    publishing: publishing, store: store, imports: ImportStore(pool: pool)
                ).all)
        token = bench.issue(.administrator)
    }

    /// Makes the document the published one, for the store and for the process.
    private func publish(_ document: SiteDocument) async throws {
        _ = try await store.replace(
            Self.site, with: document, expectedVersion: nil, at: bench.clock.now)
        bench.publish(try SiteIndex(document))
    }

    private func way() async throws -> ConnectionRecord? {
        try await store.draft(of: Self.site)?.document.connections.first
    }

    @Test("A patch of the site states no fact that does not fit, and a stated slope ends the rise")
    func patched() async throws {
        try await publish(Self.document())
        func patch(_ facts: String) async throws -> Answer {
            try await app.send(
                "PATCH", Self.path, token: token,
                headers: ["if-match": "*", "content-type": "application/json"],
                body: """
                    {"connections": [{"id": "path", "kind": "walk", "riseMetres": 2,
                     "stops": [{"x": 20, "y": -20}, {"x": 60, "y": -20}], \(facts)}]}
                    """)
        }
        let glass = try await patch(#""slope": 0.05, "glass": true"#)
        #expect(glass.status == 422 && glass.code == "site-invalid", "\(glass.text)")
        #expect(glass.text.contains("glass is no fact of the kind walk"), "\(glass.text)")
        let named = try await patch(#""slope": 0.05, "name": "Path""#)
        #expect(named.status == 200, "\(named.text)")
        #expect(try await way()?.riseMetres == 2)
        let stated = try await patch(#""slope": 0.02"#)
        #expect(stated.status == 200, "\(stated.text)")
        let after = try #require(try await way())
        #expect(after.slope == 0.02 && after.riseMetres == nil)
    }

    @Test("A part of a site in GeoJSON that states another slope ends the rise")
    func imported() async throws {
        try await publish(Self.document())
        let answer = try await app.send(
            "POST", "\(Self.path)/imports?format=geojson", token: token,
            body: """
                {"type": "FeatureCollection", "features": [{"type": "Feature", "id": "path",
                 "properties": {"record": "connection", "kind": "walk", "slope": 0.02,
                 "riseMetres": 2, "stops": [{"x": 20, "y": -20}, {"x": 60, "y": -20}]},
                 "geometry": null}]}
                """)
        #expect(answer.status == 200, "\(answer.text)")
        let after = try #require(try await way())
        #expect(after.slope == 0.02 && after.riseMetres == nil)
    }

    @Test("A site of an older release comes with all its facts, and gets no new one that is wrong")
    func older() async throws {
        func put(_ document: SiteDocument) async throws -> Answer {
            try await app.send(
                "PUT", Self.path, token: token,
                body: String(decoding: document.json, as: UTF8.self))
        }
        let document = Self.document { $0.isGlass = true }
        let made = try await put(document)
        #expect(made.status == 201, "\(made.text)")
        #expect(try await way()?.isGlass == true)
        bench.publish(try SiteIndex(document))
        let worse = try await put(
            Self.document { way in
                way.isGlass = true
                way.steps = 3
            })
        #expect(worse.status == 422 && worse.code == "site-invalid", "\(worse.text)")
        #expect(worse.text.contains("1 fault: ") && worse.text.contains("steps is no fact"))
        #expect(try await put(document).status == 200)
    }

    @Test("A site that is sent twice is settled once, and a grid's rises are kept as they come")
    func settledOnce() async throws {
        let sent = Self.document { $0.slope = 0.02 }
        func put(_ query: String = "") async throws -> ConnectionRecord? {
            let answer = try await app.send(
                "PUT", Self.path + query, token: token,
                body: String(decoding: sent.json, as: UTF8.self))
            #expect(answer.status == 200, "\(answer.text)")
            let now = try await app.send("GET", Self.path, token: token)
            let document = try SiteDocument(json: Array(now.text.utf8))
            bench.publish(try SiteIndex(document))
            return document.connections.first
        }
        try await publish(Self.document())
        for _ in 0..<2 {
            let way = try #require(try await put())
            #expect(way.slope == 0.02 && way.riseMetres == nil)
        }
        let measured = try #require(try await put("?measured=true"))
        #expect(measured.slope == 0.02 && measured.riseMetres == 2)
        #expect(try await put()?.riseMetres == 2)
    }
}
