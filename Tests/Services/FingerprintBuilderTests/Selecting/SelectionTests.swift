import Events
import LogViews
import Positioning
import Postgres
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import FingerprintBuilder

@Suite(
    "Selecting the positioners of a site",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct SelectionTests {
    private static let path = "/v1/sites/\(MapCampus.site)/positioner"

    private let bench: ServiceBench
    private let pool: PostgresPool
    private let store: SelectionStore
    private let app: Served
    private let editor: String

    init() async throws {
        bench = try await ServiceBench()
        bench.publish(try SiteIndex(MapCampus.document), as: MapCampus.site)
        pool = try await ServiceBench.database()
        store = SelectionStore(pool: pool, bell: OutboxBell())
        try await pool.withConnection { connection in
            _ = try await RadioMapStore.migrator.migrate(connection)
        }
        app = try bench.serve(
            SelectionRoutes(
                sites: bench.sites, clock: bench.clock, security: bench.security,
                allowed: AllowedPositioners(standard: "auto", others: ["knn", "mine", "track"]),
                store: store
            ).all)
        editor = bench.issue(.administratorOfSite, site: MapCampus.site)
    }

    private func send(
        _ method: String, _ path: String = "", _ body: String = "", as token: String? = nil
    ) async throws -> Answer {
        try await app.send(method, Self.path + path, token: token ?? editor, body: body)
    }

    /// The positioners of an answer, and its newest revision.
    private func shown(_ answer: Answer) -> String {
        let revision = answer["history.0.revision"] ?? "-"
        return "\(answer["served"] ?? answer.text) \(answer["beside"] ?? "") \(revision)"
    }

    /// The selections and tombstones that the relay would append.
    private func outbox() async throws -> [PositionerSelected?] {
        try await pool.query("SELECT value FROM radio_maps.outbox ORDER BY id").map { row in
            let value: [UInt8]? = try row["value"]
            return try value.map { try PositionerSelected(json: $0) }
        }
    }

    @Test("A site tries one beside, promotes it and goes back; the history has all of it")
    func whole() async throws {
        #expect(shown(try await send("GET")) == "auto [] -")
        let put = try await send("PUT", "", #"{"beside": ["mine", "knn"]}"#)
        #expect(shown(put) == #"auto ["mine","knn"] 1"#)
        #expect(put["allowed"] == #"["auto","knn","mine","track"]"# && put["default"] == "auto")
        let promoted = try await send("POST", "/promote", #"{"positioner": "mine"}"#)
        #expect(shown(promoted) == #"mine ["auto","knn"] 2"#)
        #expect(shown(try await send("POST", "/back")) == #"auto ["mine","knn"] 3"#)
        #expect(
            shown(try await send("POST", "/back", #"{"revision": 2}"#))
                == #"mine ["auto","knn"] 4"#)
        let analyst = bench.issue(.analyst, site: MapCampus.site)
        let all = try await send("GET", as: analyst)
        #expect(all["history.3.revision"] == "1" && all["history.4"] == nil)
        #expect(all["history.0.selectedBy"].flatMap { EventID($0) } != nil, "\(all.text)")
        #expect(try await outbox().compactMap { $0?.revision } == [1, 2, 3, 4])
        #expect(try await outbox().last??.selection.served == "mine")
        #expect(bench.securityLines.count { $0.contains("positioner selected") } == 4)
    }

    @Test("A misspelt site has no positioners")
    func unknownSite() async throws {
        let answer = try await app.send(
            "GET", "/v1/sites/nosuch/positioner", token: bench.issue(.administrator))
        #expect(answer.status == 404 && answer.code == "site-unknown", "\(answer.text)")
    }

    @Test("The same selection again is no event")
    func again() async throws {
        _ = try await send("PUT", "", #"{"served": null, "beside": []}"#)
        #expect(try await outbox().isEmpty)
        for _ in 0..<2 { _ = try await send("PUT", "", #"{"served": "knn"}"#) }
        #expect(try await outbox().count == 1)
    }

    @Test("An answer may be sent back, also one with a long history")
    func sentBack() async throws {
        for number in 1...SelectionStore.mostKept {
            let names = (0..<3).map { "\(number) \($0) " + String(repeating: "x", count: 240) }
            _ = try await store.select(at: MapCampus.site, by: nil, at: bench.clock.now) { _ in
                PositionerSelection(served: names[0], beside: [names[1], names[2]])
            }
        }
        bench.pass(seconds: 3_600)
        _ = try await send("PUT", "", #"{"served": "knn", "beside": ["mine"]}"#)
        let shown = try await send("GET")
        #expect(shown.body.count > 65_536)
        let put = try await send("PUT", "", shown.text)
        #expect(put.status == 200 && put.text == shown.text, "\(put.text.prefix(300))")
    }

    @Test("An eleventh selection within an hour waits; the same again is never refused")
    func pace() async throws {
        for number in 0..<10 {
            let name = number.isMultiple(of: 2) ? "knn" : "mine"
            #expect(try await send("PUT", "", #"{"served": "\#(name)"}"#).status == 200)
            bench.pass(seconds: 60)
        }
        let refused = try await send("PUT", "", #"{"served": "track"}"#)
        #expect(refused.status == 429 && refused.code == "too-many-selections")
        #expect(refused.headers["retry-after"] == "3000")
        #expect(try await send("PUT", "", #"{"served": "mine"}"#).status == 200)
        #expect(try await outbox().count == 10)
        bench.pass(seconds: 3_000)
        #expect(try await send("PUT", "", #"{"served": "track"}"#).status == 200)
    }

    @Test("After ten selections within an hour one can still go back, and always to the default")
    func wayOut() async throws {
        for number in 0..<10 {
            let name = number.isMultiple(of: 2) ? "knn" : "mine"
            #expect(try await send("PUT", "", #"{"served": "\#(name)"}"#).status == 200)
        }
        for number in 0..<10 {
            let back = try await send("POST", "/back", "{}")
            #expect(back["served"] == (number.isMultiple(of: 2) ? "knn" : "mine"), "\(back.text)")
        }
        #expect(try await send("POST", "/back", "{}").code == "too-many-selections")
        let refused = try await send("PUT", "", #"{"beside": ["knn"]}"#)
        #expect(refused.code == "too-many-selections")
        #expect(refused["detail"]?.contains("PUT {}") == true)
        #expect(shown(try await send("PUT", "", "{}")) == "auto [] 21")
        #expect(try await send("POST", "/back", "{}").code == "too-many-selections")
    }

    @Test(
        "Wrong selections are refused and change nothing",
        arguments: [
            ("PUT", "", #"{"served": "oracle"}"#, "positioner-not-allowed"),
            ("PUT", "", #"{"served": "exec:rm -rf /"}"#, "positioner-not-allowed"),
            ("PUT", "", #"{"served": "knn:k=7"}"#, "positioner-not-allowed"),
            ("PUT", "", #"{"beside": ["knn", "knn"]}"#, "positioners-unusable"),
            ("PUT", "", #"{"beside": ["knn", "mine", "track"]}"#, "positioners-unusable"),
            ("PUT", "", "[]", "not-an-object"),
            ("PUT", "", #"{"served": 3}"#, "field-wrong-type"),
            ("PUT", "", #"{"served": "knn", "besides": ["mine"]}"#, "field-unknown"),
            ("POST", "/promote", #"{"positioner": "knn"}"#, "positioner-not-beside"),
            ("POST", "/promote", "{}", "field-missing"),
            ("POST", "/promote", #"{"positioner": "knn", "site": "a"}"#, "field-unknown"),
            ("POST", "/back", "{}", "selection-unknown"),
            ("POST", "/back", #"{"number": 1}"#, "field-unknown"),
            ("POST", "/back", #"{"revision": 9}"#, "selection-unknown"),
            ("POST", "/back", #"{"revision": 0}"#, "field-out-of-range"),
        ])
    func refused(method: String, path: String, body: String, code: String) async throws {
        let answer = try await send(method, path, body)
        #expect(answer.code == code && answer.status >= 400, "\(answer.text)")
        #expect(try await outbox().isEmpty)
    }

    @Test("A name that is not allowed is answered with those that are")
    func named() async throws {
        let answer = try await send("PUT", "", #"{"served": "oracle"}"#)
        #expect(answer["detail"]?.contains("auto, knn, mine, track") == true, "\(answer.text)")
    }

    @Test("Only administrators of the site select, and surveyors see what they did")
    func roles() async throws {
        let surveyor = bench.issue(.surveyor, site: MapCampus.site)
        #expect(try await send("GET", as: surveyor).status == 200)
        let refused = try await send("PUT", "", #"{"served": "knn"}"#, as: surveyor)
        #expect(refused.code == "role-not-allowed")
        let stranger = bench.issue(.administratorOfSite, site: SiteID("elsewhere"))
        #expect(try await send("GET", as: stranger).code == "site-not-yours")
    }

    @Test("A hundred selections are kept, and those who select at once get numbers of their own")
    func kept() async throws {
        let rows = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask { [store, bench] in
                    try await store.select(
                        at: MapCampus.site, by: nil, at: bench.clock.now
                    ) { _ in PositionerSelection(served: "number \(number)") }
                    .rows[0].event.revision
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(rows.sorted() == Array(1...8))
        for number in 9...(SelectionStore.mostKept + 3) {
            _ = try await store.select(at: MapCampus.site, by: nil, at: bench.clock.now) { _ in
                PositionerSelection(served: "number \(number)")
            }
        }
        let kept = try await store.rows(of: MapCampus.site).map(\.event.revision)
        #expect(kept == Array(4...(SelectionStore.mostKept + 3)).reversed())
    }

    @Test("A removed site's selections go, also from the log; those of others stay")
    func removed() async throws {
        let guarding = OutboxGuard()
        let keeper = SelectionKeeper(
            sites: bench.sites, clock: bench.clock, store: store, guarding: guarding)
        _ = try await send("PUT", "", #"{"served": "knn"}"#)
        let gone = SiteID("gone")
        _ = try await store.select(at: gone, by: nil, at: bench.clock.now) { _ in
            PositionerSelection(served: "mine")
        }
        try await keeper.removeWhatIsGone()
        #expect(try await store.sites().count == 2, "the log may have lost its sites")
        guarding.set(.fits, logID: "the log", newest: 0)
        for _ in 0..<2 {
            try await keeper.removeWhatIsGone()
            bench.pass(seconds: 2 * 3_600)
        }
        #expect(try await store.sites() == [MapCampus.site])
        #expect(try await outbox().count { $0 == nil } == 1)
    }

    @Test("A site that was removed and made again at once begins without a selection")
    func madeAgain() async throws {
        let guarding = OutboxGuard()
        guarding.set(.fits, logID: "the log", newest: 0)
        let keeper = SelectionKeeper(
            sites: bench.sites, clock: bench.clock, store: store, guarding: guarding)
        let published = PublishedSite(version: 2, index: try SiteIndex(MapCampus.document))
        func removeAndPublish() {
            bench.pass(seconds: 10)
            bench.sites.replace(
                with: [MapCampus.site: published], removedAt: [MapCampus.site: bench.clock.now])
            bench.pass(seconds: 10)
        }
        _ = try await send("PUT", "", #"{"served": "knn"}"#)
        removeAndPublish()
        _ = try await send("PUT", "", #"{"served": "mine"}"#)
        try await keeper.removeWhatIsGone()
        let shown = try await send("GET")
        #expect(self.shown(shown) == "mine [] 2" && shown["history.1"] == nil)
        #expect(try await outbox().count { $0 == nil } == 0)
        removeAndPublish()
        try await keeper.removeWhatIsGone()
        #expect(try await store.sites().isEmpty)
        #expect(try await outbox().count { $0 == nil } == 1)
    }

    @Test("Selections of the log that an older database lacks come back without their authors")
    func followed() async throws {
        _ = try await send("PUT", "", #"{"served": "knn"}"#)
        let logged = [
            PositionerSelected(
                site: MapCampus.site, revision: 5, selection: PositionerSelection(beside: ["knn"]),
                selectedAt: bench.clock.now)
        ]
        for missing in [1, 0] {
            let found = try await pool.withTransaction { connection in
                try SelectionStore.follow(logged, connection)
            }
            #expect(found == missing)
        }
        let shown = try await send("GET")
        #expect(self.shown(shown) == #"auto ["knn"] 5"# && shown["history.0.selectedBy"] == nil)
    }
}
