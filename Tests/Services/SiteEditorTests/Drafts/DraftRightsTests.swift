import Events
import Geometry
import SampleSites
import ServiceBench
import Site
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "Surveyors of a draft",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct DraftRightsTests {
    private static let door = #"{"floor": "ground", "room": "B", "x": 12, "y": 4}"#
    private static let proposed = """
        {"floor": "ground", "name": "Booth", "kind": "room", "proposed": true}
        """

    /// The sample site, with a hidden room B.
    private static var hiding: SiteDocument {
        var document = SampleSite.index.document
        document.rooms[1].visibility = .hidden
        document.locations.append(
            LocationRecord(
                id: LocationID("secret"), floor: SampleSite.ground, room: RoomID("B"),
                point: [15, 4]))
        return document
    }

    @Test("make, rename, move, clear and remove locations, and nothing else")
    func locations() async throws {
        let bench = try await DraftBench()
        let made = try await bench.make(
            [
                DraftBench.edit(1, "put", "locations", "door", Self.door),
                DraftBench.edit(2, "patch", "locations", "door", #"{"name": "Door", "x": 13}"#),
                DraftBench.edit(3, "remove", "locations", "desk", rest: #", "cascade": true"#),
                DraftBench.edit(4, "patch", "rooms", "A", #"{"name": "Aula"}"#),
                DraftBench.edit(5, "patch", "site", nil, #"{"name": "Mine"}"#),
                DraftBench.edit(6, "remove", "rooms", "D"),
                DraftBench.edit(
                    7, "put", "beacons", "b",
                    #"{"floor": "ground", "x": 1, "y": 1, "address": "00:11:22:33:44:55"}"#),
            ], as: bench.surveyor)
        #expect(made["revision"] == "3", "\(made.text)")
        for number in 3...6 {
            #expect(made["results.\(number).refused.code"] == "role-not-allowed", "\(number)")
        }
        let path = "\(DraftBench.path)/locations/door"
        #expect(
            try await bench.send("POST", "\(path)/clear", as: bench.surveyor, ifMatch: "*").status
                == 200)
        #expect(
            try await bench.send(
                "PATCH", path, as: bench.surveyor, #"{"x": 14}"#, ifMatch: "*"
            ).status == 200)
        #expect(
            try await bench.send("DELETE", path, as: bench.surveyor, ifMatch: "*").status == 200)
        for (method, path) in [
            ("PATCH", "rooms/A"), ("DELETE", "rooms/D"), ("PATCH", "floors/ground"),
            ("POST", "publish"), ("POST", "undo"), ("POST", "rooms/A/clear"),
        ] {
            let answer = try await bench.send(
                method, "\(DraftBench.path)/\(path)", as: bench.surveyor, "{}", ifMatch: "*")
            let isUnchanged = method == "PATCH" && answer.status == 200
            #expect(answer.status == 403 || isUnchanged, "\(method) \(path): \(answer.text)")
        }
    }

    @Test("propose rooms, which are published when somebody accepts them")
    func proposals() async throws {
        let bench = try await DraftBench()
        let made = try await bench.make(
            [
                DraftBench.edit(1, "put", "rooms", "E", Self.proposed),
                DraftBench.edit(2, "put", "locations", "e", Self.door.replacing("B", with: "E")),
                DraftBench.edit(3, "patch", "rooms", "E", #"{"name": "Box"}"#),
                DraftBench.edit(4, "patch", "rooms", "E", #"{"proposed": false}"#),
                DraftBench.edit(5, "patch", "rooms", "A", #"{"proposed": true}"#),
            ], as: bench.surveyor)
        #expect(made["revision"] == "3", "\(made.text)")
        #expect(made["results.3.refused.status"] == "403")
        #expect(made["results.4.refused.status"] == "403")
        func publish() async throws -> SiteDocument {
            let answer = try await bench.send("POST", "\(DraftBench.path)/publish", ifMatch: "*")
            #expect(answer.status == 200, "\(answer.text)")
            return try #require(try await bench.store.published(DraftBench.site)).document
        }
        let review = try await bench.send("GET", "\(DraftBench.path)/review?version=draft")
        #expect(review.text.contains(#""code":"room-proposed""#))
        #expect(try await publish() == SampleSite.index.document)
        #expect(try await bench.draft().document.rooms.count == 5)
        _ = try await bench.make([
            DraftBench.edit(6, "patch", "rooms", "E", #"{"proposed": null}"#)
        ])
        let published = try await publish()
        #expect(published.rooms.last?.name == "Box" && published.locations.count == 2)
        let late = try await bench.make(
            [DraftBench.edit(7, "patch", "rooms", "E", #"{"name": "Mine"}"#)], as: bench.surveyor)
        #expect(late["results.0.refused.status"] == "403")
    }

    @Test("read the draft without what is hidden from the staff, and touch none of it")
    func hidden() async throws {
        let bench = try await DraftBench(Self.hiding)
        let read = try await bench.send(
            "GET", "\(DraftBench.path)?version=draft", as: bench.surveyor)
        #expect(read.status == 200 && !read.text.contains("secret"), "\(read.text)")
        let map = try await bench.send(
            "GET", "\(DraftBench.path)/floors/ground/map?version=draft", as: bench.surveyor)
        #expect(map.status == 200 && !map.text.contains("Room B") && map.text.contains("Room A"))
        let edits = [
            DraftBench.edit(1, "patch", "locations", "secret", #"{"name": "x"}"#),
            DraftBench.edit(2, "put", "locations", "secret", Self.door),
            DraftBench.edit(3, "remove", "locations", "secret"),
            DraftBench.edit(4, "put", "locations", "door", Self.door),
            DraftBench.edit(5, "patch", "locations", "desk", #"{"room": "B", "x": 12}"#),
        ]
        let made = try await bench.make(edits, as: bench.surveyor)
        for number in edits.indices {
            #expect(made["results.\(number).refused.code"] == "thing-unknown", "\(made.text)")
        }
        for (method, body) in [("PUT", Self.door), ("PATCH", #"{"x": 1}"#), ("DELETE", "")] {
            let answer = try await bench.send(
                method, "\(DraftBench.path)/locations/secret", as: bench.surveyor, body,
                ifMatch: "*")
            #expect(answer.code == "thing-unknown", "\(method): \(answer.text)")
        }
        // Neither the list nor the stream shows edits of hidden things, also of removed ones.
        _ = try await bench.make([
            DraftBench.edit(6, "patch", "locations", "secret", #"{"name": "vault"}"#),
            DraftBench.edit(7, "patch", "rooms", "B", #"{"name": "Vault"}"#),
            DraftBench.edit(8, "patch", "locations", "desk", #"{"name": "Desk"}"#),
            DraftBench.edit(9, "remove", "locations", "secret"),
            DraftBench.edit(10, "remove", "locations", "desk"),
        ])
        let listed = try await bench.send("GET", DraftBench.edits, as: bench.surveyor)
        #expect(!listed.text.lowercased().contains("vault") && !listed.text.contains("secret"))
        #expect(listed["edits.0.revision"] == "3" && listed["edits.1.revision"] == "5")
        #expect(listed["edits.1.do"] == "remove" && listed["edits.2"] == nil)
        let whole = try await bench.send("GET", DraftBench.edits)
        #expect(whole["edits.4.revision"] == "5")
    }

    @Test("of some buildings only, visitors and strangers neither read nor edit it")
    func others() async throws {
        let bench = try await DraftBench()
        let partial = bench.bench.issue(
            .surveyor, site: DraftBench.site, buildings: [BuildingID("house")])
        let elsewhere = bench.bench.issue(.surveyor, site: SiteID("other"))
        for token in [
            partial, elsewhere, bench.bench.issue(.visitor, site: DraftBench.site),
            bench.bench.issue(.analyst, site: DraftBench.site),
        ] {
            let made = try await bench.make(
                [DraftBench.edit(1, "put", "locations", "door", Self.door)], as: token)
            #expect(made.status == 403)
            for path in ["?version=draft", "/draft/edits", "/map?version=draft"] {
                let read = try await bench.send("GET", DraftBench.path + path, as: token)
                #expect(read.status == 403, "\(path): \(read.text)")
            }
        }
        #expect(try await bench.draft().revision == 0)
    }

    @Test("see maps of each revision of the draft, and nobody else does")
    func maps() async throws {
        let bench = try await DraftBench()
        for path in ["/map", "/map/overview", "/floors/ground/map", "/floors/ground/map/part"] {
            let read = try await bench.send("GET", "\(DraftBench.path)\(path)?version=draft")
            #expect(read.status == 200, "\(path): \(read.text)")
            #expect(read.headers["etag"]?.hasPrefix(#""draft-"#) == true)
        }
        _ = try await bench.rename(1, "Aula")
        func map(_ query: String) async throws -> Answer {
            try await bench.send("GET", "\(DraftBench.path)/floors/ground/map\(query)")
        }
        #expect(try await map("?version=draft").text.contains("Aula"))
        #expect(try await !map("").text.contains("Aula"))
        #expect(try await map("?version=1").code == "version-malformed")
    }

    @Test("find the place and the cure of each finding in the review")
    func review() async throws {
        let bench = try await DraftBench()
        let review = try await bench.send("GET", "\(DraftBench.path)/review?version=draft")
        #expect(review.status == 200, "\(review.text)")
        #expect(review["revision"] == "0")
        let finding = try #require(
            (0..<20).first { review["findings.\($0).record"] == "desk" }, "\(review.text)")
        #expect(review["findings.\(finding).kind"] == "locations")
        #expect(review["findings.\(finding).place.floor"] == "ground")
        #expect(review["findings.\(finding).place.x"] == "5")
        #expect(review["findings.\(finding).place.latitude"]?.hasPrefix("51.5") == true)
        #expect(review["findings.\(finding).cure"]?.hasSuffix(".") == true)
    }
}
