import Foundation
import Testing

extension IntegrationTests {
    /// Reading a site over HTTP: in metres and in degrees, and only what is new.
    @Suite("Reading a site") struct SiteReadingTests {
        private static let path = "/v1/sites/\(SmallSite.name)"

        private static func read(
            _ path: String, known: String? = nil, asEditor: Bool = false
        ) async throws -> Answer {
            let site = try await SmallSite.shared.value
            return try await site.campus.send(
                "GET", path, token: asEditor ? site.administrator : site.visitor,
                headers: known.map { [(name: "if-none-match", value: $0)] } ?? [])
        }

        @Test("Places come in metres, or in degrees when they are asked for")
        func coordinates() async throws {
            let metres = try await Self.read("\(Self.path)/locations/a-1?coordinates=metres").json
            #expect(metres["x"] as? Double == 5)
            let degrees = try await Self.read("\(Self.path)/locations/a-1?coordinates=wgs84").json
            #expect(degrees["x"] == nil && degrees["y"] == nil)
            let latitude = try #require(degrees["latitude"] as? Double)
            // 4 m north of the origin; a minute of arc is 1,854 m there.
            #expect(abs(latitude - 51.5 - 4 / (1_854.0 * 60)) < 1e-7)
            let rooms = try await Self.read("\(Self.path)/rooms?coordinates=wgs84").json
            let room = try #require((rooms["rooms"] as? [[String: Any]])?.first)
            let outline = try #require(room["outline"] as? [[String: Double]])
            #expect(outline.count == 4)
            #expect(outline.allSatisfy { Set($0.keys) == ["latitude", "longitude"] })
            let other = try await Self.read("\(Self.path)/rooms?coordinates=miles")
            #expect(other.status == 400 && other.code == "coordinates-unknown")
        }

        @Test(
            "A list comes by floor, building, room, kind and the beginning of a name",
            arguments: [
                ("rooms", "floor=ground", ["a", "b"]), ("rooms", "floor=outdoors", []),
                ("rooms", "building=house", ["a", "b"]),
                ("rooms", "name=A", ["a"]), ("rooms", "kind=lab&limit=1", ["a"]),
                ("rooms", "kind=lab&limit=1&after=a", ["b"]), ("rooms", "kind=hall", []),
                ("locations", "floor=ground", ["a-1"]), ("locations", "room=b", []),
                ("connections", "room=a&kind=door", ["door-ab"]),
                ("connections", "room=a&kind=walk", []),
            ])
        func filters(list: String, query: String, ids: [String]) async throws {
            let answer = try await Self.read("\(Self.path)/\(list)?\(query)")
            #expect(answer.status == 200, "\(answer.text)")
            let records = answer.json[list] as? [[String: Any]] ?? []
            #expect(records.map { $0["id"] as? String } == ids)
        }

        @Test(
            "A list by a record that the site lacks is refused: a slip is no quiet floor",
            arguments: [
                ("rooms?floor=attic", "floor-unknown"), ("zones?building=shed", "building-unknown"),
                ("connections?room=z", "room-unknown"),
                ("contents?location=z", "location-unknown"),
                ("search?q=lab&floor=attic", "floor-unknown"),
            ])
        func unknownFilters(query: String, code: String) async throws {
            let answer = try await Self.read("\(Self.path)/\(query)")
            #expect(answer.status == 404 && answer.code == code, "\(answer.text)")
        }

        @Test("A list by an empty kind is refused: nothing would fit it")
        func emptyKind() async throws {
            let answer = try await Self.read("\(Self.path)/rooms?kind=")
            #expect(answer.status == 400 && answer.code == "identifier-malformed")
        }

        @Test(
            "What the client has is not sent again",
            arguments: [
                path, "\(path)?version=draft", "\(path)/rooms",
                "\(path)/rooms?version=draft", "\(path)/rooms/a", "\(path)/floors/ground",
                "\(path)/floors/ground/map", "\(path)/floors/ground/map/part",
                "\(path)/map/overview", "\(path)/map/parts/15/16374/10897", "\(path)/versions",
                "\(path)/versions/1",
                "\(path)/versions/1/compare/published", "\(path)/review", "\(path)/connections",
                "\(path)/export?format=geojson", "/v1/outages?site=\(SmallSite.name)",
            ])
        func revalidation(path: String) async throws {
            let first = try await Self.read(path, asEditor: true)
            #expect(first.status == 200, "\(first.text)")
            let tag = try #require(first.headers["etag"])
            let again = try await Self.read(path, known: tag, asEditor: true)
            #expect(again.status == 304 && again.body.isEmpty)
            #expect(again.headers["etag"] == tag)
            let other = try await Self.read(path, known: "\"draft-999\"", asEditor: true)
            #expect(other.status == 200 && other.body == first.body)
        }

        @Test("What exists in one form only comes in it, whatever the client would like better")
        func oneForm() async throws {
            let small = try await SmallSite.shared.value
            for path in ["/v1/sites", "\(Self.path)/rooms", "/v1/outages"] {
                let answer = try await small.campus.send(
                    "GET", path, token: small.visitor, headers: [("accept", "image/png")])
                #expect(answer.status == 200, "\(answer.text)")
                #expect(answer.headers["content-type"] == "application/json")
            }
            let map = try await small.campus.send(
                "GET", "\(Self.path)/floors/ground/map", token: small.visitor,
                headers: [("accept", "text/html")])
            #expect(map.status == 406 && map.code == "not-acceptable")
        }

        @Test("What is not there is not taken for unchanged")
        func missing() async throws {
            let tag = try #require(try await Self.read("\(Self.path)/rooms").headers["etag"])
            let answer = try await Self.read("\(Self.path)/rooms/nowhere", known: tag)
            #expect(answer.status == 404 && answer.code == "thing-unknown")
        }
    }
}
