import Events
import Geometry
import ServiceBench
import ServiceHost
import Site
import Testing
import Wire

@testable import FingerprintBuilder

@Suite("Valid magnetic routes in time") struct MagneticRouteExpiryTests {
    private let campus: MapCampus
    private let app: Served
    private let token: String

    init() async throws {
        campus = try await MapCampus()
        let store = MagneticRouteStore(pool: campus.pool)
        app = try campus.bench.serve(
            QualityRoutes(
                sites: campus.bench.sites, clock: campus.bench.clock, pool: campus.pool
            ).all
                + MagneticRouteRoutes(
                    sites: campus.bench.sites, clock: campus.bench.clock, store: store
                ).all
                + FingerprintRoutes(
                    sites: campus.bench.sites, pool: campus.pool, store: campus.store
                ).all)
        token = campus.bench.issue(.surveyor, site: MapCampus.site)
        var document = MapCampus.document
        for index in document.rooms.indices {
            document.rooms[index].kind = "corridor"
            document.rooms[index].outline = [[0, 0], [90, 0], [90, 5], [0, 5]]
        }
        try campus.publish(document, version: 2)
    }

    /// Records a route along a building's corridor, and validates it.
    private func put(_ building: String, isReliable: Bool) async throws {
        let store = MagneticRouteStore(pool: campus.pool)
        let (route, now) = (MagneticRouteID(building), campus.bench.clock.now)
        let walk = MagneticWalk(samples: [], stepsAtMilliseconds: [])
        let recorded = MagneticRouteRecorded(
            site: MapCampus.site, route: route, version: 1, floor: FloorID("\(building)-0"),
            polyline: [MagneticRoutePoint(x: 0, y: 2.5), MagneticRoutePoint(x: 90, y: 2.5)],
            walk: walk, recordedAt: now)
        let validated = MagneticRouteValidated(
            site: MapCampus.site, route: route, version: 2, recording: 1, walk: walk,
            direction: .forward, meanMetres: 1, percentile95Metres: 2, elsewhere: 0,
            isReliable: isReliable, validatedAt: now, recorded: recorded, doubt: 0.5)
        let isRecorded = try await store.put(recorded, source: "/test")
        let isValidated = try await store.put(validated, source: "/test")
        #expect(isRecorded && isValidated)
    }

    private func gaps(_ query: String = "") async throws -> [String] {
        let answer = try await app.send(
            "GET", "/v1/sites/\(MapCampus.site)/survey-coach\(query)", token: token)
        #expect(answer.status == 200, "\(answer.text)")
        return (0..<2).compactMap { answer["magneticGaps.\($0).room"] }.sorted()
    }

    @Test("The coach lists corridors without a valid route, also those whose route has expired")
    func gaps() async throws {
        #expect(try await gaps() == ["north-hall", "south-hall"])
        try await put("north", isReliable: true)
        try await put("south", isReliable: false)
        #expect(try await gaps() == ["south-hall"])
        #expect(try await gaps("?floor=north-0").isEmpty)
        #expect(try await gaps("?floor=south-0") == ["south-hall"])
        campus.bench.pass(seconds: 180 * 86_400 - 1)
        #expect(try await gaps() == ["south-hall"])
        campus.bench.pass(seconds: 1)
        #expect(try await gaps() == ["north-hall", "south-hall"])
    }

    @Test(
        "Lists of a misspelt floor are not found",
        arguments: ["survey-coach", "survey-quality", "fingerprints"])
    func unknownFloor(list: String) async throws {
        for (floor, status) in [("north-0", 200), ("outdoors", 200), ("nosuch", 404)] {
            let answer = try await app.send(
                "GET", "/v1/sites/\(MapCampus.site)/\(list)?floor=\(floor)", token: token)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.code == (status == 200 ? nil : "floor-unknown"))
        }
    }

    @Test("Routes of a misspelt site are not found")
    func unknownSite() async throws {
        let answer = try await app.send(
            "GET", "/v1/magnetic-routes?site=nosuch",
            token: campus.bench.issue(.administrator))
        #expect(answer.status == 404 && answer.code == "site-unknown", "\(answer.text)")
    }

    @Test("A route more than 100 m outside of the site is refused, and replaces none")
    func far() async throws {
        try await put("north", isReliable: true)
        for (x, code) in [(9_001, "coordinates-out-of-range"), (150, "magnetic-walk-unusable")] {
            let answer = try await app.send(
                "POST", "/v1/magnetic-routes?site=\(MapCampus.site)", token: token,
                body: #"{"id": "north", "floor": "north-0", "polyline": [[0, 2.5], [\#(x), 2.5]], "#
                    + #""samples": []}"#)
            #expect(answer.code == code, "\(answer.text)")
        }
        let kept = try await app.send(
            "GET", "/v1/magnetic-routes/north?site=\(MapCampus.site)", token: token)
        #expect(kept["state"] == "valid" && kept["version"] == "2")
    }

    @Test("The list has the end of a valid route, and calls it expired from then on")
    func list() async throws {
        try await put("north", isReliable: true)
        try await put("south", isReliable: false)
        let path = "/v1/magnetic-routes/north?site=\(MapCampus.site)"
        campus.bench.pass(seconds: 180 * 86_400 - 1)
        let valid = try await app.send("GET", path, token: token)
        #expect(valid["state"] == "valid" && valid["validation.doubt"] == "0.5")
        campus.bench.pass(seconds: 1)
        let expired = try await app.send("GET", path, token: token)
        #expect(expired["state"] == "expired")
        #expect(expired["expiresAt"] == campus.bench.clock.now.text)
        let list = try await app.send(
            "GET", "/v1/magnetic-routes?site=\(MapCampus.site)", token: token)
        #expect(list["magneticRoutes.0.state"] == "expired")
        #expect(list["magneticRoutes.1.state"] == "recorded")
        #expect(list["magneticRoutes.1.expiresAt"] == nil)
    }
}
