import Events
import Geometry
import Site
import Testing
import Wayfinding

@testable import Directions

@Suite("Names of things, and things without a name") struct SpokenNameTests {
    private typealias House = HouseWithTwoFloors
    private static let clock = LocalClock(now: Timestamp(milliseconds: 0), utcOffsetSeconds: 0)

    private static func guide(_ change: (inout SiteDocument) -> Void) throws -> RouteGuide {
        var document = House.document
        change(&document)
        return RouteGuide(try SiteIndex(document))
    }

    private static func name(_ room: String, _ name: String, _ kind: String) -> (
        inout SiteDocument
    ) -> Void {
        { document in
            for index in document.rooms.indices where document.rooms[index].id.text == room {
                document.rooms[index].name = name
                document.rooms[index].names = Translations()
                document.rooms[index].kind = kind
            }
        }
    }

    private static func texts(_ guide: RouteGuide, _ route: IndoorRoute) -> [[String]] {
        DirectionLanguages.all.map { language in
            guide.instructions(for: route, in: language).map(\.text)
        }
    }

    @Test("A room without a name is called by its kind, and is no landmark")
    func kinds() throws {
        let route = House.route(
            [
                House.walk("cafe", House.ground, [(2, 6), (2, 3)]),
                House.door("door-cafe", 2, 3),
                House.walk(
                    "hall", House.ground, [(2, 3), (2, 1), (18, 1)],
                    passing: [PassedRoom(room: RoomID("shop"), side: .left, metresAlong: 14)]),
            ], to: "hall")
        for name in ["", "2fa0d1d9-3433-42b6-b00a-f77796ef8636"] {
            let guide = try Self.guide { document in
                Self.name("hall", name, "walkway")(&document)
                Self.name("shop", name, "room")(&document)
            }
            let texts = Self.texts(guide, route)
            #expect(texts[0][1] == "Go through the door into the corridor.")
            #expect(texts[0][2] == "Turn left and walk 16 metres.")
            #expect(texts[0][3] == "You have arrived: the corridor.")
            #expect(texts[1][1] == "Ewch drwy'r drws i gyrraedd y coridor.")
            #expect(texts[2][1] == "Gehen Sie durch die Tür in den Flur.")
            #expect(texts[2][3] == "Sie sind am Ziel: der Flur.")
        }
    }

    @Test("Two passed rooms are joined by the word of each language")
    func passed() throws {
        let route = House.route(
            [
                House.walk(
                    "hall", House.ground, [(2, 1), (20, 1)],
                    passing: [
                        PassedRoom(room: RoomID("cafe"), side: .left, metresAlong: 2),
                        PassedRoom(room: RoomID("shop"), side: .right, metresAlong: 14),
                    ])
            ], to: "hall")
        let texts = Self.texts(House.guide, route).map { $0[0] }
        #expect(texts[0].contains("Café on the left and Shop on the right"), "\(texts[0])")
        #expect(texts[1].contains("Caffi ar y chwith ac yna Siop ar y dde"), "\(texts[1])")
        let german = "„Café“ links und „Laden“ rechts"
        #expect(texts[2].contains(german), "\(texts[2])")
    }

