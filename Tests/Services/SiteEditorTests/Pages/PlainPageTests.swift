import Events
import Foundation
import Geometry
import HTTP
import SampleSites
import ServiceBench
import Site
import Testing

@testable import SiteEditor

/// The page without JavaScript for all that the app shows or links to.
@Suite("The page without JavaScript is as complete as the app") struct PlainPageTests {
    private static let route = """
        {"found": true, "routes": [{"distanceMetres": 93.4, "seconds": 130, "endRoom": "B",
          "arriveAt": "2026-11-22T00:02:10.000Z",
          "instructions": [{"text": "Walk."}], "spoken": [{"text": "Find a wall."}],
          "legs": [{"room": "A", "paths": [{"floor": "ground", "metres": [[1, 1], [2, 2]]}]}]}]}
        """

    /// Rooms A and B are toilets, twins on one floor; D is another one upstairs.
    private static func twins(_ document: inout SiteDocument) {
        for index in document.rooms.indices where document.rooms[index].id.text != "C" {
            document.rooms[index].name = "Toilet"
            document.rooms[index].kind = "toilet"
        }
        document.rooms.append(
            RoomRecord(
                id: RoomID("office"), floor: SampleSite.ground, name: "Office", kind: "office",
                outline: [[11, 2], [12, 2], [12, 3], [11, 3]]))
        document.directory = [
            DirectoryEntry(
                id: DirectoryID("law"), kind: "department", name: "Law",
                places: [.room(RoomID("office"))])
        ]
    }

    @Test(
        "Each form of a place that the app writes into a link opens to a page without complaint",
        arguments: [
            ("to=kind:toilet", "Nearest toilet"), ("from=kind:toilet&to=office", "<ol"),
            ("from=A&to=kind:toilet", "<ol"), ("from=A&to=directory:law", "to Law"),
            ("from=building:house&to=A", "<ol"), ("from=location:desk&to=office", "<ol"),
            ("from=point:51.50002,-0.09995,ground&to=office", "Point on the map"),
            ("from=51.5,-0.1&to=office", "Point on the map"),
            ("entry=law", "<dd>Department</dd>"),
            ("from=here&at=desk&to=office", "You are here"), ("building=house", "Level G"),
            ("room=office", "Office"), ("point=51.50002,-0.09995,ground", "Point on the map"),
            ("kiosk=A", "You are here"), ("floor=first", "Map: Level 1"),
            ("panel=directory", "<h3>Department</h3>"), ("panel=mine", "keeps nothing"),
            ("panel=settings", "can be chosen on this page"),
            ("from=A&to=office&panel=ear", "Find a wall."),
            ("from=A&to=office&profile=by-touch", "Find a wall."),
            ("from=A&to=office&panel=camera", "the same directions as text"),
            ("to=office&embed=1", "Office"),
        ])
    func links(query: String, expected: String) async throws {
        let pages = try await PageBench(route: (200, Self.route), change: Self.twins)
        let answer = try await pages.get("/s/sample?\(query)")
        #expect(answer.status == 200)
        let isThere = expected.split(separator: "|").contains { answer.text.contains($0) }
        #expect(isThere, "\(answer.text)")
        for complaint in ["Nothing here is called", "not on the map", "can’t know where"] {
            #expect(!answer.text.contains(complaint), "\(complaint)")
        }
    }

