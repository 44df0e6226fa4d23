import Events
import Geometry
import Site
import Testing
import Wayfinding

@testable import Directions

@Suite("Directions in words") struct DirectionSentenceTests {
    private typealias House = HouseWithTwoFloors

    private static func texts(_ route: IndoorRoute, _ language: any DirectionLanguage) -> [String] {
        House.guide.instructions(for: route, in: language).map(\.text)
    }

    /// From the café along the hall, up the stairs and into the library.
    private static let byStairs = House.route(
        [
            House.walk("cafe", House.ground, [(2, 6), (2, 3)]),
            House.door("door-cafe", 2, 3),
            House.walk(
                "hall", House.ground, [(2, 3), (2, 1), (20, 1)],
                passing: [PassedRoom(room: RoomID("shop"), side: .left, metresAlong: 17)]),
            House.climb("stairs", .stairs, rise: 3.5, (20, 1), (15, 1)),
            House.walk("gallery", House.first, [(15, 1), (7, 1), (7, 3)]),
            House.door("door-library", 7, 3, automatic: true),
        ], to: "library")

    @Test("A walk over stairs, with a landmark, in every language")
    func stairs() {
        #expect(
            Self.texts(Self.byStairs, English()) == [
                "Head south for 3 metres.",
                "Go through the door into Hall.",
                "Turn left and walk 18 metres, passing Shop on the left.",
                "Take the stairs up 1 floor to level 1 and walk 8 metres.",
                "Turn right through the automatic door into Library.",
                "You have arrived: Library.",
            ])
        #expect(
            Self.texts(Self.byStairs, Welsh()) == [
                "Ewch tua'r de am 3 metr.",
                "Ewch drwy'r drws i gyrraedd Neuadd.",
                "Trowch i'r chwith a cherddwch 18 metr, gan basio Siop ar y chwith.",
                "Ewch i fyny'r grisiau 1 llawr i lefel 1 a cherddwch 8 metr.",
                "Trowch i'r dde ac ewch drwy'r drws awtomatig i gyrraedd Llyfrgell.",
                "Rydych wedi cyrraedd: Llyfrgell.",
            ])
        #expect(
            Self.texts(Self.byStairs, German()) == [
                "Gehen Sie 3 Meter nach Süden.",
                "Gehen Sie durch die Tür in „Halle“.",
                "Biegen Sie links ab und gehen Sie 18 Meter, vorbei an „Laden“ auf der "
                    + "linken Seite.",
                "Nehmen Sie die Treppe ein Stockwerk nach oben auf Ebene 1 und gehen Sie 8 Meter.",
                "Biegen Sie rechts ab und gehen Sie durch die automatische Tür in „Bibliothek“.",
                "Sie sind am Ziel: „Bibliothek“.",
            ])
        #expect(
            Self.texts(Self.byStairs, Russian()) == [
                "Идите 3 метра на юг.",
                "Войдите через дверь в помещение «Hall».",
                "Поверните налево и пройдите 18 метров; слева будет «Shop».",
                "Поднимитесь по лестнице на 1 этаж (уровень 1) и пройдите 8 метров.",
                "Поверните направо и войдите через автоматическую дверь в помещение «Library».",
                "Вы пришли: «Library».",
            ])
        // The sentences are English and the names Welsh, as on the doors.
        #expect(
            Self.texts(Self.byStairs, English(codeOfNames: "cy"))[1]
                == "Go through the door into Neuadd.")
    }

    /// Down by the lift, out of the house and along the street, with distances of each form.
    private static let byLift: IndoorRoute = {
        var lift = House.climb("lift-b", .lift, rise: -3.5, (0, 1), (0, 1))
        swap(&lift.startFloor, &lift.endFloor)
        lift.paths.reverse()
        return House.route(
            [
                House.walk("gallery", House.first, [(1, 1), (0, 1)]), lift,
                House.walk("hall", House.ground, [(0, 1), (10, 1), (10, 0)]),
                House.door("front", 10, 0), House.street([(10, 0), (1_240, 0)]),
            ], to: nil)
    }()

    @Test(
        "A way by lift and street, with a name in each language, and decimals as they are written")
    func lift() {
        #expect(
            Self.texts(Self.byLift, English()) == [
                "Head west for 1 metre.",
                "Take Lift B down 1 floor to level G.",
                "Leave the lift and head east for 10 metres.",
                "Turn right and leave Bush House through the door.",
                "Turn left and walk 1.2 km along Kingsway.",
                "You have arrived.",
            ])
        #expect(
            Self.texts(Self.byLift, Welsh()) == [
                "Ewch tua'r gorllewin am 1 metr.",
                "Defnyddiwch y lifft (Lifft B) i fynd i lawr 1 llawr i lefel G (Llawr Gwaelod).",
                "Gadewch y lifft ac ewch tua'r dwyrain am 10 metr.",
                "Trowch i'r dde ac ewch allan o'r adeilad (Tŷ Bush) drwy'r drws.",
                "Trowch i'r chwith a cherddwch 1.2 km ar hyd Kingsway.",
                "Rydych wedi cyrraedd.",
            ])
        #expect(
            Self.texts(Self.byLift, German()) == [
                "Gehen Sie einen Meter nach Westen.",
                "Nehmen Sie den Aufzug „B“ ein Stockwerk nach unten auf Ebene G (Erdgeschoss).",
                "Verlassen Sie den Aufzug und gehen Sie 10 Meter nach Osten.",
                "Biegen Sie rechts ab und verlassen Sie das Gebäude „Bush House“ durch die Tür.",
                "Biegen Sie links ab und gehen Sie 1,2 km auf „Kingsway“.",
                "Sie sind am Ziel.",
            ])
        #expect(
            Self.texts(Self.byLift, Russian()) == [
                "Идите 1 метр на запад.",
                "Спуститесь на лифте «B» на 1 этаж (уровень G).",
                "Выйдите из лифта и идите 10 метров на восток.",
                "Поверните направо и выйдите из здания «Bush House» через дверь.",
                "Поверните налево и пройдите 1,2 км по пути «Kingsway».",
                "Вы пришли.",
            ])
    }

    @Test(
        "A route that ends at a door names the room's side, and one into a room names the turn")
    func sides() {
        let passing = House.route(
            [House.walk("hall", House.ground, [(4, 2.5), (17, 2.5)])], to: "shop")
        #expect(Self.texts(passing, English()).last == "You have arrived: Shop, on your left.")
        #expect(Self.texts(passing, Welsh()).last == "Rydych wedi cyrraedd. Mae Siop ar y chwith.")
        #expect(
            Self.texts(passing, German()).last == "Sie sind am Ziel: „Laden“, links von Ihnen."
        )
        let entering = House.route(
            [
                House.walk("hall", House.ground, [(19, 2.9), (17, 3)]),
                House.door("door-shop", 17, 3),
                House.walk("shop", House.ground, [(17, 3), (17, 6)]),
            ], to: "shop")
        #expect(
            Self.texts(entering, English()) == [
                "Head west for 2 metres.",
                "Turn right through the door into Shop and walk 3 metres.",
                "You have arrived: Shop.",
            ])
        #expect(
            Self.texts(entering, Welsh())[1]
                == "Trowch i'r dde ac ewch drwy'r drws i gyrraedd Siop a cherddwch 3 metr.")
        #expect(
            Self.texts(entering, German())[1]
                == "Biegen Sie rechts ab, gehen Sie durch die Tür in „Laden“ und dann 3 Meter "
                + "weiter.")
    }

    @Test("A traveller who is at the destination hears that, in every language")
    func there() {
        let route = House.route([], to: "cafe")
        let texts = DirectionLanguages.all.map { Self.texts(route, $0) }
        #expect(
            texts == [
                ["You have arrived: Café."], ["Rydych wedi cyrraedd: Caffi."],
                ["Sie sind am Ziel: „Café“."], ["Вы пришли: «Café»."],
            ])
    }

    @Test("Who asked for a kind and ends at a lift that is no room hears so, in every language")
    func things() {
        let route = House.route(
            [House.walk("gallery", House.first, [(10, 1), (0, 1)])], to: nil)
        func ends(_ word: String) -> [String?] {
            DirectionLanguages.all.map {
                House.guide.instructions(for: route, to: .kind(word), in: $0).last?.text
            }
        }
        #expect(
            ends("Aufzug") == [
                "You have arrived: the lift.", "Rydych wedi cyrraedd: y lifft.",
                "Sie sind am Ziel: der Aufzug.", "Вы пришли: лифт.",
            ])
        #expect(
            ends("platform lift") == [
                "You have arrived: the platform lift.", "Rydych wedi cyrraedd: y lifft platfform.",
                "Sie sind am Ziel: der Plattformlift.", "Вы пришли: подъёмная платформа.",
            ])
        #expect(ends("walk")[0] == "You have arrived." && ends("toilet")[0] == "You have arrived.")
    }

    @Test("Two floors are counted as each language counts")
    func plurals() {
        let climb = Climb(
            kind: .stairs, connection: ConnectionID("stairs"), isUp: false, floors: 2,
            floor: House.ground)
        var manoeuvre = House.guide.manoeuvres(of: Self.byLift)[0]
        manoeuvre.action = .climb(climb)
        manoeuvre.metres = 0
        let texts = DirectionLanguages.all.map { language in
            House.guide.sentence(for: manoeuvre, in: language)
        }
        #expect(
            texts == [
                "Take the stairs down 2 floors to level G.",
                "Ewch i lawr y grisiau 2 lawr i lefel G (Llawr Gwaelod).",
                "Nehmen Sie die Treppe 2 Stockwerke nach unten auf Ebene G (Erdgeschoss).",
                "Спуститесь по лестнице на 2 этажа (уровень G).",
            ])
    }

    @Test("A barrier is explained with the reader's clock")
    func barriers() {
        let clock = LocalClock(
            now: Timestamp(milliseconds: 1_795_334_400_000), utcOffsetSeconds: 3_600)
        let outage = Barrier.Rule.outage(
            since: Timestamp(milliseconds: 1_795_334_400_000),
            until: Timestamp(milliseconds: 1_795_420_800_000), reason: "stuck")
        let barrier = Barrier(
            connection: ConnectionID("lift-b"), kind: .lift,
            rules: [outage, .tooNarrow(metres: 0.75, needed: 0.8)])
        let texts = DirectionLanguages.all.map {
            House.guide.explanation(of: barrier, in: $0, clock: clock)
        }
        #expect(
            texts == [
                "Lift B is out of service from 09:00 until 23 November 09:00 (stuck). "
                    + "Lift B is 0.75 m wide, but you need 0.8 m.",
                "Nid yw'r lifft (Lifft B) yn gweithio o 09:00 tan 23 Tachwedd 09:00 (stuck). "
                    + "Lled y lifft (Lifft B) yw 0.75 m, ond mae angen 0.8 m.",
                "„Aufzug B“ ist von 09:00 Uhr bis 23. November, 09:00 Uhr außer Betrieb (stuck). "
                    + "„Aufzug B“ ist 0,75 m breit, aber Sie brauchen 0,8 m.",
                "«Lift B»: не работает с 09:00 до 23 ноября 09:00 (stuck). "
                    + "«Lift B»: ширина 0,75 м, нужно 0,8 м.",
            ])
    }

    @Test("A lift whose name is a single letter is called a lift")
    func letter() throws {
        var document = House.document
        for index in document.connections.indices where document.connections[index].kind == .lift {
            document.connections[index].name = "B"
            document.connections[index].names = Translations()
        }
        let guide = RouteGuide(try SiteIndex(document))
        let texts = guide.manoeuvres(of: Self.byLift).map { guide.sentence(for: $0, in: English()) }
        #expect(texts[1] == "Take Lift B down 1 floor to level G.")
        let barrier = Barrier(
            connection: ConnectionID("lift-b"), kind: .lift, rules: [.avoided(.liftsDown)])
        let clock = LocalClock(now: Timestamp(milliseconds: 0), utcOffsetSeconds: 0)
        #expect(
            guide.explanation(of: barrier, in: English(), clock: clock)
                == "You asked to avoid Lift B. To use it, remove that choice.")
    }

    @Test("Every rule, of every kind of way, has words in every language")
    func allRules() {
        let moment = Timestamp(milliseconds: 0)
        let rules: [Barrier.Rule] =
            [
                .steps, .escalator, .inaccessible, .tooNarrow(metres: 1, needed: 2),
                .tooSteep(slope: -0.1, limit: 0.083), .kerb(metres: 0.1, limit: 0.03),
                .surface("mud"), .unknown([.accessible, .width, .slope, .kerb]),
                .outage(since: moment, until: nil, reason: nil), .shut(openingHours: "Mo-Fr 9-17"),
                .restricted(RoomID("shop")),
            ] + AvoidedWay.allCases.map { .avoided($0) }
        for language in DirectionLanguages.all {
            for kind in ConnectionRecord.Kind.allCases {
                let barrier = Barrier(connection: ConnectionID("x"), kind: kind, rules: rules)
                let text = House.guide.explanation(
                    of: barrier, in: language,
                    clock: LocalClock(now: moment, utcOffsetSeconds: 0))
                #expect(!text.contains("  ") && text.hasSuffix("."))
                let later = House.guide.explanation(
                    of: barrier, in: language,
                    clock: LocalClock(
                        now: Timestamp(milliseconds: 86_400_000_000), utcOffsetSeconds: 0))
                // A date is for people, as they say it.
                #expect(!later.contains(/\d{4}-\d\d/) && later.contains("1970"), "\(later)")
            }
        }
    }
}
