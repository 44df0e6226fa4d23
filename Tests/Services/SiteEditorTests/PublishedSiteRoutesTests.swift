import Access
import Devices
import Events
import Geometry
import HTTP
import SampleSites
import ServiceBench
import Site
import Testing

@testable import SiteEditor

/// Tests routes that answer from published sites alone.
@Suite("Routes of published sites") struct PublishedSiteRoutesTests {
    private let bench: ServiceBench
    private let app: Served
    private let token: String
    private static let path = "/v1/sites/\(SampleSite.id)"

    init() async throws {
        bench = try await ServiceBench()
        bench.publish()
        app = try bench.serve(
            SearchRoutes(sites: bench.sites).all + MapRoutes(sites: bench.sites).all
                + MapPartRoutes(sites: bench.sites).all
                + CurrentBuildingRoutes(
                    sites: bench.sites, clock: bench.clock,
                    rules: VisitRules()
                ).all
                + PageRoutes(embedding: "https://kiosk.example").all)
        token = bench.issue(.visitor, site: SampleSite.id)
    }

    private func get(_ path: String, _ headers: [String: String] = [:]) async throws -> Answer {
        try await app.send("GET", Self.path + path, token: token, headers: headers)
    }

    @Test("GET search finds rooms by their names, with the version of the site")
    func search() async throws {
        let answer = try await get("/search?q=room")
        #expect(answer.status == 200 && answer["version"] == "1")
        #expect(answer["results.0.kind"] == "room")
        let one = try await get("/search?q=room&limit=1")
        let (first, next) = (one["results.0.id"], one["next"])
        #expect(one["results.1"] == nil && next != nil)
        let second = try await get("/search?q=room&limit=1&after=\(next ?? "")")
        #expect(second["results.0.id"] != nil && second["results.0.id"] != first)
        let upstairs = try await get("/search?q=room&floor=first")
        #expect(upstairs["results.0.id"] == "D" && upstairs["results.1"] == nil)
    }

    @Test("GET search finds a new name as soon as it is published")
    func newName() async throws {
        #expect(try await get("/search?q=aquarium")["results.0.id"] == nil)
        var document = SampleSite.index.document
        document.rooms[0].name = "Aquarium"
        bench.publish(try SiteIndex(document), version: 2)
        let answer = try await get("/search?q=aquarium")
        #expect(answer["version"] == "2" && answer["results.0.id"] == "A")
    }

    @Test(
        "name the fault in a request",
        arguments: [
            ("/search", "query-missing"), ("/search?q=a&limit=x", "limit-out-of-range"),
            ("/search?q=a&after=!", "cursor-malformed"),
            ("/search?q=\(String(repeating: "a", count: 1_000))", "query-too-long"),
            ("/map?width=3", "number-out-of-range"),
            ("/map?around=1,2", "coordinates-out-of-range"),
            ("/map?around=1,2,0", "coordinates-out-of-range"),
            ("/map?route=1,2;3", "coordinates-out-of-range"), ("/floors/roof/map", "floor-unknown"),
            ("/floors/roof/map/part", "floor-unknown"),
            ("/map/parts/16/0/0", "number-out-of-range"),
            ("/map/parts/8/256/0", "number-out-of-range"),
            ("/map/parts/8/0/x", "number-out-of-range"),
            ("/map/parts/8/0/0?language=_", "language-malformed"),
            ("/search?q=a&floor=roof", "floor-unknown"),
            ("/current-building?latitude=51.5", "coordinates-out-of-range"),
            ("/current-building?latitude=91&longitude=0", "coordinates-out-of-range"),
            ("/current-building?latitude=51&longitude=0&state=house", "building-state-malformed"),
            ("/current-building?latitude=51&longitude=0&sate=1~house", "field-unknown"),
        ])
    func wrong(path: String, code: String) async throws {
        #expect(try await get(path).code == code)
    }

    @Test("GET current-building names the building around a point, and none far away")
    func building() async throws {
        var document = SampleSite.index.document
        document.buildings[0].outline = [[0, 0], [20, 0], [20, 6], [0, 6]]
        bench.publish(try SiteIndex(document), version: 2)
        let middle = SampleSite.index.frame.geographic(Point(x: 10, y: 3))
        let inside = try await get(
            "/current-building?latitude=\(middle.latitude)&longitude=\(middle.longitude)")
        #expect(inside.status == 200 && inside["building"] == "house")
        let outside = try await get("/current-building?latitude=52&longitude=1")
        #expect(outside["building"] == "null")
    }

    @Test("GET current-building keeps the dwell of visits for who sends the state back")
    func dwell() async throws {
        var document = SampleSite.index.document
        document.buildings[0].outline = [[0, 0], [60, 0], [60, 60], [0, 60]]
        bench.publish(try SiteIndex(document), version: 2)
        func ask(_ x: Double, _ more: String) async throws -> Answer {
            let place = SampleSite.index.frame.geographic(Point(x: x, y: 30))
            return try await get(
                "/current-building?latitude=\(place.latitude)&longitude=\(place.longitude)\(more)")
        }
        let first = try await ask(30, "")
        #expect(first["building"] == "house")
        var state = try #require(first["state"])
        // Outside of the margin for the delay; one fix inside begins it anew.
        for (seconds, x, building) in [
            (3, -40.0, "house"), (9, -40.0, "house"), (1, 30.0, "house"), (3, -40.0, "house"),
            (9, -40.0, "house"), (1, -40.0, "null"), (3, 30.0, "null"), (10, 30.0, "house"),
        ] {
            bench.pass(seconds: seconds)
            let answer = try await ask(x, "&state=\(state)")
            #expect(answer["building"] == building, "\(answer.text)")
            state = try #require(answer["state"])
        }
        // Without a state there is only the margin, as before.
        #expect(try await ask(-40, "&before=house")["building"] == "null")
        bench.pass(seconds: 601)
        #expect(try await ask(-40, "&state=\(state)")["building"] == "null", "after a silence")
    }

