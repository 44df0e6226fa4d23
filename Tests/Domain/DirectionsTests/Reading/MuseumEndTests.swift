import Events
import Site
import Testing
import Wayfinding

@testable import Directions

/// A way begins and ends at the place that was asked for, not at the room around it.
@Suite("The names of the ends of a way") struct MuseumEndTests {
    /// A Thursday in November at 18:30, when all rooms are open.
    private static let evening = Timestamp(milliseconds: 1_763_663_400_000)

    private static func route(
        _ from: RoutePlace, _ to: RoutePlace
    ) throws -> (ReadSite, IndoorRoute) {
        let site = try #require(try ReadSite.named("museum"))
        let query = RouteQuery(from: from, to: [to], profile: .byTouch, departAt: evening)
        guard case .found(let routes) = site.finder.answer(query) else {
            throw NoRoute.malformed("no way")
        }
        return (site, routes[0])
    }

    @Test("Written and spoken, a location is called by its own name")
    func locations() throws {
        let mummy = RoutePlace.location(LocationID("mummy"))
        let desk = RoutePlace.location(LocationID("desk"))
        let (site, route) = try Self.route(mummy, desk)
        for (language, start, end) in [
            (English(), "You are here: Mummy. ", "You have arrived: Ticket desk."),
            (Welsh(), "Rydych chi yma: Mymi. ", "Rydych wedi cyrraedd: Desg docynnau."),
            (German(), "Sie sind hier: „Mumie“. ", "Sie sind am Ziel: „Kasse“."),
            (Russian(), "Вы здесь: «Mummy». ", "Вы пришли: «Ticket desk»."),
        ] as [(any DirectionLanguage, String, String)] {
            let written = site.guide.instructions(for: route, to: desk, in: language)
            #expect(written.last?.text == end)
            let spoken = site.guide.spokenInstructions(
                for: route, from: mummy, to: desk, in: language)
            #expect(spoken.last?.text == end)
            #expect(spoken[0].text.hasPrefix(start), "\(spoken[0].text)")
            #expect(spoken.dropFirst().allSatisfy { !$0.text.contains(start) })
        }
    }

    @Test("An entry of the directory is called by its room and its name, a room by its own")
    func entries() throws {
        let learning = RoutePlace.entry(DirectoryID("learning"))
        let tea = RoutePlace.entry(DirectoryID("tea"))
        let (site, route) = try Self.route(learning, tea)
        let spoken = site.guide.spokenInstructions(
            for: route, from: learning, to: tea, in: English())
        #expect(spoken[0].text.hasPrefix("You are here: Lecture Theatre (Learning). "))
        #expect(spoken.last?.text == "You have arrived: Harbour Café (Tea and cake).")
        let rooms = site.guide.spokenInstructions(
            for: route, from: .room(RoomID("theatre")), to: .room(RoomID("cafe")), in: English())
        #expect(rooms[0].text.hasPrefix("You are here: Lecture Theatre. "))
        #expect(rooms.last?.text == "You have arrived: Harbour Café.")
    }

    @Test("Who is there already hears one name once")
    func there() throws {
        let desk = RoutePlace.location(LocationID("desk"))
        let (site, route) = try Self.route(desk, desk)
        let spoken = site.guide.spokenInstructions(
            for: route, from: desk, to: desk, in: English())
        #expect(spoken.map(\.text) == ["You have arrived: Ticket desk."])
    }
}
