import Events
import Geometry
import Site
import Testing

@Suite struct ConnectionValidationTests {
    private static let ground = FloorID("bush-0")
    private static let first = FloorID("bush-1")

    private static let lift = ConnectionRecord(
        id: ConnectionID("lift"), kind: .lift, name: "Lift",
        names: Translations(["cy": "Lifft", "de-CH": "Lift"]),
        stops: [
            ConnectionStop(floor: ground, room: RoomID("bush-0-C"), point: [1, 0.5]),
            ConnectionStop(floor: first, point: [1, 0.5]),
        ])

    private func codes(_ change: (inout ConnectionRecord) -> Void) -> [SiteFault.Code] {
        var document = smallSite()
        var connection = Self.lift
        change(&connection)
        document.connections = [connection]
        return SiteValidation.faults(in: document).map(\.code)
    }

    @Test("A sound lift has no faults, and may lead outdoors")
    func sound() {
        #expect(codes { _ in } == [])
        #expect(codes { $0.stops[1].floor = nil } == [])
        #expect(codes { $0.line = [[1, 2], [2, 2]] } == [])
    }

    @Test("Ids are well formed, and used once")
    func identifiers() {
        #expect(codes { $0.id = ConnectionID("the lift") } == [.malformedIdentifier])
        var document = smallSite()
        document.connections = [Self.lift, Self.lift]
        #expect(SiteValidation.faults(in: document).map(\.code) == [.duplicateIdentifier])
    }