    @Test("GET map draws a floor in the requested format, and answers 304 to a client that has it")
    func map() async throws {
        let drawn = try await get("/floors/ground/map", ["accept": "image/svg+xml"])
        #expect(drawn.status == 200 && drawn.headers["content-type"] == "image/svg+xml")
        #expect(drawn.text.contains("<svg"))
        let data = try await get("/floors/ground/map")
        #expect(data["type"] == "FeatureCollection" && data.text.contains("Room A"))
        #expect(!data.text.contains("Room D"))
        let tag = try #require(drawn.headers["etag"])
        let again = try await get(
            "/floors/ground/map", ["accept": "image/svg+xml", "if-none-match": tag])
        #expect(again.status == 304 && again.body.isEmpty)
        bench.publish(version: 2)
        let newer = try await get(
            "/floors/ground/map", ["accept": "image/svg+xml", "if-none-match": tag])
        #expect(newer.status == 200 && newer.headers["etag"] != tag)
    }

    @Test("GET map/overview counts the areas of floors, and a part has the rooms of one")
    func parts() async throws {
        let overview = try await get("/map/overview")
        #expect(overview["floors.0.id"] == "ground" && overview["floors.0.areas"] == "3")
        #expect(overview["floors.1.areas"] == "1" && overview["outdoors.features"] == "0")
        let floor = try await get("/floors/ground/map/part")
        #expect(floor["zoom"] == "15" && floor["extent"] == "65536")
        #expect(floor.text.contains("Room A") && !floor.text.contains("Room D"))
        let tag = try #require(floor.headers["etag"])
        let again = try await get("/floors/ground/map/part", ["if-none-match": tag])
        #expect(again.status == 304 && again.body.isEmpty)
        bench.publish(version: 2)
        #expect(try await get("/floors/ground/map/part", ["if-none-match": tag]).status == 200)
    }

    @Test("GET map/parts has what lies in the square, in the reader's language and for the reader")
    func outdoors() async throws {
        var document = SampleSite.index.document
        document.buildings[0].outline = [[0, 0], [20, 0], [20, 6], [0, 6]]
        document.buildings[0].names = Translations(["cy": "Ty"])
        document.rooms[0].visibility = .hidden
        bench.publish(try SiteIndex(document), version: 2)
        // The square of 51.5 degrees north and 0.1 west.
        let square = "/map/parts/15/16374/10897"
        let part = try await get(square)
        #expect(part["features.0.id"] == "house" && part["features.0.name"] == "House")
        #expect(try await get(square + "?language=cy")["features.0.name"] == "Ty")
        let beside = try await get("/map/parts/15/0/0")
        #expect(beside.status == 200 && beside["features.0"] == nil)
        let overview = try await get("/map/overview?language=cy")
        #expect(overview["floors.0.areas"] == "2" && overview["buildings.0.name"] == "Ty")
        #expect(overview["buildings.0.id"] == "house" && overview["buildings.0.box.0"] == "-0.1")
        #expect(overview["buildings.0.timeZone"] == "Europe/London")
        #expect(try await !get("/floors/ground/map/part").text.contains("Room A"))
        let editor = bench.issue(.administrator)
        let whole = try await app.send(
            "GET", Self.path + "/floors/ground/map/part", token: editor)
        #expect(whole.text.contains("Room A"))
    }

    @Test("refuse sites that are not published, and sites of other tokens")
    func sites() async throws {
        let everywhere = bench.issue(.administrator)
        for path in [
            "search?q=a", "map", "map/overview", "current-building?latitude=0&longitude=0",
        ] {
            let unknown = try await app.send("GET", "/v1/sites/x/\(path)", token: everywhere)
            #expect(unknown.status == 404 && unknown.code == "site-unknown", "\(path)")
            let foreign = try await app.send("GET", "/v1/sites/x/\(path)", token: token)
            #expect(foreign.code == "site-not-yours", "\(path)")
        }
    }

    @Test("The pages are open to anybody; only origins that the operator names may frame them")
    func pages() async throws {
        for path in [
            "/positions", "/page.css", "/page.js", "/sign-in", "/join", "/account", "/people.js",
        ] {
            let answer = try await app.send("GET", path)
            #expect(answer.status == 200 && !answer.body.isEmpty, "\(path)")
            let policy = answer.headers["content-security-policy"] ?? ""
            #expect(policy.hasSuffix("frame-ancestors https://kiosk.example"), "\(path)")
        }
    }

    @Test("The staff's app offers each role that an administrator can give to people")
    func roles() async throws {
        let module = String(decoding: PackageResources.admin_roles_js, as: UTF8.self)
        let list = try #require(module.firstMatch(of: /ROLES_OF_PEOPLE = \[([^\]]*)\]/)?.1)
        let offered = list.matches(of: /'([a-z-]+)'/).map { String($0.1) } + ["administrator"]
        #expect(offered.sorted() == TokenRole.ofPeople.map(\.rawValue).sorted())
        let keeper = Keeper(id: "a", grants: [Grant(.administrator)])
        for role in TokenRole.ofPeople {
            try keeper.checkMayGrant([RoleGrant(role, site: SampleSite.id)])
        }
        // A role of a device is for no account.
        #expect(throws: Problem.self) { try keeper.checkMayGrant([RoleGrant(.scanner)]) }
    }
}
