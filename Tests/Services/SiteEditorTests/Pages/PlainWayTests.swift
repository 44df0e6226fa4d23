import Events
import Foundation
import Geometry
import SampleSites
import ServiceBench
import Site
import Testing

@testable import SiteEditor

/// The page says of a way all that the app says of it.
@Suite("A way on the page without JavaScript") struct PlainWayTests {
    /// The router's answer for a way with further members.
    private static func route(_ members: String = "", legs: String? = nil) -> String {
        let own = #"{"room": "A", "paths": [{"floor": "ground", "metres": [[1, 1], [2, 2]]}]}"#
        return """
            {"found": true, "routes": [{"distanceMetres": 93.4, "seconds": 130, "endRoom": "B",
              "arriveAt": "2026-11-22T00:02:10.000Z", \(members)
              "instructions": [{"text": "Walk."}], "spoken": [], "legs": [\(legs ?? own)]}]}
            """
    }

    @Test(
        "A mistyped profile is named, with those that there are and the one that is shown",
        arguments: [
            ("from=A&to=B&profile=wheelchiar", "wheelchiar", "Walk (walking)"),
            ("profile=Walking", "Walking", "Walk (walking)"),
            ("from=A&to=B&profile=x&panel=ear", "x", "can’t see (by-touch)"),
        ])
    func profiles(query: String, word: String, shown: String) async throws {
        let pages = try await PageBench(route: (200, Self.route()))
        let answer = try await pages.get("/s/sample?\(query)")
        #expect(answer.text.contains("no way to travel called “\(word)”"))
        for profile in PageProfile.allCases {
            #expect(answer.text.contains("(\(profile.rawValue))"), "\(profile)")
        }
        #expect(answer.text.contains("Shown here: "))
        let end = try #require(answer.text.firstRange(of: "Shown here: ")).upperBound
        #expect(answer.text[end...].prefix { $0 != "<" }.contains(shown))
        #expect(!pages.questions.bodies.contains { $0.contains(word + "\"") })
    }

    @Test("No profile, and each that there is, is no fault", arguments: PageProfile.allCases)
    func knownProfiles(profile: PageProfile) async throws {
        let pages = try await PageBench(route: (200, Self.route()))
        for query in ["from=A&to=B", "profile=", "from=A&to=B&profile=\(profile.rawValue)"] {
            let answer = try await pages.get("/s/sample?\(query)")
            #expect(!answer.text.contains("no way to travel"), "\(query)")
        }
    }

