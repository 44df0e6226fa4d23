import Cryptography
import Devices
import Events
import Geometry
import HTTPClient
import Positioning
import SampleSites
import ServiceBench
import ServiceHost
import Site
import Synchronization
import Testing
import Wire

@testable import Locator

/// Stands for fingerprint-builder: serves a radio map by its path, and records the requests.
private final class MapStore: Sendable {
    static let artifact = RadioMapArtifact.encode(SampleSite.map)
    static let announcement: RadioMapAnnounced = {
        var announcement = LocatorBench.announcement(version: 1)
        announcement.site = SampleSite.id
        announcement.hash = sha256Hex(artifact)
        return announcement
    }()
    private let state = Mutex((status: 200, paths: [String]()))

    var paths: [String] { state.withLock { $0.paths } }

    func answers(_ status: Int) { state.withLock { $0.status = status } }

    var neighbour: Neighbour {
        Neighbour { [self] path, _, _ in
            let status = state.withLock { state in
                state.paths.append(path)
                return state.status
            }
            return HTTPClientResponse(
                status: status, headers: [:], body: Self.artifact)
        }
    }
}

@Suite("The locator's routes") struct LocatorRoutesTests {
    private let bench: ServiceBench
    private let sites: KnownSites
    private let maps = MapStore()
    private let app: Served

    init() async throws {
        bench = try await ServiceBench()
        bench.publish()
        sites = KnownSites(
            log: bench.log, published: bench.sites, mapStore: maps.neighbour,
            notices: bench.notices,
            positioners: [WorkingPositioner(positioner: NearestNeighbours(), option: "knn")])
        let locating = Locating(
            sites: sites, rules: VisitRules(try bench.configuration(LocatorSettings.all)),
            visited: VisitedPartitions(), clock: bench.clock, onUnexpected: bench.onUnexpected)
        let hub = StreamHub(
            log: bench.log, notices: bench.notices, limits: .init(streams: 1, streamsOfToken: 1))
        app = try bench.serve(
            LocatorRoutes(
                published: bench.sites, log: bench.log, clock: bench.clock,
                security: bench.security, locating: locating,
                former: FormerSites(sites: sites, siteEditor: maps.neighbour),
                stream: EventStream(hub: hub), groupStream: EventStream(hub: hub),
                batteryStream: EventStream(hub: hub),
                stored: StoredPositions(bench.absentDatabase), seal: MemorySeal(secret: "s")
            ).all)
    }

    /// Loads the map as if it had just been fetched.
    private func loadMap() async throws {
        let published = bench.sites[whole: SampleSite.id]
        let map = try await sites.fetch(MapStore.announcement)
        sites.adopt(
            map, SiteSources(SampleSite.id, site: published, map: MapStore.announcement),
            of: SampleSite.id)
    }