    @Test("A name in another script is used in every language without a name of its own")
    func otherLetters() throws {
        let guide = try Self.guide { document in
            // The hall and the lift have a Russian name only; the shop has one beside its own.
            Self.name("hall", "Кабинет 126", "room")(&document)
            document.rooms[1].name = "Classroom 175"
            document.rooms[1].names = Translations(["ru": "Кабинет 175"])
            for index in document.connections.indices
            where document.connections[index].kind == .lift {
                document.connections[index].name = "Лифт Б"
                document.connections[index].names = Translations()
            }
        }
        let route = House.route(
            [
                House.walk("cafe", House.ground, [(2, 6), (2, 3)]),
                House.door("door-cafe", 2, 3),
                House.walk(
                    "hall", House.ground, [(2, 3), (2, 1), (18, 1)],
                    passing: [PassedRoom(room: RoomID("shop"), side: .left, metresAlong: 14)]),
                House.climb("lift-b", .lift, rise: 3.5, (18, 1), (18, 1)),
            ], to: "gallery")
        let texts = Self.texts(guide, route).map { Array($0[1...3]) }
        #expect(
            texts == [
                [
                    "Go through the door into Кабинет 126.",
                    "Turn left and walk 16 metres, passing Classroom 175 on the left.",
                    "Take the lift Лифт Б up 1 floor to level 1.",
                ],
                [
                    "Ewch drwy'r drws i gyrraedd Кабинет 126.",
                    "Trowch i'r chwith a cherddwch 16 metr, gan basio Classroom 175 ar y chwith.",
                    "Defnyddiwch y lifft (Лифт Б) i fynd i fyny 1 llawr i lefel 1.",
                ],
                [
                    "Gehen Sie durch die Tür in „Кабинет 126“.",
                    "Biegen Sie links ab und gehen Sie 16 Meter, vorbei an „Classroom 175“ auf der "
                        + "linken Seite.",
                    "Nehmen Sie den Aufzug „Лифт Б“ ein Stockwerk nach oben auf Ebene 1.",
                ],
                [
                    "Войдите через дверь в помещение «Кабинет 126».",
                    "Поверните налево и пройдите 16 метров; слева будет «Кабинет 175».",
                    "Поднимитесь на лифте «Б» на 1 этаж (уровень 1).",
                ],
            ])
    }

    @Test("A floor's name that repeats its sign is left out")
    func levels() throws {
        for (name, expected) in [("Level 1", "level 1"), ("Mezzanine", "level 1 (Mezzanine)")] {
            let guide = try Self.guide { $0.floors[1].names = Translations(["en": name]) }
            let route = House.route(
                [House.climb("stairs", .stairs, rise: 3.5, (20, 1), (15, 1))], to: "gallery")
            #expect(
                Self.texts(guide, route)[0][0] == "Take the stairs up 1 floor to \(expected).")
        }
    }

    @Test("A lift is named the same way whether or not its name contains the word")
    func lifts() throws {
        let route = House.route(
            [House.climb("lift-b", .lift, rise: 3.5, (0, 1), (0, 1))], to: "gallery")
        for name in ["B", "Lift B"] {
            let guide = try Self.guide { document in
                for index in document.connections.indices
                where document.connections[index].kind == .lift {
                    document.connections[index].name = name
                    document.connections[index].names = Translations()
                }
            }
            let texts = Self.texts(guide, route)
            #expect(texts[0][0] == "Take Lift B up 1 floor to level 1.")
            #expect(texts[2][0] == "Nehmen Sie den Aufzug „B“ ein Stockwerk nach oben auf Ebene 1.")
        }
    }

    @Test("Leaving a lift is an instruction, a step or two beside stairs is none")
    func landings() {
        let byLift = House.route(
            [
                House.walk("hall", House.ground, [(5, 1), (0, 1)]),
                House.climb("lift-b", .lift, rise: 3.5, (0, 1), (0, 1)),
                House.walk("gallery", House.first, [(0, 1), (7, 1)]),
            ], to: "gallery")
        #expect(
            Self.texts(House.guide, byLift)[0][2] == "Leave the lift and head east for 7 metres.")
        let byStairs = House.route(
            [
                House.walk("cafe", House.ground, [(2, 8), (2, 3)]),
                House.door("door-cafe", 2, 3),
                House.walk("hall", House.ground, [(2, 3), (3.2, 3)]),
                House.climb("stairs", .stairs, rise: 3.5, (3.2, 3), (3.2, 1.5)),
            ], to: "gallery")
        #expect(
            Self.texts(House.guide, byStairs)[0] == [
                "Head south for 5 metres.", "Go through the door into Hall.",
                "Take the stairs up 1 floor to level 1.", "You have arrived: Gallery.",
            ])
    }

    @Test("Pieces of one street are one street")
    func street() throws {
        let guide = try Self.guide { document in
            var more = document.connections[document.connections.count - 1]
            more.id = ConnectionID("street-2")
            document.connections.append(more)
        }
        var second = House.street([(200, 0), (300, 5)])
        second.passage = .connection(ConnectionID("street-2"), .walk)
        let route = House.route([House.street([(10, 0), (200, 0)]), second], to: nil)
        #expect(
            Self.texts(guide, route)[0]
                == ["Head east for 290 metres along Kingsway.", "You have arrived."])
    }

    @Test("Stairs from outdoors lead up or down by the floor's ordinal")
    func outdoors() throws {
        var stairs = House.climb("stairs", .stairs, rise: nil, (20, 1), (15, 1))
        stairs.startFloor = nil
        stairs.paths[0].floor = nil
        let texts = Self.texts(House.guide, House.route([stairs], to: "gallery"))
        #expect(texts[0][0] == "Take the stairs up.")
    }

    @Test("Levels that are in no building are neither entered nor left")
    func openBuilding() throws {
        let guide = try Self.guide { document in
            document.buildings[0].id = SiteDocument.openBuilding
            for index in document.floors.indices {
                document.floors[index].building = SiteDocument.openBuilding
            }
        }
        let route = House.route(
            [
                House.walk("hall", House.ground, [(0, 1), (10, 1), (10, 0)]),
                House.door("front", 10, 0), House.street([(10, 0), (20, 0)]),
            ], to: nil)
        #expect(Self.texts(guide, route)[0].contains("Turn right and go out through the door."))
        #expect(!Self.texts(guide, route)[0].contains { $0.contains("Bush House") })
    }

    @Test("A route that begins or ends only near its place states this")
    func nearby() {
        var route = House.route([House.walk("hall", House.ground, [(4, 2), (10, 2)])], to: "shop")
        route.approximateEnd = ApproximateEnd(
            missing: .door, room: RoomID("shop"), straightMetres: 5.2)
        route.approximateStart = ApproximateEnd(
            missing: .way, room: RoomID("cafe"), straightMetres: 0)
        let texts = Self.texts(House.guide, route)
        #expect(
            texts[0] == [
                "The way out of Café is not on the map. These directions start at the nearest "
                    + "path. Head east for 6 metres.",
                "This is as close as the map can take you to Shop: the map shows no door to it. "
                    + "It is about 5 metres away in a straight line.",
            ])
        for (text, name) in zip(texts.map { $0[1] }, ["Shop", "Siop", "Laden"]) {
            #expect(text.contains(name) && text.contains("5 ") && text.hasSuffix("."))
        }
    }

    @Test("A barrier names its door, and its hours are in the reader's language")
    func barriers() {
        let door = Barrier(
            connection: ConnectionID("door-shop"), kind: .door,
            rules: [
                .tooNarrow(metres: 0.7, needed: 0.8),
                .shut(openingHours: "Mo-Fr 08:00-18:00; Su off"),
            ], floor: House.ground, point: Point(x: 17, y: 3),
            rooms: [RoomID("shop"), RoomID("hall")])
        let texts = DirectionLanguages.all.map {
            House.guide.explanation(of: door, in: $0, clock: Self.clock)
        }
        #expect(
            texts == [
                "The door between Shop and Hall on level G is 0.7 m wide, but you need 0.8 m. "
                    + "The door between Shop and Hall on level G is closed at that time. Opening "
                    + "hours: Monday to Friday 08:00 to 18:00; Sunday closed.",
                "Lled y drws (Siop / Neuadd, lefel G, Llawr Gwaelod) yw 0.7 m, ond mae angen "
                    + "0.8 m. "
                    + "Mae'r drws (Siop / Neuadd, lefel G, Llawr Gwaelod) ar gau bryd hynny. "
                    + "Oriau agor: dydd Llun i ddydd Gwener o 08:00 tan 18:00; dydd Sul ar gau.",
                "Die Tür zwischen „Laden“ und „Halle“ auf Ebene G (Erdgeschoss) ist 0,7 m breit, "
                    + "aber Sie brauchen 0,8 m. Die Tür zwischen „Laden“ und „Halle“ auf Ebene G "
                    + "(Erdgeschoss) ist zu dieser Zeit geschlossen. Öffnungszeiten: Montag bis "
                    + "Freitag 08:00 bis 18:00 Uhr; Sonntag geschlossen.",
                "Дверь («Shop» – «Hall»), уровень G: ширина 0,7 м, нужно 0,8 м. Дверь («Shop» – "
                    + "«Hall»), уровень G: в это время закрыто. Часы работы: понедельник–пятница "
                    + "08:00–18:00; воскресенье закрыто.",
            ])
        // These stairs have no name, so each of the two flights is named by its level.
        let flights = [House.ground, House.first].map { floor in
            let stairs = Barrier(
                connection: ConnectionID("stairs"), kind: .stairs, rules: [.steps], floor: floor)
            return House.guide.explanation(of: stairs, in: English(), clock: Self.clock)
        }
        #expect(
            flights == [
                "The way leads over the stairs between level G and level 1, and the map shows "
                    + "none without.",
                "The way leads over the stairs between level G and level 1, and the map shows "
                    + "none without.",
            ])
        let room = Barrier(
            connection: ConnectionID("door-shop"), kind: .door,
            rules: [.shut(openingHours: "24/7", room: RoomID("hall"))], floor: House.ground)
        #expect(
            House.guide.explanation(of: room, in: English(), clock: Self.clock)
                == "Hall is closed at that time. Opening hours: 24 hours.")
    }

    @Test(
        "Opening hours are listed day by day",
        arguments: [
            ("Mo-Su 10:00-18:00", "daily 10:00 to 18:00"),
            ("Sa,Su 10:00-12:00,14:00-16:00", "Saturday, Sunday 10:00 to 12:00 and 14:00 to 16:00"),
            ("Fr-Mo 20:00-02:00", "Friday to Monday 20:00 to 02:00"),
            ("Apr-Oct Mo off", "April–October, Monday closed"), ("when I like", "when I like"),
            ("08:00-24:00", "daily 08:00 to 24:00"),
        ])
    func hours(written: String, spoken: String) {
        let barrier = Barrier(
            connection: ConnectionID("front"), kind: .door, rules: [.shut(openingHours: written)])
        #expect(
            House.guide.explanation(of: barrier, in: English(), clock: Self.clock)
                == "A door on the way is closed at that time. Opening hours: \(spoken).")
    }
}
