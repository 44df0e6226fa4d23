import EventLog
import Events
import Geometry
import ServiceBench
import Site
import Testing
import Wire

@testable import Router

@Suite("POST /v1/routes") struct RouteTests {
    private static let fromAToB = #""from": {"room": "A"}, "to": [{"room": "B"}]"#

    @Test("leads from one room through the door into the other")
    func found() async throws {
        let router = try await RouterBench()
        let answer = try await router.route(Self.fromAToB, router.visitor())
        #expect(answer.status == 200)
        #expect(answer["found"] == "true" && answer["site"] == "house")
        // From the middle of A to the door: 2.5 m.
        #expect(
            answer["routes.0.distanceMetres"].flatMap(Double.init).map { (2...4) ~= $0 } == true)
        #expect(answer.text.contains("between"))
        #expect(router.asked.isEmpty)
    }

    @Test("finds no way into a room that is not for the asker, and names neither it nor its door")
    func readers() async throws {
        let router = try await RouterBench()
        func publish(_ version: Int, _ visibility: Visibility) async throws {
            var house = RouterBench.house
            house.rooms[1].visibility = visibility
            router.bench.publish(
                try SiteIndex(house), as: RouterBench.site, version: version)
            await router.networks.update()
        }
        let stranger = router.visitor()
        let staff = router.bench.issue(.analyst, site: RouterBench.site)
        let editor = router.bench.issue(.administratorOfSite, site: RouterBench.site)
        func statuses() async throws -> [Int] {
            var statuses: [Int] = []
            for token in [stranger, staff, editor] {
                statuses.append(try await router.route(Self.fromAToB, token).status)
            }
            return statuses
        }
        try await publish(2, .staff)
        #expect(try await statuses() == [404, 200, 200])
        try await publish(3, .hidden)
        #expect(try await statuses() == [404, 404, 200])
        let office = #""from": {"room": "A"}, "to": [{"kind": "office"}]"#
        let near = try await router.route(office, stranger)
        #expect(!near.text.contains("Room B") && !near.text.contains("between"))
        try await publish(4, .everybody)
        #expect(try await statuses() == [200, 200, 200])
    }

    @Test("says in each language that its end is closed on arrival, and when that opens")
    func shutEnd() async throws {
        let router = try await RouterBench()
        var house = RouterBench.house
        house.rooms[1].names = Translations()
        house.rooms[1].name = "Studio"
        house.rooms[1].openingHours = "off"
        house.directory = [
            DirectoryEntry(
                id: DirectoryID("law"), kind: "department", name: "Law",
                places: [.room(RoomID("B"))], openingHours: "Feb 08:00-10:00")
        ]
        router.bench.publish(try SiteIndex(house), as: RouterBench.site, version: 2)
        await router.networks.update()
        let toLaw =
            #""from": {"room": "A"}, "to": [{"directory": "law"}], "#
            + #""departAt": "2026-11-23T12:00:00Z""#
        for (language, room, entry) in [
            ("en", "Studio is closed.", "Law is closed when you arrive. Opening hours: "),
            ("de", "„Studio“ ist geschlossen.", "„Law“ ist bei Ihrer Ankunft geschlossen. "),
            ("cy", "Mae Studio ar gau.", "Mae Law ar gau pan gyrhaeddwch. Oriau agor: "),
            ("ru", "«Studio»: закрыто.", "«Law»: когда вы придёте, будет закрыто. Часы работы: "),
        ] {
            let spoken = #", "language": "\#(language)""#
            let one = try await router.route(Self.fromAToB + spoken, router.visitor())
            #expect(one["routes.0.shutEnd.text"] == room, "\(one.text)")
            #expect(one["routes.0.shutEnd.room"] == "B")
            #expect(one["routes.0.shutEnd.openingHours"] == "off")
            let other = try await router.route(toLaw + spoken, router.visitor())
            #expect(other["routes.0.shutEnd.text"]?.hasPrefix(entry) == true, "\(other.text)")
            #expect(other["routes.0.shutEnd.directory"] == "law")
        }
        let back = #""from": {"room": "B"}, "to": [{"room": "A"}]"#
        let open = try await router.route(back, router.visitor())
        #expect(open["found"] == "true" && open["routes.0.shutEnd.text"] == nil)
    }

    @Test("refuses an unknown profile with all that there are")
    func profiles() async throws {
        let router = try await RouterBench()
        let answer = try await router.route(
            Self.fromAToB + #", "profile": "wheelchiar""#, router.visitor())
        #expect(answer.status == 400 && answer["code"] == "profile-unknown")
        for name in [
            "walking", "step-free-strict", "step-free-preferred", "wheelchair", "by-touch",
        ] {
            #expect(answer["detail"]?.contains(name) == true)
        }
    }

    @Test("begins at a position in degrees, on a level or outdoors")
    func degrees() async throws {
        let router = try await RouterBench()
        let frame = try SiteIndex(RouterBench.house).frame
        for (point, level) in [(Point(x: 1, y: 2.5), #", "level": "G""#), (Point(x: 6, y: -2), "")]
        {
            let place = frame.geographic(point)
            let from = #""latitude": \#(place.latitude), "longitude": \#(place.longitude)"#
            let answer = try await router.route(
                #""from": {\#(from)\#(level)}, "to": [{"room": "B"}]"#, router.visitor())
            #expect(answer["found"] == "true", "\(answer.text)")
            let start = answer["routes.0.legs.0.paths.0.metres.0.0"].flatMap(Double.init)
            #expect(start.map { abs($0 - point.x) < 0.1 } == true, "\(answer.text)")
        }
    }

    @Test("is written as GeoJSON where the client asks for it")
    func geojson() async throws {
        let router = try await RouterBench()
        let answer = try await router.route(
            Self.fromAToB, router.visitor(), headers: ["accept": "application/geo+json"])
        #expect(answer.headers["content-type"] == "application/geo+json")
        #expect(answer["type"] == "FeatureCollection")
        let other = try await router.route(
            Self.fromAToB, router.visitor(), headers: ["accept": "text/csv"])
        #expect(other.status == 406)
    }

    @Test("uses the first supported language that the client names")
    func language() async throws {
        let router = try await RouterBench()
        let german = try await router.route(
            Self.fromAToB, router.visitor(), headers: ["accept-language": "xx, de;q=0.9, en;q=0.1"])
        #expect(german["language"] == "de")
        let plain = try await router.route(Self.fromAToB, router.visitor())
        #expect(plain["language"] == "en")
        let named = try await router.route(
            Self.fromAToB + #", "language": "cy""#, router.visitor(),
            headers: ["accept-language": "de"])
        #expect(named["language"] == "cy")
    }

    @Test("has the steps for those who can't see where the client asks for them")
    func spoken() async throws {
        let router = try await RouterBench()
        let plain = try await router.route(Self.fromAToB, router.visitor())
        #expect(plain["routes.0.spoken.0.text"] == nil)
        let answer = try await router.route(
            Self.fromAToB + #", "wording": "spoken", "language": "en""#, router.visitor())
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer["routes.0.spoken.0.text"]?.hasPrefix("You are here: ") == true)
        #expect(answer["routes.0.spoken.1.text"]?.hasPrefix("Go through the door") == true)
        #expect(answer["routes.0.spoken.0.leg"] == "0")
        #expect(answer["routes.0.instructions.0.text"] == plain["routes.0.instructions.0.text"])
        let wrong = try await router.route(
            Self.fromAToB + #", "wording": "sung""#, router.visitor())
        #expect(wrong.status == 400, "\(wrong.text)")
    }

    @Test("departs now by default")
    func departure() async throws {
        let router = try await RouterBench()
        let answer = try await router.route(Self.fromAToB, router.visitor())
        #expect(answer["departAt"]?.hasPrefix("2026-11-22T00:00:00") == true)
    }

    @Test(
        "names the fault in a request",
        arguments: [
            (#""to": [{"room": "B"}]"#, 400, "field-missing"),
            (#""from": {"room": "A"}, "to": [{"room": "Z"}]"#, 404, "place-unknown"),
            (#""from": {"kind": "pool"}, "to": [{"room": "B"}]"#, 404, "place-unknown"),
            (fromAToB + #", "profile": "flying""#, 400, "profile-unknown"),
            (fromAToB + #", "avoid": ["people"]"#, 400, "avoid-unknown"),
            (fromAToB + #", "site": "elsewhere""#, 403, "site-not-yours"),
        ] as [(String, Int, String)])
    func wrong(members: String, status: Int, code: String) async throws {
        let router = try await RouterBench()
        let answer = try await router.route(members, router.visitor())
        #expect(answer.status == status && answer.code == code)
    }

    @Test("needs a role that may walk there")
    func roles() async throws {
        let router = try await RouterBench()
        let stranger = try await router.app.send(
            "POST", "/v1/routes", body: "{\(Self.fromAToB)}")
        #expect(stranger.status == 401)
        let scanner = router.bench.issue(
            .scanner, site: RouterBench.site, device: DeviceID("pi-1"))
        #expect(try await router.route(Self.fromAToB, scanner).code == "role-not-allowed")
    }

    @Test(
        "needs a published site, and answers 503 while its graph is made"
    )
    func unpublished() async throws {
        let router = try await RouterBench(isPublished: false)
        let token = router.visitor()
        #expect(try await router.route(Self.fromAToB, token).code == "site-unknown")
        router.bench.publish(try SiteIndex(RouterBench.house), as: RouterBench.site)
        #expect(try await router.route(Self.fromAToB, token).code == "starting")
        await router.networks.update()
        #expect(try await router.route(Self.fromAToB, token).status == 200)
    }
}

@Suite("Routes around outages") struct RouterOutageTests {
    private static let fromAToB = #""from": {"room": "A"}, "to": [{"room": "B"}]"#

    private func outage(_ connection: String, from: Timestamp, until: Timestamp?) -> OutageReported
    {
        OutageReported(
            site: RouterBench.site, id: EventID(high: 3, low: 1),
            connection: ConnectionID(connection), from: from, until: until, reason: "repair",
            reportedBy: "somebody", reportedAt: from)
    }

    @Test("are not given before the topic of outages has been read")
    func unread() async throws {
        let router = try await RouterBench(readsOutages: false)
        let answer = try await router.route(Self.fromAToB, router.visitor())
        #expect(answer.status == 503 && answer.code == "starting")
    }

    @Test("avoid a door from its outage's report until its end, and give the reason")
    func known() async throws {
        let router = try await RouterBench()
        let token = router.visitor()
        let closed = outage("between", from: ServiceBench.start, until: nil)
        try await router.bench.log.append([closed.record(source: "/test")])
        await router.until { router.outages[RouterBench.site]?.isEmpty == false }
        let without = try await router.route(Self.fromAToB, token)
        #expect(without["found"] == "false" && without.text.contains("repair"))
        let ended = OutageEnded(
            outage: closed, endedAt: ServiceBench.start, endedBy: "somebody", ender: nil)
        try await router.bench.log.append([ended.record(source: "/test")])
        await router.until { router.outages[RouterBench.site]?.isEmpty == true }
        #expect(try await router.route(Self.fromAToB, token)["found"] == "true")
    }

    @Test("skip a record that can't be read, and report it to the operator")
    func unreadable() async throws {
        let router = try await RouterBench()
        try await router.bench.log.append([
            LogRecord(
                topic: Topic.outages.name, key: Array("house".utf8), value: Array("junk".utf8))
        ])
        let closed = outage("between", from: ServiceBench.start, until: nil)
        try await router.bench.log.append([closed.record(source: "/test")])
        await router.until { router.outages[RouterBench.site]?.isEmpty == false }
        await router.until { !router.bench.unexpected.isEmpty }
        #expect(router.bench.unexpected.count == 1)
    }
}