    @Test("Places go to the router as they were written")
    func questions() async throws {
        let pages = try await PageBench(route: (200, Self.route), change: Self.twins)
        for (query, part) in [
            ("from=kind:toilet&to=office", #""from":{"kind":"toilet"}"#),
            ("from=A&to=kind:toilet", #""to":[{"kind":"toilet"}]"#),
            ("from=point:51.5,-0.1,first&to=A", #""level":"1"}"#),
            ("from=building:house&to=A", #""from":{"building":"house"}"#),
            ("from=A&to=B&panel=ear", #""profile":"by-touch","language":"en","wording":"spoken""#),
            ("from=A&to=B&panel=ear&profile=wheelchair", #""profile":"wheelchair""#),
        ] {
            _ = try await pages.get("/s/sample?\(query)")
            #expect(pages.questions.bodies.last?.contains(part) == true, "\(query)")
        }
    }

    @Test(
        "A place that the site lacks is named as such, and the rest of the form stays",
        arguments: [
            ("at=gone&to=A", "not on the map any more"), ("from=gone:x&to=A", "Nothing here"),
            ("from=room:gone&to=A", "not on the map"), ("from=kind:pool&to=A", "not on the map"),
            ("from=A&to=directory:gone", "not on the map"), ("room=gone&from=A", "not on the map"),
            ("from=here&to=A", "can’t know where you are"),
            ("floor=gone&to=A", "floor that is not"),
            ("from=point:99,0&to=A", "not on the map"), ("from=point:51,0,roof&to=A", "not on"),
        ])
    func lost(query: String, expected: String) async throws {
        let answer = try await PageBench(route: (200, Self.route)).get("/s/sample?\(query)")
        #expect(answer.status == 200)
        #expect(answer.text.contains(expected), "\(query)")
        #expect(answer.text.matches(of: /role="alert"/).count == 1, "\(query)")
        #expect(answer.text.contains("value=\"Room A\""), "\(query)")
        #expect(!answer.text.contains("gone&quot;"))
    }

    @Test("Twins are told apart by their floors, and on one floor by what is near")
    func twinsAreChosen() async throws {
        let pages = try await PageBench(route: (200, Self.route), change: Self.twins)
        let answer = try await pages.get("/s/sample?from=office&to=Toilet")
        #expect(answer.text.contains("Which “Toilet” do you want to go to?"))
        let lines = answer.text.matches(of: /Toilet<\/a> · ([^<]+)/).map { String($0.1) }
        #expect(Set(lines).count >= 2 && lines.contains("Level 1"), "\(lines)")
        #expect(lines.filter { $0.hasPrefix("Level G · near ") }.count == 2, "\(lines)")
        #expect(pages.questions.bodies.isEmpty)
    }

    @Test("Twins with one nearest neighbour get a name each, as in the app")
    func twinsShareOut() async throws {
        let pages = try await PageBench { document in
            Self.twins(&document)
            for index in document.rooms.indices where document.rooms[index].id.text == "office" {
                document.rooms[index].outline = [[9.5, 3], [10.5, 3], [10.5, 5], [9.5, 5]]
            }
        }
        let answer = try await pages.get("/s/sample?from=office&to=Toilet")
        let lines = answer.text.matches(of: /Toilet<\/a> · Level G · near ([^<]+)/)
        #expect(Set(lines.map { String($0.1) }) == ["Office", "Room C"], "\(answer.text)")
    }

    @Test("A name that is only similar is a question, and a kind's word finds the nearest")
    func guesses() async throws {
        let pages = try await PageBench(route: (200, Self.route)) { document in
            Self.twins(&document)
            document.connections.append(
                ConnectionRecord(
                    id: ConnectionID("lift"), kind: .lift,
                    stops: [
                        ConnectionStop(floor: SampleSite.ground, point: [1, 1]),
                        ConnectionStop(floor: SampleSite.first, point: [1, 1]),
                    ]))
        }
        let guess = try await pages.get("/s/sample?from=A&to=Offise")
        #expect(guess.text.contains("No place is called “Offise”. Did you mean"))
        #expect(guess.text.contains("to=office") && pages.questions.bodies.isEmpty)
        let half = try await pages.get("/s/sample?from=A&to=Roo")
        #expect(half.text.contains("<ol") && pages.questions.bodies.count == 1)
        for word in ["lift", "Aufzug", "kind:lift"] {
            let way = try await pages.get("/s/sample?from=A&to=\(word)")
            #expect(way.text.contains("<ol"), "\(word)")
            #expect(pages.questions.bodies.last?.contains(#""to":[{"kind":"lift"}]"#) == true)
        }
        #expect(try await pages.get("/s/sample").text.contains("data-kinds=\"toilet lift\""))
    }

    /// The sample site with these connections at one place, and a room of this kind.
    private static func add(
        _ kinds: [ConnectionRecord.Kind], room: String = "office", to document: inout SiteDocument
    ) {
        for kind in kinds {
            document.connections.append(
                ConnectionRecord(
                    id: ConnectionID(kind.rawValue), kind: kind,
                    stops: [
                        ConnectionStop(floor: SampleSite.ground, point: [1, 1]),
                        ConnectionStop(floor: SampleSite.first, point: [1, 1]),
                    ]))
        }
        for index in document.rooms.indices where document.rooms[index].id.text == "C" {
            document.rooms[index].kind = room
        }
    }

    @Test("A kind's word is no start: only the reader knows at which lift they are")
    func nearestStart() async throws {
        let pages = try await PageBench(route: (200, Self.route)) { Self.add([.lift], to: &$0) }
        let answer = try await pages.get("/s/sample?from=lift&to=A")
        #expect(answer.text.contains("Nothing here is called “lift”."))
        #expect(pages.questions.bodies.isEmpty)
    }

    @Test("The nearest of a kind is called as people say it, in every language")
    func nearestNames() async throws {
        let way = Self.route.replacing(#""endRoom": "B","#, with: "")
        let pages = try await PageBench(route: (200, way)) {
            Self.add([.lift, .platformLift], room: "drinking_water", to: &$0)
        }
        for (word, language, kind, heading) in [
            ("lift", "en", "lift", "Nearest lift · From: Room A"),
            ("Aufzug", "de", "lift", "Nächster Aufzug · Von: Room A"),
            ("lifft", "cy", "lift", "Lifft agosaf · O: Room A"),
            ("platform lift", "en", "platform-lift", "Nearest: Platform lift · From: Room A"),
            ("platform lift", "de", "platform-lift", "Am nächsten: Plattformlift · Von: Room A"),
            ("drinking fountain", "en", "drinking_water", "Nearest: Drinking water · From"),
            ("drinking fountain", "de", "drinking_water", "Am nächsten: Trinkwasser · Von"),
        ] {
            let answer = try await pages.get("/s/sample?from=A&to=\(word)&lang=\(language)")
            #expect(answer.text.contains(">\(heading)"), "\(word) \(language)")
            let asked = pages.questions.bodies.last ?? ""
            #expect(asked.contains(#""to":[{"kind":"\#(kind)"}]"#), "\(asked)")
        }
    }

    @Test("No kind is shown by its base, and one of its words is in each language")
    func kindWords() throws {
        for code in ["en", "cy", "de"] {
            let words = PageWords.words(inLanguage: code)
            let names = PageNames(index: SampleSite.index, words: words, language: code)
            for (kind, key) in [
                ("platformlift", "platform-lift"), ("drinkingwater", "drinking_water"),
                ("babychanging", "mothersroom"), ("luggagelocker", "luggage_locker"),
                ("meetingroom", "meeting"),
            ] {
                #expect(names.kind(kind) == words.text("kind.\(key)"), "\(code) \(kind)")
            }
        }
    }

    @Test("A word for what is everywhere is a question", arguments: ["hallway", "passage"])
    func vague(word: String) async throws {
        let pages = try await PageBench(route: (200, Self.route)) {
            Self.add([], room: "corridor", to: &$0)
        }
        let answer = try await pages.get("/s/sample?from=A&to=\(word)")
        #expect(!answer.text.contains("<ol") && answer.text.contains("role=\"alert\""))
        #expect(pages.questions.bodies.isEmpty)
    }

    @Test("Floors are links by the names on their signs, and under their buildings if several")
    func floors() async throws {
        let one = try await PageBench().get("/s/sample?lang=de")
        #expect(one.text.contains("href=\"/s/sample?floor=first&amp;lang=de\""))
        #expect(one.text.contains("aria-current=\"true\""))
        let two = try await PageBench { document in
            document.buildings.append(
                BuildingRecord(id: BuildingID("barn"), name: "Barn", timeZone: "Europe/London"))
            document.floors.append(
                FloorRecord(
                    id: FloorID("loft"), building: BuildingID("barn"), ordinal: 1, level: "1"))
        }
        let page = try await two.get("/s/sample?floor=loft")
        #expect(page.text.contains("<h3>Barn</h3>") && page.text.contains("<h3>House</h3>"))
        #expect(page.text.contains("Map: Barn, Level 1"))
        let ground = try await two.get("/s/sample?floor=ground")
        #expect(ground.text.contains("<a href=\"/s/sample?room=A\">Room A</a>"))
        #expect(!ground.text.contains("room=D"))
    }

    @Test("The nearest of a kind is offered where the site has one that the reader sees")
    func kinds() async throws {
        let none = try await PageBench().get("/s/sample")
        #expect(!none.text.contains("kind%3Atoilet") && none.text.contains("data-kinds=\"\""))
        let some = try await PageBench(change: Self.twins).get("/s/sample")
        #expect(some.text.contains("to=kind%3Atoilet"))
        #expect(some.text.contains("data-kinds=\"toilet\""))
        let hidden = try await PageBench { document in
            Self.twins(&document)
            for index in document.rooms.indices where document.rooms[index].kind == "toilet" {
                document.rooms[index].visibility = .staff
            }
        }.get("/s/sample")
        #expect(!hidden.text.contains("kind%3Atoilet"))
    }

    @Test("A length is rounded as the steps are")
    func rounding() async throws {
        let pages = try await PageBench(route: (200, Self.route))
        let answer = try await pages.get("/s/sample?from=A&to=B")
        #expect(answer.text.contains("95 m, 2 min. You arrive at"))
        #expect(PageWords.words(inLanguage: "de").distance(1_260) == "1,3 km")
        #expect(PageWords.words(inLanguage: "en").distance(0) == "1 m")
        #expect(PageWords.words(inLanguage: "en").duration(44) == "under 1 min")
        #expect(PageWords.words(inLanguage: "en").duration(.infinity).contains("h"))
    }

    @Test("A name with a full stop ends its sentence once, and a kind has the words of a wider one")
    func texts() async throws {
        for code in ["en", "cy", "de"] {
            let words = PageWords.words(inLanguage: code)
            #expect(words("page.shared.probably", ["floor": "Level 1."]).hasSuffix("Level 1."))
            #expect(!words("page.shared.left", ["minutes": "5"]).contains(".."))
            let index = SampleSite.index
            let names = PageNames(index: index, words: words, language: code)
            #expect(names.kind("restroom.male.wheelchair") == words("kind.restroom.male"))
            #expect(names.kind("books;gift") == words("kind.books"))
            #expect(names.kind("own_kind") == "Own kind")
        }
    }

    @Test("A room's week and the free rooms are lists")
    func times() async throws {
        let week = """
            {"timeZone": "Europe/London", "known": true, "old": false,
             "days": [{"from": "2026-11-22T00:00:00.000Z", "until": "2026-11-23T00:00:00.000Z"}],
             "bookings": [{"starts": "2026-11-22T10:00:00.000Z", "ends": "2026-11-22T11:00:00.000Z",
               "startTime": "10:00", "endTime": "11:00", "allDay": false, "title": ""}]}
            """
        let free = """
            {"timeZone": "Europe/London", "rooms": [{"room": "B", "name": "Room B",
               "floor": "ground", "freeUntil": "2026-11-22T12:30:00.000Z",
               "computers": {"state": "free", "available": 3, "total": 8, "source": []}}],
             "leftOut": [{"room": "A", "name": "Room A", "reason": "timetable-unknown"}]}
            """
        let pages = try await PageBench(
            times: ["/rooms/A/timetable": week, "/rooms/free": free])
        let card = try await pages.get("/s/sample?room=A")
        for part in ["Free until 10:00, Sunday 22 November", "10:00 to 11:00 · Booked"] {
            #expect(card.text.contains(part), "\(part)")
        }
        let list = try await pages.get("/s/sample?panel=free")
        #expect(
            list.text.contains("Room B</a> · Level G · free until 12:30 · 3 of 8 computers free"))
        #expect(list.text.contains("1 room has no calendar here."))
        let away = try await PageBench().get("/s/sample?panel=free")
        #expect(away.text.contains("resting"))
    }

    @Test("What is kept is a list, and a file")
    func mine() async throws {
        let pages = try await PageBench()
        let page = try await pages.get("/s/sample?panel=mine")
        for part in ["My data", "Since", "Why", "Until", "as=json"] {
            #expect(page.text.contains(part), "\(part)")
        }
        // Data that is never kept has no beginning and no end.
        #expect(page.text.contains("Never: it is forgotten with the answer"))
        let file = try await pages.get("/s/sample?panel=mine&as=json")
        let never = try #require(file.text.firstRange(of: "Searches and ways"))
        let item = file.text[never.lowerBound...].prefix { $0 != "}" }
        #expect(item.contains("why") && !item.contains("since") && !item.contains("until"))
        #expect(file.headers["content-type"] == "application/json")
        #expect(file.headers["content-disposition"]?.contains("attachment") == true)
        #expect(file["site"] == "sample" && file["kept.0.what"] != nil)
        // The session's share, pairings, barriers and taps are listed, as in the app.
        for part in ["Scans that you sent", "Barriers that", "A place that you", "Paired devices"] {
            #expect(page.text.contains(part) && file.text.contains(part), "\(part)")
        }
    }

    @Test("No panel of the app is a silent page: what needs JavaScript is said")
    func panels() async throws {
        let pages = try await PageBench(change: Self.twins)
        func shown(_ query: String) async throws -> String {
            // Links and fields name the panel that was asked for.
            try await pages.get("/s/sample?\(query)").text
                .replacing(#/ (?:href|value|content)="[^"]*"/#, with: "")
        }
        let plain = try await shown("")
        for panel in PageWish.Panel.allCases {
            let page = try await shown("panel=\(panel.rawValue)")
            #expect(page != plain, "\(panel)")
            #expect(page.contains("needs a browser with JavaScript") == (panel.notice != nil))
        }
        let file = try #require(AppFiles.all.first { $0.name == "panels.js" })
        let code = String(decoding: file.bytes, as: UTF8.self)
        let lists = code.matches(of: /\[((?:'[a-z]+',? ?)+)\][.;]/).map(\.1)
        let names = lists.flatMap { $0.matches(of: /[a-z]+/).map { String($0.0) } }
        #expect(names.contains("live") && names.contains("barriers"), "\(names)")
        for name in names { #expect(PageWish.Panel(rawValue: name) != nil, "\(name)") }
    }

    @Test("Every text of the page stands in the languages' files")
    func words() async throws {
        let pages = try await PageBench(route: (200, Self.route), change: Self.twins)
        let panels = PageWish.Panel.allCases.map { "panel=\($0.rawValue)" }
        for query in ["", "room=office", "to=kind:toilet", "at=x"] + panels {
            for language in ["en", "cy", "de"] {
                let answer = try await pages.get("/s/sample?\(query)&lang=\(language)")
                // A key without a text stands for itself.
                let keys = answer.text.matches(of: />((?:page|mine|card|kind|free)\.[\w.-]+)</)
                #expect(keys.isEmpty, "\(query) \(language) \(keys.map(\.1))")
            }
        }
    }
}