    @Test("A stop is on a floor that exists, and in a room of that floor")
    func stops() {
        #expect(codes { $0.stops[1].floor = FloorID("x") } == [.unknownFloor])
        #expect(codes { $0.stops[1].room = RoomID("x") } == [.unknownRoom])
        #expect(codes { $0.stops[1].room = RoomID("bush-0-C") } == [.roomOnOtherFloor])
        #expect(codes { $0.stops[1].point.x = .nan } == [.coordinateOutOfRange])
        #expect(codes { $0.stops[1].floor = Self.ground } == [.sameFloor])
        #expect(
            codes {
                $0.kind = .door
                $0.stops[1].floor = Self.ground
            } == [])
        #expect(
            codes {
                $0.kind = .walk
                $0.stops.removeLast()
            } == [.stopCountOutOfRange])
        #expect(
            codes { lift in
                lift.stops += Array(repeating: lift.stops[0], count: SiteLimits.stopsPerConnection)
            } == [.stopCountOutOfRange])
    }

    @Test("A line leads from one stop to another, within the frame")
    func lines() {
        #expect(codes { $0.line = [[1, 1e7]] } == [.coordinateOutOfRange])
        #expect(
            codes { $0.line = Array(repeating: [1, 1], count: SiteLimits.cornersPerRoom + 1) }
                == [.tooManyCorners])
        #expect(
            codes { lift in
                lift.stops.append(lift.stops[0])
                lift.line = [[1, 1]]
            } == [.stopCountOutOfRange])
    }

    @Test("The facts of a connection are in their ranges")
    func facts() {
        #expect(codes { $0.widthMetres = 0 } == [.factOutOfRange])
        #expect(codes { $0.slope = .infinity } == [.factOutOfRange])
        #expect(codes { $0.kerbMetres = -0.1 } == [.factOutOfRange])
        #expect(codes { $0.steps = -1 } == [.factOutOfRange])
        #expect(codes { $0.surface = "\u{7}" } == [.controlCharacter])
        #expect(codes { $0.openingHours = String(repeating: "x", count: 500) } == [.textTooLong])
    }

    /// The facts with the kinds in docs/wayfinding.md, and how a record states them.
    private static let fitting:
        [(fact: String, kinds: String, state: @Sendable (inout ConnectionRecord) -> Void)] = [
            ("slope", "walk stairs ramp escalator", { $0.slope = 0.1 }),
            ("riseMetres", "walk stairs ramp escalator", { $0.riseMetres = 1 }),
            ("offGround", "walk stairs ramp escalator", { $0.isOffGround = true }),
            ("leads", "walk stairs ramp escalator", { $0.leads = .up }),
            ("surface", "walk stairs ramp escalator", { $0.surface = "tiles" }),
            ("handrail", "walk stairs ramp escalator", { $0.handrail = .missing }),
            ("tactilePaving", "walk stairs ramp escalator door", { $0.hasTactilePaving = false }),
            ("steps", "stairs", { $0.steps = 3 }),
            ("automatic", "door lift platform-lift", { $0.isAutomatic = false }),
            ("doorKind", "door", { $0.doorKind = .sliding }),
            ("opens", "door", { $0.opens = .first }), ("glass", "door", { $0.isGlass = false }),
            (
                "widthMetres", "walk stairs ramp escalator door lift platform-lift",
                { $0.widthMetres = 1 }
            ),
            (
                "kerbMetres", "walk stairs ramp escalator door lift platform-lift",
                { $0.kerbMetres = 0.1 }
            ),
        ]

    @Test("A fact fits the kinds of connections that can have it, and no other")
    func fits() {
        for (fact, kinds, state) in Self.fitting {
            for kind in ConnectionRecord.Kind.allCases {
                let bare = ConnectionRecord(
                    id: ConnectionID("way"), kind: kind, name: "Way", stops: Self.lift.stops)
                var way = bare
                state(&way)
                let isFitting = kinds.split(separator: " ").contains { $0 == kind.rawValue }
                #expect(way.unfittingFacts == (isFitting ? [] : [fact]), "\(fact) of \(kind)")
                var site = smallSite()
                site.connections = [way]
                site.removeUnfittingFacts()
                #expect(site.connections == [isFitting ? way : bare])
            }
        }
        var door = ConnectionRecord(
            id: ConnectionID("door"), kind: .door, stops: Self.lift.stops, doorKind: .sliding,
            opens: .both)
        #expect(door.unfittingFacts == ["opens"])
        #expect(door.misfit("opens") == "opens is a fact of hinged doors, not of sliding ones")
        door.doorKind = .hinged
        #expect(door.unfittingFacts == [])
        #expect(
            Self.lift.misfit("steps") == "steps is no fact of the kind lift, but of stairs")
    }

    @Test("New facts that do not fit go, and those that the way or another had before stay")
    func removed() {
        var former = smallSite()
        var door = ConnectionRecord(
            id: ConnectionID("door"), kind: .door, stops: Self.lift.stops, handrail: .left)
        var lift = Self.lift
        lift.surface = "gravel"
        former.connections = [door, lift]
        var site = former
        (door.steps, door.isGlass) = (3, true)
        site.connections = [door, lift]
        let removed = site.removeUnfittingFacts(after: former)
        #expect(removed.map(\.fact) == ["steps"])
        door.steps = nil
        #expect(site.connections == [door, lift])
        let all = site.removeUnfittingFacts()
        #expect(Set(all.map(\.fact)) == ["handrail", "surface"])
        door.handrail = nil
        #expect(site.connections == [door, Self.lift])
    }

    @Test("A site of older rules with unfitting facts is valid, so that it is still read")
    func older() { #expect(codes { $0.surface = "gravel" } == []) }

    @Test("Names are texts in languages that have tags")
    func names() {
        for tag in ["", "c", "english language", "cy_GB", "cy-", "1a", "cy-toolongapart"] {
            #expect(
                codes { $0.names = Translations([tag: "Lifft"]) } == [.malformedLanguage], "\(tag)")
        }
        #expect(codes { $0.names = Translations(["cy": "a\nb"]) } == [.controlCharacter])
        let many = Dictionary(
            uniqueKeysWithValues: (0...SiteLimits.languages).map { ("aa-\($0)", "x") })
        #expect(codes { $0.names = Translations(many) } == [.tooMany])
    }
}