    private func locate(at point: Point, floor: FloorID, _ token: String) async throws -> Answer {
        let readings = SampleSite.readings(at: point, floor: floor)
            .map { #"{"bssid": "\#($0.bssid.text)", "rssi": \#($0.rssi)}"# }
        return try await app.send(
            "POST", "/v1/locate", token: token,
            body: #"{"wifi": [\#(readings.joined(separator: ", "))]}"#)
    }

    private func phone() -> String {
        bench.issue(.device, site: SampleSite.id, device: DeviceID("phone"))
    }

    @Test(
        "A period that ends before it begins is refused",
        arguments: [
            "positions?device=d", "visits?device=d", "group-visits?device=d", "counts?zone=z",
            "positions-beside?device=d",
        ])
    func period(path: String) async throws {
        let query = "from=2026-11-22T00:00:00.000Z&until=2026-11-21T00:00:00.000Z"
        let answer = try await app.send(
            "GET", "/v1/\(path)&site=\(SampleSite.id)&\(query)",
            token: bench.issue(.administrator))
        #expect(answer.status == 400 && answer.code == "field-out-of-range", "\(answer.text)")
    }

    @Test(
        "POST /v1/locate finds the place of the readings, and stores nothing"
    )
    func located() async throws {
        try await loadMap()
        let token = phone()
        for (point, floor) in [
            (Point(x: 3, y: 4), SampleSite.ground), (Point(x: 15, y: 3), SampleSite.first),
        ] {
            let answer = try await locate(at: point, floor: floor, token)
            #expect(answer.status == 200 && answer["floor"] == floor.text)
            let x = try #require(answer["x"].flatMap(Double.init))
            let y = try #require(answer["y"].flatMap(Double.init))
            #expect(Point(x: x, y: y).distance(to: point) < 3)
        }
        #expect(try await bench.records(of: .positions).isEmpty)
        #expect(maps.paths == ["/v1/radio-maps/\(MapStore.announcement.hash)"])
    }

    @Test("POST /v1/locate answers that there is no map yet, not that the device is lost")
    func noMap() async throws {
        let answer = try await locate(at: Point(x: 3, y: 4), floor: SampleSite.ground, phone())
        #expect(answer.status == 503 && answer.code == "radio-map-missing")
        #expect(answer.headers["retry-after"] == "10")
    }

    @Test("A map that fingerprint-builder does not serve counts as missing")
    func refused() async throws {
        maps.answers(404)
        await #expect(throws: (any Error).self) { try await loadMap() }
        #expect(sites[SampleSite.id] == nil)
    }

    @Test("POST /v1/locate accepts one scan with readings, at a published site")
    func wrong() async throws {
        let token = bench.issue(.administrator)
        let silent = try await app.send("POST", "/v1/locate", token: token, body: #"{"wifi": []}"#)
        #expect(silent.code == "nothing-heard")
        let elsewhere = try await app.send(
            "POST", "/v1/locate", token: token, body: #"{"site": "elsewhere", "steps": 1}"#)
        #expect(elsewhere.status == 404 && elsewhere.code == "site-unknown")
    }

    @Test(
        "A device sees itself only",
        arguments: [
            "/v1/positions?device=other", "/v1/positions/latest?device=other",
            "/v1/positions/stream?device=other", "/v1/visits?device=other",
            "/v1/group-visits?device=other", "/v1/group-visits/stream?device=other",
        ])
    func itself(path: String) async throws {
        let answer = try await app.send("GET", path, token: phone())
        #expect(answer.status == 403 && answer.code == "device-not-yours")
    }

    @Test(
        "A wrong request is refused before a table is read",
        arguments: [
            ("/v1/positions/x", "id-malformed"), ("/v1/positions/x/explain", "id-malformed"),
            ("/v1/positions?limit=0", "limit-out-of-range"),
            ("/v1/positions/latest?limit=x", "limit-out-of-range"),
            ("/v1/positions?zone=", "identifier-malformed"),
            ("/v1/visits?zone=", "identifier-malformed"),
            ("/v1/counts?zone=", "identifier-malformed"),
            ("/v1/group-visits?group=", "identifier-malformed"),
        ])
    func malformed(path: String, code: String) async throws {
        let analyst = bench.issue(.analyst, site: SampleSite.id)
        #expect(try await app.send("GET", path, token: analyst).code == code)
    }

    @Test(
        "A stream since a time ahead is refused with the server's time; clocks may differ a little",
        arguments: [
            "/v1/positions/stream", "/v1/group-visits/stream",
            "/v1/sites/\(SampleSite.id)/beacon-batteries/stream",
        ])
    func ahead(path: String) async throws {
        let editor = bench.issue(.administratorOfSite, site: SampleSite.id)
        let now = bench.clock.now
        func ask(secondsAhead: Int64) async throws -> Answer {
            let since = now.advanced(byMicroseconds: secondsAhead * 1_000_000)
            return try await app.send("GET", "\(path)?since=\(since.text)", token: editor)
        }
        let refused = try await ask(secondsAhead: 301)
        #expect(refused.status == 400 && refused.code == "since-ahead")
        #expect(refused["detail"]?.contains(now.text) == true)
        // The hub does not run here.
        #expect(try await ask(secondsAhead: 299).code == "starting")
    }

    @Test("The stream of batteries is for those who administer a published site")
    func batteryStream() async throws {
        let path = "/v1/sites/\(SampleSite.id)/beacon-batteries/stream"
        let analyst = bench.issue(.analyst, site: SampleSite.id)
        #expect(try await app.send("GET", path, token: analyst).code == "role-not-allowed")
        let unknown = try await app.send(
            "GET", "/v1/sites/elsewhere/beacon-batteries/stream",
            token: bench.issue(.administrator))
        #expect(unknown.status == 404 && unknown.code == "site-unknown")
    }

    @Test("A misspelt filter is refused, and the answer lists the list's own")
    func misspelt() async throws {
        let analyst = bench.issue(.analyst, site: SampleSite.id)
        let answer = try await app.send("GET", "/v1/group-visits?groups=hall", token: analyst)
        #expect(answer.status == 400 && answer.code == "field-unknown")
        #expect(
            answer["detail"]
                == "There is no parameter groups; the known ones are: after, device, from, group, "
                + "limit, site, until.")
    }

    @Test(
        "A filter without a value is refused, and not an empty list",
        arguments: [
            ("positions?device=", "device-malformed"), ("visits?device=", "device-malformed"),
            ("positions/latest?device=", "device-malformed"),
            ("group-visits?group=", "identifier-malformed"),
            ("group-visits?limit=5&limit=6", "query-malformed"),
        ])
    func empty(query: String, code: String) async throws {
        let analyst = bench.issue(.analyst, site: SampleSite.id)
        let answer = try await app.send("GET", "/v1/\(query)", token: analyst)
        #expect(answer.status == 400 && answer.code == code)
    }

    @Test(
        "Routes that read tables answer 503 while the database is away",
        arguments: [
            "/v1/positions", "/v1/positions/latest", "/v1/visits", "/v1/group-visits",
            "/v1/positions/00000000-0000-7000-8000-000000000001",
        ])
    func away(path: String) async throws {
        let analyst = bench.issue(.analyst, site: SampleSite.id)
        let answer = try await app.send("GET", path, token: analyst)
        #expect(answer.status == 503 && answer.code == "database-unreachable")
        #expect(answer.headers["retry-after"] == "2")
    }
}

/// Answers in Google's form.
extension LocatorRoutesTests {
    private static func question(at point: Point) -> String {
        let senders = SampleSite.readings(at: point, floor: SampleSite.ground).map {
            #"{"macAddress": "\#($0.bssid.text)", "signalStrength": \#($0.rssi)}"#
        }
        return #"{"considerIp": true, "wifiAccessPoints": [\#(senders.joined(separator: ", "))]}"#
    }

    private func ask(_ key: String?, _ body: String) async throws -> Answer {
        try await app.send(
            "POST", "/v1/geolocate" + (key.map { "?key=\($0)" } ?? ""), body: body)
    }

    @Test("POST /v1/geolocate answers where the senders are heard, and stores nothing")
    func geolocated() async throws {
        try await loadMap()
        let key = bench.issue(.locateOnly, site: SampleSite.id)
        let point = Point(x: 15, y: 4)
        let answer = try await ask(key, Self.question(at: point))
        #expect(answer.status == 200)
        let latitude = try #require(answer["location.lat"].flatMap(Double.init))
        let longitude = try #require(answer["location.lng"].flatMap(Double.init))
        let found = SampleSite.index.frame.point(
            GeographicPoint(latitude: latitude, longitude: longitude))
        #expect(found.distance(to: point) < 3)
        let accuracy = try #require(answer["accuracy"].flatMap(Double.init))
        #expect((0.01...50).contains(accuracy))
        #expect(try await bench.records(of: .positions).isEmpty)
        #expect(try await bench.records(of: .scans).isEmpty)
    }

    @Test("POST /v1/geolocate takes keys of the role locate-only alone, and names none of them")
    func keys() async throws {
        try await loadMap()
        let body = Self.question(at: Point(x: 15, y: 4))
        let administrator = bench.issue(.administrator)
        for key in [nil, "no-such-key", phone(), administrator] {
            let answer = try await ask(key, body)
            #expect(answer.status == 400)
            #expect(answer["error.errors.0.reason"] == "keyInvalid")
            #expect(answer["error.errors.0.domain"] == "usageLimits")
            #expect(answer["error.code"] == "400")
            if let key { #expect(!answer.text.contains(key)) }
        }
        // The key opens nothing else, and no other path takes one.
        let key = bench.issue(.locateOnly, site: SampleSite.id)
        let elsewhere = try await app.send("POST", "/v1/locate?key=\(key)", body: "{}")
        #expect(elsewhere.status == 401)
        let lines = bench.securityLines.joined() + bench.unexpected.joined()
        #expect(!lines.contains(key) && !lines.contains(administrator))
    }

    @Test(
        "POST /v1/geolocate has Google's errors",
        arguments: [
            ("{", 400, "parseError"), ("[]", 400, "parseError"), ("{}", 404, "notFound"),
            (#"{"wifiAccessPoints": [{"macAddress": "02:00:00:00:00:01"}]}"#, 404, "notFound"),
            (
                #"""
                {"wifiAccessPoints": [{"macAddress": "02:00:00:00:99:01", "signalStrength": -50},
                {"macAddress": "02:00:00:00:99:02", "signalStrength": -50}]}
                """#, 404, "notFound"
            ),
        ])
    func errors(body: String, status: Int, reason: String) async throws {
        try await loadMap()
        let key = bench.issue(.locateOnly, site: SampleSite.id)
        let answer = try await ask(key, body)
        #expect(answer.status == status && answer["error.errors.0.reason"] == reason)
        #expect(answer["error.code"] == "\(status)")
    }
}
