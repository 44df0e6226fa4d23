import Access
import Events
import HTTP
import HTTPClient
import LogViews
import Postgres
import Privacy
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "A site that is removed",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct RemovedSiteTests {
    private static let museum = SiteID("museum")
    private static let moment = Timestamp(milliseconds: 1_795_248_000_000)

    private static func named(_ name: String) -> SiteDocument {
        SiteDocument(name: name, originLatitude: 51, originLongitude: 0, bearingDegrees: 0)
    }

    /// One process of site-editor, with what it remembers.
    private struct Editor {
        let sites: SiteStore

        init(_ pool: PostgresPool) {
            sites = SiteStore(pool: pool, outbox: SiteEditorSchema.outbox)
        }

        func publish(_ name: String) async throws {
            _ = try await sites.replace(
                museum, with: named(name), expectedVersion: nil, at: moment)
        }

        func edit(_ name: String, of revision: Int? = nil) async throws -> Int {
            try await sites.edit(museum, expectedRevision: revision, at: moment) { _ in
                .replace(named(name))
            }.draft.revision
        }

        func remove() async throws { try await sites.remove(museum, by: "t", at: moment) }
    }

    private static func database() async throws -> PostgresPool {
        let pool = PostgresPool(try await PrivatePostgres.shared().makeDatabase())
        try await SiteEditorSchema.migrate(pool)
        return pool
    }

    @Test("and made again has other revisions, so a second process does not show the old draft")
    func revisions() async throws {
        let pool = try await Self.database()
        let (one, other) = (Editor(pool), Editor(pool))
        try await one.publish("old")
        for revision in 1...3 { #expect(try await one.edit("old \(revision)") == revision) }
        #expect(try await other.sites.draft(of: Self.museum)?.document.name == "old 3")

        try await one.remove()
        try await one.publish("new")
        #expect(try await other.sites.draft(of: Self.museum)?.document.name == "new")
        for revision in 1...3 { _ = try await one.edit("new \(revision)") }
        let draft = try #require(try await other.sites.draft(of: Self.museum))
        #expect(draft.document.name == "new 3" && draft.revision > 3)
        // An editor who still has the old draft is refused.
        await #expect(throws: SiteRefusal.self) { try await other.edit("late", of: 3) }
        #expect(try await other.edit("newest", of: draft.revision) == draft.revision + 1)
        _ = try await one.sites.undo(Self.museum, expectedRevision: nil, at: Self.moment)
        #expect(try await other.sites.draft(of: Self.museum)?.document.name == "new 3")
        await pool.close()
    }

    @Test("keeps its erasures: a backup may still have the device, and somebody waits for the end")
    func erasures() async throws {
        let pool = try await Self.database()
        let editor = Editor(pool)
        let store = ErasureStore(pool: pool, bell: OutboxBell())
        func erase(_ site: SiteID) async throws -> DeviceErased {
            try await store.erase(DeviceID("d"), of: site, by: "t", at: Self.moment)
        }
        try await editor.publish("A")
        _ = try await editor.sites.publishToTesters(
            Self.museum, expectedRevision: nil, at: Self.moment)
        let testers = try #require(Self.museum.ofTesters)
        let erased = [try await erase(Self.museum), try await erase(testers)]
        #expect(try await editor.sites.endTest(of: Self.museum, by: "t", at: Self.moment))
        try await editor.remove()
        for erased in erased {
            #expect(try await store.erasure(erased.id, of: erased.site) == erased)
        }
        // The erasure at the site is also one at its testers' site.
        let copied = try await ErasureStore.uncopied(pool).map(\.site.text).sorted()
        #expect(copied == ["museum", "museum.test", "museum.test"])
        #expect(try await store.newest(of: DeviceID("d"), at: testers) == Self.moment)
        let twin = try #require(try await store.twin(of: erased[0]))
        #expect(try await store.erasure(twin, of: testers) != nil)
        func erase(limit: Int) async throws {
            _ = try await store.erase(
                DeviceID("e"), of: Self.museum, by: "visitor", limit: limit, at: Self.moment)
        }
        try await erase(limit: 1)
        #expect(try await ErasureStore.uncopied(pool).count == 5, "the test has ended since")
        await #expect(throws: DeviceRefusal.self) { try await erase(limit: 1) }
        // Nothing of the test is left on the log.
        try await store.forget(before: Self.moment.advanced(byMicroseconds: 1))
        _ = try await erase(Self.museum)
        #expect(try await ErasureStore.uncopied(pool).map(\.site) == [Self.museum])
        // Another test begins and ends.
        try await editor.publish("A")
        _ = try await editor.sites.publishToTesters(
            Self.museum, expectedRevision: nil, at: Self.moment)
        let later = Self.moment.advanced(byMicroseconds: 1_000)
        #expect(try await editor.sites.endTest(of: Self.museum, by: "t", at: later))
        _ = try await erase(Self.museum)
        #expect(try await ErasureStore.uncopied(pool).count == 3)
        // A reconcile brings back a test without its draft.
        _ = try await editor.sites.publishToTesters(
            Self.museum, expectedRevision: nil, at: later)
        try await pool.query("DELETE FROM site_editor.test_versions")
        try await pool.query("DELETE FROM site_editor.removed_sites WHERE site = 'museum.test'")
        _ = try await erase(Self.museum)
        #expect(try await ErasureStore.uncopied(pool).count == 5)
        await pool.close()
    }

    /// A device of this name, enrolled at the site.
    private static func enrol(
        _ name: String, at site: SiteID = museum, _ pool: PostgresPool
    ) async throws -> DeviceID {
        try await DeviceStore(pool: pool, secret: nil).enrol(
            DeviceSubmission(json: Array(#"{"name": "\#(name)"}"#.utf8)), site: site, owner: nil,
            limit: nil, at: moment
        ).id
    }

    @Test("erases the devices that are enrolled there, with their tokens; later ones are refused")
    func devices() async throws {
        let pool = try await Self.database()
        let (editor, tokens) = (Editor(pool), TokenStore(pool: pool))
        try await editor.publish("A")
        let own = [try await Self.enrol("watch", pool), try await Self.enrol("phone", pool)]
        let other = try await Self.enrol("cart", at: SiteID("other"), pool)
        _ = try await tokens.issue(
            TokenOrder(role: .device, site: Self.museum, device: own[0], note: "Anna's"),
            at: Self.moment)
        try await pool.query("DELETE FROM site_editor.outbox")
        try await editor.remove()

        let erased = try await ErasureStore.all(pool)
        #expect(Set(erased.map(\.device)) == Set(own))
        #expect(erased.allSatisfy { $0.site == Self.museum && $0.at == Self.moment })
        for topic in [Topic.erasures, .sightings, .taps, .scans] {
            let sent: Int = try await pool.query(
                "SELECT count(*) AS count FROM site_editor.outbox WHERE topic = $1",
                [.text(topic.name)])[0]["count"]
            #expect(sent == 2, "\(topic)")
        }
        let left: [String] = try await pool.query("SELECT id FROM site_editor_names.devices")
            .map { try $0["id"] }
        #expect(left == [other.text])
        let named = try await pool.query(
            "SELECT id FROM site_editor_names.tokens WHERE device IS NOT NULL OR note <> ''")
        #expect(named.isEmpty)
        await #expect(throws: UnknownSite.self) { try await Self.enrol("late", pool) }
        let issuer = TokenStore.Issuer(
            id: "t", grants: [Grant(.administrator)], expiresAt: nil)
        await #expect(throws: UnknownSite.self) {
            try await tokens.issue(
                TokenOrder(role: .visitor, site: Self.museum), by: issuer, at: Self.moment)
        }
        // Somebody has to make it again.
        _ = try await tokens.issue(
            TokenOrder(role: .administratorOfSite, site: Self.museum), by: issuer,
            at: Self.moment)
        try await editor.publish("B")
        _ = try await Self.enrol("new", pool)
        await pool.close()
    }

    @Test("erases very many devices, too, and so does the end of a test")
    func manyDevices() async throws {
        let pool = try await Self.database()
        let editor = Editor(pool)
        try await editor.publish("A")
        _ = try await editor.sites.publishToTesters(
            Self.museum, expectedRevision: nil, at: Self.moment)
        for (site, count) in [("museum", 2_001), ("museum.test", 3)] {
            try await pool.query(
                """
                INSERT INTO site_editor_names.devices (site, id, name, enrolled_at)
                SELECT $1, 'd-' || number, 'watch', now() FROM generate_series(1, $2) AS number
                """, [.text(site), .int(count)])
        }
        #expect(try await editor.sites.endTest(of: Self.museum, by: "t", at: Self.moment))
        let ended = try await ErasureStore.all(pool).map(\.site)
        #expect(ended == Array(repeating: try #require(Self.museum.ofTesters), count: 3))
        try await editor.remove()
        // Each of the site's devices is erased at the testers' site, too.
        #expect(try await ErasureStore.all(pool).count == 3 + 2 * 2_001)
        #expect(try await ErasureStore.uncopied(pool).count == 1_000)
        await pool.close()
    }

    @Test("answers for its erasures, and so does a testers' site whose test has ended")
    func routes() async throws {
        let pool = try await Self.database()
        let (bench, editor) = (try await ServiceBench(), Editor(pool))
        try await editor.publish("A")
        _ = try await Self.enrol("watch", pool)
        _ = try await editor.sites.publishToTesters(
            Self.museum, expectedRevision: nil, at: Self.moment)
        try await editor.remove()
        let erased = try #require(
            try await ErasureStore.all(pool).first { $0.site == Self.museum })
        // Another site is published, and this one isn't.
        bench.publish()
        let app = try bench.serve(
            DeviceRoutes(
                sites: bench.sites, clock: bench.clock, security: bench.security,
                devices: DeviceStore(pool: pool, secret: nil),
                dayKeys: DayKeyStore(pool: pool, hour: 4),
                erasures: ErasureStore(pool: pool, bell: OutboxBell()), keepers: [],
                keptOnLog: nil
            ).all)
        let keeper = bench.issue(.administrator)
        func ask(_ method: String, _ path: String, _ token: String? = nil) async throws -> Answer {
            try await app.send(method, "/v1/sites/\(path)", token: token ?? keeper)
        }
        #expect(try await ask("GET", "museum/erasures/\(erased.id)").status == 200)
        #expect(try await ask("GET", "museum.test/erasures/\(erased.id)").status == 404)
        #expect(try await ask("DELETE", "museum/devices/anna").status == 202)
        #expect(try await ask("DELETE", "musuem/devices/anna").code == "site-unknown")

        // A tester's phone, whose token stays for the next test.
        let phone = bench.issue(
            .device, site: Self.museum.ofTesters, device: DeviceID("phone"))
        #expect(try await ask("GET", "museum.test/devices/phone/report", phone).status == 200)
        let own = try await ask("DELETE", "museum.test/devices/phone", phone)
        #expect(own.status == 202)
        let location = try #require(own.headers["location"])
        #expect(try await app.send("GET", location).status == 200, "its token has ended")
        let report = try await ask("GET", "museum.test/devices/phone/report").body
        #expect(String(decoding: report, as: UTF8.self).contains(#""erasedAt":"#))
        #expect(try await ask("DELETE", "museum.test/devices/other", phone).status == 404)
        await pool.close()
    }

    @Test("takes people's roles there and links to them, and nothing else")
    func roles() async throws {
        let pool = try await Self.database()
        let (editor, bell) = (Editor(pool), OutboxBell())
        let accounts = AccountStore(pool: pool, bell: bell)
        let (invitations, tokens) = (
            InvitationStore(pool: pool, bell: bell), TokenStore(pool: pool)
        )
        try await editor.publish("A")
        let here = RoleGrant(.administratorOfSite, site: Self.museum)
        let shown = RoleGrant(.tester, site: Self.museum.ofTesters)
        let gallery = RoleGrant(.administratorOfSite, site: SiteID("gallery"))
        // Its building has the name of the site.
        let hall = RoleGrant(
            .analyst, site: SiteID("gallery"), buildings: [BuildingID("museum")])
        let all = RoleGrant(.administrator)
        let people = [[here, gallery], [shown], [hall], [all, here]].enumerated().map {
            AccountRow(
                id: AccountID(EventID(high: 7, low: UInt64($0.offset))), signIn: "p\($0.offset)",
                name: "P", password: nil, issuer: nil, grants: $0.element, madeAt: Self.moment,
                madeBy: "test")
        }
        try await pool.withTransaction { connection in
            for row in people { try AccountStore.insert(row, connection: connection) }
        }
        let elsewhere = try await tokens.issue(
            TokenOrder(role: .analyst, site: SiteID("gallery")),
            by: TokenStore.Issuer(
                id: "account/\(people[0].id)", grants: people[0].grants.map(Grant.init),
                expiresAt: nil), at: Self.moment
        ).issued
        func invite(_ grants: [RoleGrant]) async throws -> EventID {
            try await invitations.invite(
                note: "", grants: grants, by: Keeper(id: "t", grants: []), at: Self.moment
            ).row.id
        }
        let open = [try await invite([here]), try await invite([shown]), try await invite([hall])]
        try await pool.query("DELETE FROM site_editor.outbox")
        try await editor.remove()

        let left = try await accounts.accounts(after: nil, limit: 9).map(\.grants)
        #expect(left == [[gallery], [], [hall], [all]])
        #expect(try await invitations.open(at: Self.moment).map(\.id) == [open[2]])
        #expect(try await tokens.live(at: Self.moment).map(\.issued.id) == [elsewhere.id])
        // All services learn it from the log.
        let announced = try await pool.query(
            """
            SELECT value FROM site_editor.outbox
            WHERE convert_from(key, 'UTF8') LIKE 'account/%' ORDER BY id
            """
        ).map { try AccountChanged(json: try $0["value"]) }
        #expect(announced.map(\.grants) == [[gallery], [], [all]])
        #expect(announced.allSatisfy { $0.version == 2 })
        await pool.close()
    }

    @Test("stays while somebody may have a role there that can't be read")
    func unreadableRole() async throws {
        let pool = try await Self.database()
        let editor = Editor(pool)
        try await editor.publish("A")
        let here = RoleGrant(.analyst, site: Self.museum)
        let row = AccountRow(
            id: AccountStore.newID(at: Self.moment), signIn: "anna", name: "Anna", password: nil,
            issuer: nil, grants: [here], madeAt: Self.moment, madeBy: "test")
        try await pool.withTransaction { try AccountStore.insert(row, connection: $0) }
        func write(_ grants: String) async throws {
            try await pool.query(
                "UPDATE site_editor_names.accounts SET grants = $1", [.text(grants)])
        }
        try await write(#"[{"role":"of-a-later-release","site":"museum"}]"#)
        let refusal = await #expect(throws: AccountRefusal.self) { try await editor.remove() }
        #expect(refusal?.problem.code == "accounts-unreadable")
        #expect(try await editor.sites.published(Self.museum) != nil)
        try await write(#"[{"role":"of-a-later-release","site":"gallery"}]"#)
        try await editor.remove()
        #expect(try await editor.sites.published(Self.museum) == nil)
        await pool.close()
    }

    @Test("is unknown once all services say that they have nothing of the device, and not before")
    func silentKeeper() async throws {
        let pool = try await Self.database()
        let bench = try await ServiceBench()
        bench.publish()
        func erase(_ answers: [String?]) async throws -> Answer {
            let keepers = answers.enumerated().map { number, answer in
                DeviceKeeper(
                    "keeper\(number)", erasures: "/v1/erasures", kept: "/v1/kept",
                    Neighbour { _, _, _ in
                        guard let answer else {
                            return HTTPClientResponse(status: 503, headers: [:], body: [])
                        }
                        return HTTPClientResponse(
                            status: 200, headers: [:], body: Array(answer.utf8))
                    })
            }
            let app = try bench.serve(
                DeviceRoutes(
                    sites: bench.sites, clock: bench.clock, security: bench.security,
                    devices: DeviceStore(pool: pool, secret: nil),
                    dayKeys: DayKeyStore(pool: pool, hour: 4),
                    erasures: ErasureStore(pool: pool, bell: OutboxBell()), keepers: keepers,
                    keptOnLog: nil
                ).all)
            return try await app.send(
                "DELETE", "/v1/sites/forgotten/devices/d", token: bench.issue(.administrator))
        }
        func rows(_ count: Int) -> String {
            String(
                decoding: DeviceReport.json(
                    [KeptData(.table("locator.positions"), rows: count)]), as: UTF8.self)
        }
        #expect(try await erase([rows(0), rows(0)]).code == "site-unknown")
        for answers in [[nil, rows(0)], [rows(0), nil], [nil, nil]] {
            let answer = try await erase(answers)
            #expect(answer.code == "keepers-silent" && answer.headers["retry-after"] != nil)
        }
        #expect(try await erase([nil, rows(1)]).status == 202)
        await pool.close()
    }

    @Test("and made again begins with its own document, also where nobody edited the old one")
    func unedited() async throws {
        let pool = try await Self.database()
        let editor = Editor(pool)
        for (round, name) in ["A", "B", "C"].enumerated() {
            try await editor.publish(name)
            let draft = try #require(try await editor.sites.draft(of: Self.museum))
            #expect(draft.document.name == name && draft.revision == round)
            await #expect(throws: SiteRefusal.nothingToUndo) {
                try await editor.sites.undo(Self.museum, expectedRevision: nil, at: Self.moment)
            }
            try await editor.remove()
        }
        await pool.close()
    }
}
