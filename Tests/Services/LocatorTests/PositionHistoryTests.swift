import Devices
import EventLog
import Events
import HTTPClient
import LogViews
import Positioning
import Postgres
import SampleSites
import ServiceBench
import ServiceHost
import TestSupport
import Testing
import Wire

@testable import Locator

@Suite(
    "All positions in one answer",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct PositionHistoryTests {
    /// A little more than one page of such an answer.
    private static let count = PositionQuery.limitMaximum + 50

    private let bench: ServiceBench
    private let app: Served
    private let pool: PostgresPool

    init() async throws {
        bench = try await ServiceBench()
        bench.publish()
        pool = try await ServiceBench.database()
        let sites = KnownSites(
            log: bench.log, published: bench.sites,
            mapStore: Neighbour { _, _, _ in
                HTTPClientResponse(status: 404, headers: [:], body: [])
            }, notices: bench.notices,
            positioners: [WorkingPositioner(positioner: NearestNeighbours(), option: "knn")])
        let hub = StreamHub(
            log: bench.log, notices: bench.notices, limits: .init(streams: 1, streamsOfToken: 1))
        app = try bench.serve(
            LocatorRoutes(
                published: bench.sites, log: bench.log, clock: bench.clock,
                security: bench.security,
                locating: Locating(
                    sites: sites,
                    rules: VisitRules(try bench.configuration(LocatorSettings.all)),
                    visited: VisitedPartitions(), clock: bench.clock,
                    onUnexpected: bench.onUnexpected),
                former: FormerSites(
                    sites: sites,
                    siteEditor: Neighbour { _, _, _ in
                        HTTPClientResponse(status: 404, headers: [:], body: [])
                    }),
                stream: EventStream(hub: hub), groupStream: EventStream(hub: hub),
                batteryStream: EventStream(hub: hub),
                stored: StoredPositions(pool),
                seal: MemorySeal(secret: "s")
            ).all, over: .socket)
    }

    private func fill() async throws {
        let view = PositionsView(daysKept: 365)
        try await pool.migrate(view, schema: view.schema)
        let positions = (0..<Self.count).map { number in
            let at = ServiceBench.start.advanced(byMicroseconds: Int64(number / 3) * 1_000)
            return PositionEstimated(
                id: EventID(high: 5, low: UInt64(number)), scan: EventID(high: 6, low: 7), at: at,
                locatedAt: at, device: DeviceID("d\(number % 7)"), site: SampleSite.id,
                siteVersion: 1, state: .lost, late: false, positioner: "knn", radioMapVersion: nil)
        }
        try await LocatorDefinition.copyPositions(positions, into: view, pool)
    }

    @Test("is refused at an unknown site; rows of a removed site are still shown")
    func unknown() async throws {
        try await fill()
        let token = bench.issue(.administrator)
        bench.sites.replace(with: [:])
        for limit in ["all", "1"] {
            let typo = try await app.send(
                "GET", "/v1/positions?site=nosuch&limit=\(limit)", token: token,
                headers: ["accept": "text/csv"])
            #expect(typo.status == 404 && typo.code == "site-unknown", "\(typo.text)")
            let removed = try await app.send(
                "GET", "/v1/positions?site=\(SampleSite.id)&limit=\(limit)", token: token,
                headers: ["accept": "text/csv"])
            #expect(removed.status == 200)
            // A filter that leaves nothing makes no site unknown.
            let none = try await app.send(
                "GET", "/v1/positions?site=\(SampleSite.id)&limit=\(limit)&device=nobody",
                token: token, headers: ["accept": "text/csv"])
            #expect(none.status == 200, "\(none.text)")
        }
        func stream(_ site: String) async throws -> String? {
            try await app.send("GET", "/v1/positions/stream?site=\(site)", token: token).code
        }
        #expect(try await stream("nosuch") == "site-unknown")
        // The hub does not run here.
        #expect(try await stream(SampleSite.id.text) == "starting")
    }

    /// A position of the device "d" in each of the buildings and rooms.
    private func fill(_ places: [(String, String)]) async throws {
        let view = PositionsView(daysKept: 365)
        try await pool.migrate(view, schema: view.schema)
        let positions = places.enumerated().map { number, place in
            var position = PositionEstimated(
                id: EventID(high: 5, low: UInt64(number)), scan: EventID(high: 6, low: 7),
                at: ServiceBench.start, locatedAt: ServiceBench.start, device: DeviceID("d"),
                site: SampleSite.id, siteVersion: 1, state: .located, late: false,
                positioner: "knn", radioMapVersion: nil)
            position.building = BuildingID(place.0)
            position.floor = SampleSite.ground
            position.room = RoomID(place.1)
            (position.x, position.y) = (1, 1)
            return position
        }
        try await LocatorDefinition.copyPositions(positions, into: view, pool)
    }

    @Test("at a removed site comes by room and building, as by the other filters")
    func removed() async throws {
        let places = [("house", "A"), ("house", "C"), ("annexe", "A"), ("annexe", "house")]
        try await fill(places)
        let token = bench.issue(.administrator)
        bench.sites.replace(with: [:])
        for id in ["house", "annexe", "A", "C", "nosuch"] {
            let answer = try await app.send(
                "GET", "/v1/positions?site=\(SampleSite.id)&zone=\(id)", token: token,
                headers: ["accept": "application/x-ndjson"])
            #expect(answer.status == 200, "\(answer.text)")
            #expect(
                answer.text.split(separator: "\n").count
                    == places.count { $0 == id || $1 == id }, "\(id)")
        }
        let unknown = try await app.send(
            "GET", "/v1/positions?site=nosuch&zone=A", token: token)
        #expect(unknown.status == 404 && unknown.code == "site-unknown")
        // The document of a living site can't be read, and its zones are not known.
        bench.sites.replace(with: [:], announced: [SampleSite.id])
        let unread = try await app.send(
            "GET", "/v1/positions?site=\(SampleSite.id)&zone=A", token: token)
        #expect(unread.status == 503 && unread.code == "starting", "\(unread.text)")
    }

    @Test(
        "of a room or building removed from a living site is shown, and a zone without is unknown",
        arguments: ["all", "10"])
    func removedRoom(limit: String) async throws {
        try await fill([("house", "former"), ("house", "former"), ("house", "A"), ("annexe", "x")])
        func ask(_ query: String, _ token: String? = nil) async throws -> Answer {
            try await app.send(
                "GET", "/v1/positions?site=\(SampleSite.id)&limit=\(limit)&\(query)",
                token: token ?? bench.issue(.analyst, site: SampleSite.id),
                headers: ["accept": "application/x-ndjson"])
        }
        let later = "from=2100-01-01T00:00:00.000Z"
        for (query, count) in [
            ("zone=former", 2), ("zone=annexe", 1), ("zone=A", 1), ("zone=A&\(later)", 0),
        ] {
            let answer = try await ask(query)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.text.split(separator: "\n").count == count, "\(query)")
        }
        for query in ["zone=nosuch", "zone=former&device=nobody", "zone=former&\(later)"] {
            let unknown = try await ask(query)
            #expect(unknown.status == 404 && unknown.code == "zone-unknown", "\(query)")
        }
        for (device, status) in [("d", 200), ("other", 404)] {
            let token = bench.issue(.device, site: SampleSite.id, device: DeviceID(device))
            #expect(try await ask("zone=former", token).status == status)
        }
        let ofHouse = bench.issue(
            .analyst, site: SampleSite.id, buildings: [BuildingID("house")])
        #expect(try await ask("zone=annexe", ofHouse).code == "zone-unknown")
        #expect(try await ask("zone=former", ofHouse).status == 200)
    }

    @Test("has what the pages have, and ends")
    func all() async throws {
        try await fill()
        let token = bench.issue(.administrator)
        for type in ["text/csv", "application/x-ndjson"] {
            func get(_ query: String) async throws -> Answer {
                try await app.send(
                    "GET", "/v1/positions?site=\(SampleSite.id)&\(query)", token: token,
                    headers: ["accept": type])
            }
            let whole = try await get("limit=all")
            #expect(whole.status == 200 && whole.headers["whereabouts-next"] == nil)
            let first = try await get("limit=\(PositionQuery.limitMaximum)")
            let cursor = try #require(first.headers["whereabouts-next"])
            let rest = try await get("limit=\(PositionQuery.limitMaximum)&after=\(cursor)")
            // The second page of a table begins with headings, which the whole has once.
            let lines = rest.text.split(separator: type == "text/csv" ? "\r\n" : "\n")
            let end = lines.dropFirst(type == "text/csv" ? 1 : 0)
            #expect(end.count == Self.count - PositionQuery.limitMaximum)
            #expect(whole.text.count > first.text.count && whole.text.hasPrefix(first.text))
            #expect(
                whole.text.dropFirst(first.text.count)
                    .split(separator: type == "text/csv" ? "\r\n" : "\n") == Array(end))
            let none = try await get("limit=all&device=nobody")
            #expect(none.status == 200 && none.text.split(separator: "\r\n").count <= 1)
        }
    }

    @Test("is refused in a form that needs an end, and any other word is no limit")
    func refused() async throws {
        let token = bench.issue(.administrator)
        for (query, type, code) in [
            ("limit=all", "application/json", "not-acceptable"),
            ("limit=each", "text/csv", "limit-out-of-range"),
        ] {
            let answer = try await app.send(
                "GET", "/v1/positions?site=\(SampleSite.id)&\(query)", token: token,
                headers: ["accept": type])
            #expect(answer.code == code, "\(query) \(type): \(answer.text)")
        }
    }
}
