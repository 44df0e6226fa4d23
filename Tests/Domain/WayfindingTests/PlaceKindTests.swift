import Events
import Geometry
import Site
import Testing
import Wayfinding

@Suite("Kinds of place in the words of every map") struct PlaceKindTests {
    @Test("Words of OpenStreetMap, of IMDF and of people mean the same")
    func words() {
        for word in ["toilets", "Toilet", "restroom", "restroom.female", "WC"] {
            #expect(PlaceKind(word).satisfies(PlaceKind("toilet")), "\(word)")
        }
        #expect(!PlaceKind("restroom").satisfies(PlaceKind("restroom.female")))
        #expect(!PlaceKind("restroom.male").satisfies(PlaceKind("restroom.female")))
        #expect(PlaceKind("elevator").satisfies(PlaceKind("lift")))
        #expect(PlaceKind("platform-lift").satisfies(PlaceKind("elevator")))
        #expect(!PlaceKind("lift").satisfies(PlaceKind("platform lift")))
        #expect(!PlaceKind("platform").satisfies(PlaceKind("lift")))
        #expect(PlaceKind("meeting room").satisfies(PlaceKind("conferenceroom")))
        #expect(!PlaceKind("observatory").satisfies(PlaceKind("toilet")))
        #expect(PlaceKind("").base == "")
    }

    @Test(
        "Whatever people say for a kind is that kind, and no other",
        arguments: ["toilet", "lift", "stairs", "escalator", "lobby", "information", "cafe"])
    func said(kind: String) {
        let words = PlaceKind(kind).saidWords
        #expect(!words.isEmpty)
        for word in words {
            #expect(PlaceKind(word).base == kind, "\(word)")
            #expect(PlaceKind(word.uppercased()).base == kind, "\(word)")
        }
        #expect(PlaceKind("observatory").saidWords.isEmpty)
    }

    @Test("The nearest toilet is found on a map where the directory lists it")
    func moorgate() throws {
        guard let finder = try RealSites.moorgate() else { return }
        let start = RoutePlace.geographic(
            GeographicPoint(latitude: 51.51835, longitude: -0.0893), level: nil)
        for word in ["toilets", "toilet", "restroom"] {
            let answer = finder.answer(Drawn.query(start, .kind(word)))
            guard case .found = answer else {
                Issue.record("\(word): \(answer)")
                continue
            }
        }
    }

    @Test("The nearest toilet is found on a campus from IMDF, by each word for it")
    func polytech() throws {
        guard let finder = try RealSites.polytech() else { return }
        let room = finder.network.site.rooms.first { room in
            guard case .found = finder.answer(Drawn.query(.room(room.id), .kind("toilet"))) else {
                return false
            }
            return true
        }
        let start = try #require(room)
        for word in ["toilets", "restroom"] {
            guard case .found = finder.answer(Drawn.query(.room(start.id), .kind(word))) else {
                Issue.record("\(word)")
                continue
            }
        }
    }
}