    @Test("Who goes on wheels or without steps is told what was never measured")
    func notes() async throws {
        let facts = """
            "narrowestMetres": 0.825, "unknownFacts": [{"connection": "c", "fact": "width"}],
            """
        let (narrow, unmeasured) = ("Narrowest place: 83 cm", "never measured for wheels")
        for (profile, isNarrow, isUnmeasured) in [
            ("walking", false, false), ("by-touch", false, false),
            ("step-free-preferred", false, true), ("step-free-strict", false, true),
            ("wheelchair", true, true),
        ] {
            let pages = try await PageBench(route: (200, Self.route(facts)))
            let answer = try await pages.get("/s/sample?from=A&to=B&profile=\(profile)")
            #expect(answer.text.contains(narrow) == isNarrow, "\(profile)")
            #expect(answer.text.contains(unmeasured) == isUnmeasured, "\(profile)")
        }
        let known = try await PageBench(route: (200, Self.route(#""unknownFacts": [],"#)))
            .get("/s/sample?from=A&to=B&profile=wheelchair")
        #expect(!known.text.contains(unmeasured) && !known.text.contains("Narrowest"))
    }

    @Test("An end that is closed is said to be, in the router's words")
    func shut() async throws {
        let end = #""shutEnd": {"room": "B", "openingHours": "off", "text": "Room B is closed."},"#
        let answer = try await PageBench(route: (200, Self.route(end))).get("/s/sample?from=A&to=B")
        #expect(answer.text.contains("<p>Room B is closed.</p>"))
        let there = try await PageBench(route: (200, Self.route(end, legs: "")))
            .get("/s/sample?from=B&to=B")
        #expect(there.text.contains("<p>Room B is closed.</p>"))
    }

    @Test("Who is there already is told so, without a length, a time or steps")
    func there() async throws {
        let pages = try await PageBench(route: (200, Self.route(legs: "")))
        let answer = try await pages.get("/s/sample?from=B&to=B")
        let head = /<h2 id="directions">Room B<\/h2>\s*<p class="summary">You are there already\./
        #expect(answer.text.contains(head))
        #expect(!answer.text.contains("You arrive at") && !answer.text.contains("<ol"))
        #expect(answer.text.contains("<title>Room B"))
        let way = try await PageBench(route: (200, Self.route())).get("/s/sample?from=A&to=B")
        #expect(!way.text.contains("there already"))
    }

    /// The sample site with other names, and kinds, of its rooms A and B.
    private static func rename(
        _ names: [String: String], kind: String = "office", _ document: inout SiteDocument
    ) {
        for index in document.rooms.indices {
            guard let name = names[document.rooms[index].id.text] else { continue }
            document.rooms[index].name = name
            document.rooms[index].names = Translations()
            document.rooms[index].kind = kind
        }
    }

    @Test("A name that one place has is that place; one that two have is a question")
    func wholeNames() async throws {
        let pages = try await PageBench(route: (200, Self.route())) {
            Self.rename(["A": "Office 1.0.02", "B": "Office 1.02.0"], &$0)
        }
        for name in ["Office 1.0.02", "office 1.0.02 "] {
            let answer = try await pages.get("/s/sample?from=C&to=\(name)")
            #expect(!answer.text.contains("do you want to go to?"), "\(name)")
            #expect(pages.questions.bodies.last?.contains(#""to":[{"room":"A"}]"#) == true)
        }
        let twins = try await PageBench(route: (200, Self.route())) {
            Self.rename(["A": "Office 1.0.02", "B": "Office 1.0.02"], &$0)
        }
        let answer = try await twins.get("/s/sample?from=C&to=Office 1.0.02")
        #expect(answer.text.contains("do you want to go to?") && twins.questions.bodies.isEmpty)
    }

    @Test(
        "The word lift finds the nearest of those without a name or named by it, as in the app",
        arguments: [["A": "", "B": ""], ["A": "Lift A", "B": "Lift B"]])
    func lifts(names: [String: String]) async throws {
        let pages = try await PageBench(route: (200, Self.route())) {
            Self.rename(names, kind: "lift", &$0)
        }
        let answer = try await pages.get("/s/sample?from=C&to=lift")
        #expect(!answer.text.contains("do you want to go to?"))
        #expect(pages.questions.bodies.last?.contains(#""to":[{"kind":"lift"}]"#) == true)
    }

    @Test("Choices without a name are called by their kind, and no link is without words")
    func namelessChoices() async throws {
        let pages = try await PageBench(route: (200, Self.route())) {
            Self.rename(["A": "", "B": " "], kind: "corridor", &$0)
        }
        let answer = try await pages.get("/s/sample?from=C&to=corridor")
        #expect(answer.text.matches(of: />Corridor<\/a>/).count == 2)
        #expect(answer.text.firstMatch(of: /<a [^>]*>\s*<\/a>/) == nil)
    }

    @Test("A platform lift is found by the word for lifts")
    func platformLifts() async throws {
        let pages = try await PageBench(route: (200, Self.route())) { document in
            document.connections.append(
                ConnectionRecord(
                    id: ConnectionID("platform"), kind: .platformLift,
                    stops: [
                        ConnectionStop(floor: SampleSite.ground, point: [1, 1]),
                        ConnectionStop(floor: SampleSite.first, point: [1, 1]),
                    ]))
        }
        for word in ["lift", "Aufzug", "kind:lift"] {
            _ = try await pages.get("/s/sample?from=A&to=\(word)")
            #expect(pages.questions.bodies.last?.contains(#""to":[{"kind":"lift"}]"#) == true)
        }
        let home = try await pages.get("/s/sample")
        #expect(home.text.contains("data-kinds=\"lift\""))
        #expect(home.text.contains("Nearest lift"))
    }

    @Test("The directory has the rooms of a floor, as in the app")
    func directory() async throws {
        let pages = try await PageBench()
        let first = try await pages.get("/s/sample?panel=directory")
        #expect(first.text.contains("<a href=\"/s/sample?room=A\">Room A</a>"))
        #expect(!first.text.contains(">Room D</a>"))
        let upstairs = try await pages.get("/s/sample?panel=directory&at=D")
        #expect(upstairs.text.contains(">Room D</a>") && !upstairs.text.contains(">Room A</a>"))
        let floor = try await pages.get("/s/sample?panel=directory&floor=ground")
        #expect(floor.text.matches(of: /room=A"/).count == 1, "the list is there once")
        let other = try await pages.get("/s/sample?panel=free")
        #expect(!other.text.contains(">Room A</a>"))
    }
}
