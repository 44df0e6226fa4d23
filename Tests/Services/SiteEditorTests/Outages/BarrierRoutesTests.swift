import Access
import Barriers
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

/// The routes on a database of their own: the sample site with two doors, stairs, two lifts side by
/// side and a long street.
@Suite(
    "Barriers that anybody reports",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct BarrierRoutesTests {
    private static let path = "/v1/sites/\(SampleSite.id)/barriers"
    private let bench: ServiceBench
    private let pool: PostgresPool
    private let app: Served
    private let surveyor: String

    private static func stop(
        _ x: Double, _ y: Double, _ room: String?, on floor: FloorID? = SampleSite.ground
    ) -> ConnectionStop {
        ConnectionStop(floor: floor, room: room.map(RoomID.init), point: Point(x: x, y: y))
    }

    private static let connections = [
        ConnectionRecord(
            id: ConnectionID("door-ac"), kind: .door, stops: [stop(5, 2, "A"), stop(5, 2, "C")]),
        ConnectionRecord(
            id: ConnectionID("door-bc"), kind: .door, stops: [stop(15, 2, "B"), stop(15, 2, "C")]),
        ConnectionRecord(
            id: ConnectionID("stairs"), kind: .stairs,
            stops: [stop(0, 1, "C"), stop(0, 1, "D", on: SampleSite.first)]),
        ConnectionRecord(
            id: ConnectionID("lift"), kind: .lift,
            stops: [stop(20, 1, "C"), stop(20, 1, "D", on: SampleSite.first)]),
        ConnectionRecord(
            id: ConnectionID("lift-b"), kind: .lift,
            stops: [stop(17, 1, "C"), stop(17, 1, "D", on: SampleSite.first)]),
        ConnectionRecord(
            id: ConnectionID("street"), kind: .walk,
            stops: [stop(0, -20, nil, on: nil), stop(90, -20, nil, on: nil)]),
    ]

    init() async throws {
        bench = try await ServiceBench()
        pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        var document = SampleSite.index.document
        document.connections = Self.connections
        bench.publish(try SiteIndex(document))
        try await pool.query(
            """
            INSERT INTO site_editor.sites (id, name, version, published_at, event)
            VALUES ($1, 'Sample', 1, now(), '')
            """, [.text(SampleSite.id.text)])
        for connection in Self.connections {
            try await pool.query(
                """
                INSERT INTO site_editor.connections (site, id, kind, accessible)
                VALUES ($1, $2, $3, 'unknown')
                """,
                [
                    .text(SampleSite.id.text), .text(connection.id.text),
                    .text(connection.kind.rawValue),
                ])
        }
        let bell = OutboxBell()
        app = try bench.serve(
            BarrierRoutes(
                sites: bench.sites, clock: bench.clock, security: bench.security,
                store: BarrierStore(pool: pool, bell: bell)
            ).all
                + OutageRoutes(
                    sites: bench.sites, clock: bench.clock, security: bench.security,
                    store: OutageStore(pool: pool, bell: bell)
                ).all)
        surveyor = bench.issue(.surveyor, site: SampleSite.id)
    }

    private func visitor() -> String { bench.issue(.visitor, site: SampleSite.id) }

    private func report(
        _ place: String, _ kind: String = "door-locked", as token: String
    ) async throws -> Answer {
        try await app.send(
            "POST", Self.path, token: token,
            body: #"{"kind": "\#(kind)", "place": {\#(place)}}"#)
    }

    private func list(as token: String) async throws -> Answer {
        try await app.send("GET", Self.path, token: token)
    }

    /// The connections with an outage that holds now.
    private func closed() async throws -> String {
        let answer = try await app.send(
            "GET", "/v1/outages?site=\(SampleSite.id)&active=true", token: surveyor)
        return [answer["outages.0.connection"], answer["outages.1.connection"]]
            .compactMap(\.self).joined(separator: " ")
    }

    @Test("One report closes nothing, the same session confirms nothing, and a second one closes")
    func confirmed() async throws {
        let (anna, bert) = (visitor(), visitor())
        let first = try await report(#""connection": "door-ac""#, as: anna)
        #expect(first.status == 201 && first["state"] == "waiting", "\(first.text)")
        #expect(first["own"] == "true")
        let again = try await report(#""connection": "door-ac""#, "way-blocked", as: anna)
        #expect(again.status == 200 && again["id"] == first["id"] && again["state"] == "waiting")
        #expect(try await closed() == "")
        let seen = try await list(as: bert)
        #expect(seen["barriers.0.connection"] == "door-ac" && seen["barriers.0.own"] == "false")
        // A tap two metres beside the door is of the same barrier.
        let second = try await report(
            #""floor": "ground", "x": 5, "y": 0"#, "way-blocked", as: bert)
        #expect(second.status == 201 && second["state"] == "confirmed", "\(second.text)")
        #expect(second["id"] == first["id"] && second["kind"] == "door-locked")
        #expect(try await closed() == "door-ac")
        #expect(try await list(as: anna)["barriers.0.id"] == nil, "it is an outage")
        #expect(try await list(as: surveyor)["barriers.0.fromOneAddress"] == "true")
        let kept: [String] = try await pool.query(
            "SELECT coalesce(session::text, 'none') AS kept FROM \(BarrierStore.table)"
        ).map { try $0["kept"] }
        #expect(kept == ["none"], "nothing of the reporters is left")
        bench.pass(seconds: 86_400)
        #expect(try await closed() == "")
        #expect(try await report(#""connection": "door-ac""#, as: bert)["state"] == "waiting")
    }

    @Test("Without a second report a barrier is gone after a day, and its row an hour later")
    func gone() async throws {
        let (anna, bert) = (visitor(), visitor())
        #expect(try await report(#""room": "A""#, as: anna)["connection"] == "door-ac")
        bench.pass(seconds: 86_400)
        #expect(try await list(as: surveyor)["barriers.0.id"] == nil)
        #expect(try await report(#""room": "A""#, as: bert)["state"] == "waiting")
        let store = BarrierStore(pool: pool, bell: OutboxBell())
        bench.pass(seconds: 86_400)
        try await store.sweep(at: bench.clock.now)
        let rows = try await pool.query("SELECT FROM \(BarrierStore.table)")
        #expect(rows.isEmpty)
    }

    @Test("A barrier of a clock that was ahead is swept away, and one of this hour is not")
    func ahead() async throws {
        _ = try await report(#""room": "A""#, as: visitor())
        let store = BarrierStore(pool: pool, bell: OutboxBell())
        func rows(sweptAt hours: Int64) async throws -> Int {
            try await store.sweep(
                at: bench.clock.now.advanced(byMicroseconds: hours * 3_600_000_000))
            return try await pool.query("SELECT FROM \(BarrierStore.table)").count
        }
        #expect(try await rows(sweptAt: 0) == 1)
        #expect(try await rows(sweptAt: -2) == 0)
    }

    @Test("A barrier on a connection that the site has no longer counts for no limit")
    func removed() async throws {
        for place in ["door-ac", "door-bc"] {
            for _ in 1...2 { _ = try await report(#""connection": "\#(place)""#, as: visitor()) }
        }
        try await pool.query(
            "DELETE FROM site_editor.connections WHERE site = $1 AND id = 'door-ac'",
            [.text(SampleSite.id.text)])
        let list = try await list(as: surveyor)
        #expect(list["barriers.0.connection"] == "door-bc" && list["barriers.1.id"] == nil)
        _ = try await report(#""connection": "lift""#, "way-blocked", as: visitor())
        let second = try await report(#""connection": "lift""#, "way-blocked", as: visitor())
        #expect(second["state"] == "confirmed", "\(second.text)")
    }

    @Test("Sessions at one address close two ways, and the staff the rest")
    func limits() async throws {
        for (number, place) in ["door-ac", "door-bc", "lift", "street"].enumerated() {
            let kind = place.hasPrefix("door") ? "door-locked" : "way-blocked"
            _ = try await report(#""connection": "\#(place)""#, kind, as: visitor())
            let second = try await report(#""connection": "\#(place)""#, kind, as: visitor())
            #expect(second["state"] == (number < 2 ? "confirmed" : "waiting"), "\(place)")
        }
        let list = try await list(as: surveyor)
        #expect(list["barriers.3.connection"] == "street" && list["barriers.4.id"] == nil)
        let id = try #require(list["barriers.2.id"])
        let confirmed = try await app.send(
            "POST", "\(Self.path)/\(id)/confirm", token: surveyor)
        #expect(confirmed.status == 200 && confirmed["state"] == "confirmed")
        let known = try await report(#""connection": "lift""#, "lift-out-of-order", as: visitor())
        #expect(known.status == 200 && known["state"] == "confirmed")
    }

    @Test("A dismissed barrier's outage ends, and for six hours reports change nothing there")
    func dismissed() async throws {
        _ = try await report(#""connection": "door-ac""#, as: visitor())
        let id = try #require(
            try await report(#""connection": "door-ac""#, as: visitor())["id"])
        let path = "\(Self.path)/\(id)"
        #expect(try await app.send("DELETE", path, token: visitor()).code == "role-not-allowed")
        #expect(try await app.send("DELETE", path, token: surveyor).status == 204)
        #expect(try await closed() == "")
        for _ in 1...2 {
            let answer = try await report(#""connection": "door-ac""#, as: visitor())
            #expect(answer.status == 200 && answer["state"] == "dismissed")
        }
        #expect(try await list(as: visitor())["barriers.0.id"] == nil)
        let staff = try await report(#""connection": "door-ac""#, as: surveyor)
        #expect(staff.status == 201 && staff["state"] == "confirmed")
        #expect(try await closed() == "door-ac")
        // Who ends the outage itself makes place for a new report.
        let outage = try #require(staff["id"])
        #expect(
            try await app.send("DELETE", "/v1/outages/\(outage)", token: surveyor).status == 204)
        #expect(
            try await app.send("DELETE", "\(Self.path)/\(outage)", token: surveyor).code
                == "outage-unknown")
        #expect(try await report(#""connection": "door-ac""#, as: visitor())["state"] == "waiting")
    }

    @Test("Who finds no barrier ends one that waits, and none that is confirmed or hidden")
    func denied() async throws {
        func deny(_ id: String, as token: String) async throws -> Answer {
            try await app.send("POST", "\(Self.path)/\(id)/deny", token: token)
        }
        let anna = visitor()
        let first = try #require(
            try await report(#""connection": "door-ac""#, as: anna)["id"])
        #expect(try await deny(first, as: visitor()).status == 204)
        #expect(try await list(as: surveyor)["barriers.0.id"] == nil)
        #expect(try await deny(first, as: visitor()).code == "outage-unknown")
        // The next report begins anew: nobody is shut out, and the first one counts for nothing.
        let second = try await report(#""connection": "door-ac""#, as: visitor())
        #expect(second.status == 201 && second["state"] == "waiting", "\(second.text)")
        let confirmed = try await report(#""connection": "door-ac""#, as: anna)
        #expect(confirmed["state"] == "confirmed")
        let id = try #require(confirmed["id"])
        let kept = try await deny(id, as: visitor())
        #expect(kept.status == 200 && kept["state"] == "confirmed", "\(kept.text)")
        #expect(try await closed() == "door-ac")
        #expect(try await app.send("DELETE", "\(Self.path)/\(id)", token: surveyor).status == 204)
        #expect(try await deny(id, as: visitor()).code == "outage-unknown", "the staff's alone")
        #expect(try await deny("x", as: visitor()).code == "id-malformed")
        let hasty = visitor()
        for _ in 1...Int(BarrierQuotas.ofSender.burst) { _ = try await deny(first, as: hasty) }
        #expect(try await deny(first, as: hasty).status == 429)
    }

    @Test("What is no barrier is refused, and too many reports of one session have to wait")
    func refusals() async throws {
        func code(_ place: String, _ kind: String) async throws -> String? {
            try await report(place, kind, as: visitor()).code
        }
        #expect(try await code(#""connection": "lift""#, "fire") == "field-out-of-range")
        #expect(try await code(#""connection": "none""#, "other-barrier") == "connection-unknown")
        #expect(try await code(#""connection": "lift""#, "door-locked") == "connection-unknown")
        #expect(try await code(#""room": "C""#, "door-locked") == "connection-unknown")
        #expect(try await code(#""room": "Z""#, "door-locked") == "room-unknown")
        #expect(try await code(#""floor": "z", "x": 1, "y": 1"#, "way-blocked") == "floor-unknown")
        #expect(try await code(#""x": 500, "y": 1"#, "way-blocked") == "connection-unknown")
        #expect(try await code(#""zone": "z""#, "way-blocked") == "field-unknown")
        #expect(try await code("", "way-blocked") == "field-missing")
        let nobody = try await app.send("DELETE", "\(Self.path)/x", token: surveyor)
        #expect(nobody.code == "id-malformed")
        let hasty = visitor()
        for _ in 1...Int(BarrierQuotas.ofSender.burst) {
            #expect(try await report(#""room": "A""#, as: hasty).code == nil)
        }
        let late = try await report(#""room": "A""#, as: hasty)
        #expect(late.code == "quota-exceeded" && late.status == 429)
    }

    @Test("A surveyor of one building is no staff of the site: their report waits, and lists less")
    func building() async throws {
        let building = try #require(SampleSite.index.document.buildings.first?.id)
        let partial = bench.issue(.surveyor, site: SampleSite.id, buildings: [building])
        let own = try await report(#""connection": "door-ac""#, as: partial)
        #expect(own.status == 201 && own["state"] == "waiting", "\(own.text)")
        #expect(try await closed() == "")
        let staff = try await report(#""connection": "door-bc""#, as: surveyor)
        #expect(staff["state"] == "confirmed")
        let list = try await list(as: partial)
        #expect(list["barriers.0.connection"] == "door-ac" && list["barriers.1.id"] == nil)
        let id = try #require(own["id"])
        let decided = try await app.send("POST", "\(Self.path)/\(id)/confirm", token: partial)
        #expect(decided.code == "building-not-yours", "\(decided.text)")
    }

    @Test("A lift beside one that is confirmed or dismissed is reported by itself")
    func beside() async throws {
        func tap(_ x: Int) async throws -> Answer {
            try await report(
                #""floor": "ground", "x": \#(x), "y": 1"#, "lift-out-of-order", as: visitor())
        }
        #expect(try await tap(20)["connection"] == "lift")
        let near = try await tap(17)
        #expect(near["connection"] == "lift" && near["state"] == "confirmed", "both mean one")
        let other = try await tap(17)
        #expect(other["connection"] == "lift-b" && other["state"] == "waiting", "\(other.text)")
        let id = try #require(near["id"])
        #expect(
            try await app.send("DELETE", "\(Self.path)/\(id)", token: surveyor).status == 204)
        let second = try await tap(17)
        #expect(second["connection"] == "lift-b" && second["state"] == "confirmed")
        #expect(try await tap(20)["state"] == "dismissed", "its own row comes first")
    }

    @Test("A way that is not for the caller is as unknown as one that the site lacks")
    func hidden() async throws {
        var document = SampleSite.index.document
        document.connections = Self.connections
        document.rooms[1].visibility = .staff
        let id = document.rooms[1].id
        #expect(id.text == "B")
        bench.publish(try SiteIndex(document), version: 2)
        let (stranger, building) = (visitor(), try #require(document.buildings.first?.id))
        // A colleague who is no staff of the whole site sees the room, too.
        let colleague = bench.issue(.surveyor, site: SampleSite.id, buildings: [building])
        #expect(
            try await report(#""connection": "door-bc""#, as: stranger).code
                == "connection-unknown")
        #expect(try await report(#""room": "B""#, as: stranger).code == "room-unknown")
        let near = try await report(#""floor": "ground", "x": 15, "y": 2"#, as: stranger)
        #expect(near["connection"] == "door-ac", "the nearest that is for strangers")
        // A barrier that waits there is in no answer for strangers, and on the staff's list.
        #expect(try await report(#""connection": "door-bc""#, as: colleague).status == 201)
        let list = try await list(as: visitor())
        #expect(list["barriers.0.connection"] == "door-ac" && list["barriers.1.id"] == nil)
        #expect(!list.text.contains("door-bc"), "\(list.text)")
        let hidden = try #require(
            try await self.list(as: surveyor).text.firstMatch(
                of: /"id":"([^"]+)","site":"[^"]*","connection":"door-bc"/)?.1)
        let denied = try await app.send("POST", "\(Self.path)/\(hidden)/deny", token: visitor())
        #expect(denied.code == "outage-unknown", "\(denied.text)")
        let again = try await report(#""floor": "ground", "x": 15, "y": 2"#, as: visitor())
        #expect(!again.text.contains("door-bc"), "\(again.text)")
        #expect(try await self.list(as: surveyor).text.contains("door-bc"))
    }
}
