import Events
import Geometry
import Site
import Testing
import Wayfinding

@testable import Directions

@Suite("Words for hand and foot") struct TouchWordsTests {
    private static let floor = FloorID("g")

    private static func room(_ id: String, _ x: Double, surface: String? = nil) -> RoomRecord {
        RoomRecord(
            id: RoomID(id), floor: floor, name: id, kind: "room",
            outline: [[x, 0], [x + 10, 0], [x + 10, 10], [x, 10]], surface: surface)
    }

    /// West, Middle and East stand in a row. Steps lead down from East to a yard outdoors.
    private static func guide(
        _ change: (inout ConnectionRecord) -> Void
    ) throws -> (finder: WayFinder, guide: RouteGuide) {
        func stop(_ room: String?, _ x: Double) -> ConnectionStop {
            ConnectionStop(
                floor: room.map { _ in floor }, room: room.map { RoomID($0) }, point: [x, 5])
        }
        var document = SiteDocument(
            name: "House", originLatitude: 51, originLongitude: 0, bearingDegrees: 0,
            buildings: [
                BuildingRecord(id: BuildingID("b"), name: "House", timeZone: "Europe/London")
            ],
            floors: [FloorRecord(id: floor, building: BuildingID("b"), ordinal: 0, level: "0")],
            rooms: [
                room("West", 0), room("Middle", 10, surface: "carpet"),
                room("East", 20, surface: "carpet"),
            ],
            connections: [
                ConnectionRecord(
                    id: ConnectionID("one"), kind: .door,
                    stops: [stop("West", 10), stop("Middle", 10)]
                ),
                ConnectionRecord(
                    id: ConnectionID("two"), kind: .door,
                    stops: [stop("Middle", 20), stop("East", 20)]),
                ConnectionRecord(
                    id: ConnectionID("out"), kind: .door, stops: [stop("East", 30), stop(nil, 30)]),
                ConnectionRecord(
                    id: ConnectionID("steps"), kind: .stairs,
                    stops: [stop(nil, 30), stop(nil, 33)], steps: 6, leads: .down, handrail: .left),
                ConnectionRecord(
                    id: ConnectionID("yard"), kind: .walk, stops: [stop(nil, 33), stop(nil, 60)],
                    surface: "gravel"),
            ])
        change(&document.connections[0])
        let index = try SiteIndex(document)
        return (WayFinder(try WayNetwork(index)), RouteGuide(index))
    }

    private static func texts(
        from: RoutePlace, to: RoutePlace, isSpoken: Bool = true,
        _ language: any DirectionLanguage = English(),
        _ change: (inout ConnectionRecord) -> Void = { _ in }
    ) throws -> [String] {
        let (finder, guide) = try guide(change)
        let query = RouteQuery(
            from: from, to: [to], profile: .byTouch, departAt: Timestamp(milliseconds: 0))
        guard case .found(let routes) = finder.answer(query) else { return [] }
        guard isSpoken else {
            return guide.instructions(for: routes[0], to: to, isByTouch: true, in: language)
                .map(\.text)
        }
        return guide.spokenInstructions(for: routes[0], to: to, in: language)
            .flatMap { [$0.text] + $0.announcements.map(\.text) }
    }

    private static let (west, east) = (
        RoutePlace.room(RoomID("West")), RoutePlace.room(RoomID("East"))
    )
    private static let yard = RoutePlace.point(floor: nil, [60, 5])

    @Test("A door opens towards those on its first stop's side, and away from others")
    func swing() throws {
        let there = try Self.texts(from: Self.west, to: Self.east) { $0.opens = .first }
        #expect(there.contains { $0.contains("The door opens towards you.") })
        let back = try Self.texts(from: Self.east, to: Self.west) { $0.opens = .first }
        #expect(back.contains { $0.contains("The door opens away from you.") })
        let sliding = try Self.texts(from: Self.west, to: Self.east) {
            ($0.opens, $0.doorKind) = (.first, .sliding)
        }
        #expect(!sliding.contains { $0.contains("opens") })
        #expect(sliding.contains { $0.contains("Go through the sliding door into Middle.") })
    }

    @Test("Glass and revolving doors are warned of on the way to them, in each language")
    func dangers() throws {
        let warnings = [
            "en": "Careful: a glass revolving door.", "cy": "Gofal: drws tro gwydr.",
            "de": "Vorsicht: eine gläserne Drehtür.",
            "ru": "Осторожно: стеклянная вращающаяся дверь.",
        ]
        for language in DirectionLanguages.all {
            let texts = try Self.texts(from: Self.west, to: Self.east, language) {
                ($0.doorKind, $0.isGlass) = (.revolving, true)
            }
            let warning = try #require(warnings[language.code])
            #expect(texts.contains { $0.hasSuffix(warning) }, "\(texts)")
        }
    }

    @Test("A carpet is named where it begins, and not again in the next room")
    func carpet() throws {
        let texts = try Self.texts(from: Self.west, to: Self.east)
        #expect(texts.count { $0.contains("Underfoot: carpet.") } == 1)
        #expect(
            texts.contains { $0.hasPrefix("Go through the door into Middle. Underfoot: carpet") })
    }

    @Test("The handrail of stairs is on the traveller's side, up and down")
    func handrail() throws {
        let down = try Self.texts(from: Self.west, to: Self.yard)
        #expect(
            down.contains {
                $0 == "Careful: these stairs lead down. Take the stairs down. There are 6 steps. "
                    + "There is a handrail on your left."
            }, "\(down)")
        #expect(down.contains { $0.contains("Underfoot: gravel.") })
        let up = try Self.texts(from: Self.yard, to: Self.west)
        #expect(
            up.contains {
                $0.hasPrefix("Take the stairs up.") && $0.contains("a handrail on your right.")
            }, "\(up)")
    }

    @Test("Only those who go by touch read it in the instructions")
    func written() throws {
        let texts = try Self.texts(from: Self.west, to: Self.yard, isSpoken: false) {
            ($0.opens, $0.isGlass) = (.last, true)
        }
        #expect(texts.contains { $0.contains("the glass door into Middle") })
        #expect(texts.contains { $0.contains("The door opens away from you.") })
        #expect(texts.contains { $0.hasPrefix("Careful: these stairs lead down. Take") })
        let (finder, guide) = try Self.guide { $0.isGlass = true }
        let query = RouteQuery(
            from: Self.west, to: [Self.yard], profile: .walking,
            departAt: Timestamp(milliseconds: 0))
        guard case .found(let routes) = finder.answer(query) else {
            Issue.record("no way")
            return
        }
        let plain = guide.instructions(for: routes[0], to: Self.yard, in: English()).map(\.text)
        #expect(!plain.contains { $0.contains("glass") || $0.contains("handrail") })
    }

    @Test("Each ground has a word of its own in each language") func grounds() {
        for surface in SpokenSurface.allCases {
            let facts = TouchFacts(surface: surface, isTactile: true)
            let texts = [
                English.facts(facts), Welsh.facts(facts), German.facts(facts), Russian.facts(facts),
            ]
            #expect(Set(texts).count == 4)
        }
        #expect(SpokenSurface("pebbledash") == nil)
    }
}
