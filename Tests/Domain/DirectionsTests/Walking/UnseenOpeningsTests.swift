import Events
import Geometry
import Site
import Testing
import Wayfinding

@testable import Directions

/// Who walks along a corridor feels also the doors of rooms that are not for them.
@Suite("Openings that a visitor's map lacks") struct UnseenOpeningsTests {
    private static let floor = FloorID("g")

    private static func room(
        _ id: String, _ kind: String, _ x: ClosedRange<Double>, _ y: ClosedRange<Double>
    ) -> RoomRecord {
        RoomRecord(
            id: RoomID(id), floor: floor, name: id, kind: kind,
            outline: [
                [x.lowerBound, y.lowerBound], [x.upperBound, y.lowerBound],
                [x.upperBound, y.upperBound], [x.lowerBound, y.upperBound],
            ])
    }

    private static func door(_ room: String, _ other: String, _ point: Point) -> ConnectionRecord {
        ConnectionRecord(
            id: ConnectionID("\(room)-\(other)"), kind: .door,
            stops: [room, other].map {
                ConnectionStop(floor: floor, room: RoomID($0), point: point)
            })
    }

    /// Five rooms in a row north of a corridor, each with a door to it. A paved path leads from the
    /// corridor's end to a hut, past a way to a shed.
    private static func document(
        _ visibility: [String: Visibility], storeDoor: Double = 15
    ) -> SiteDocument {
        let names = ["Start", "Office", "Store", "Studio", "End"]
        var document = SiteDocument(
            name: "House", originLatitude: 51, originLongitude: 0, bearingDegrees: 0,
            buildings: [BuildingRecord(id: BuildingID("b"), name: "B", timeZone: "Europe/London")],
            floors: [FloorRecord(id: floor, building: BuildingID("b"), ordinal: 0, level: "0")],
            rooms: [room("corridor", "corridor", 0...30, -2...0)],
            connections: [])
        for (index, name) in names.enumerated() {
            let west = Double(index) * 6
            document.rooms.append(room(name, "office", west...west + 6, 0...5))
            let x = name == "Store" ? storeDoor : west + 3
            document.connections.append(door(name, "corridor", Point(x: x, y: 0)))
        }
        for index in document.rooms.indices {
            document.rooms[index].visibility = visibility[document.rooms[index].id.text]
        }
        return document
    }

    /// The steps from a room to another one, as a reader gets them.
    private static func texts(
        _ document: SiteDocument, for reader: Reader,
        from start: RoutePlace = .room(RoomID("Start")),
        in language: any DirectionLanguage = English()
    ) throws -> [String] {
        let published = PublishedSite(version: 1, index: try SiteIndex(document))
        let site = published.seen(by: reader).index
        let query = RouteQuery(
            from: start, to: [.room(RoomID("End"))], profile: .named(.byTouch),
            departAt: Timestamp(milliseconds: 0))
        let finder = WayFinder(try WayNetwork(site))
        guard case .found(let routes) = finder.answer(query) else { return [] }
        return RouteGuide(site).spokenInstructions(for: routes[0], in: language).map(\.text)
    }

    @Test("Doors are counted only where the reader's map has all that a hand finds")
    func counts() throws {
        let counted = "past 3 openings,"
        let uncounted = "past other openings, if there are any,"
        let open = try Self.texts(Self.document([:]), for: .stranger).joined(separator: " ")
        #expect(open.contains(counted), "\(open)")
        for visibility in [Visibility.staff, .hidden] {
            let document = Self.document(["Store": visibility])
            let text = try Self.texts(document, for: .stranger).joined(separator: " ")
            #expect(text.contains(uncounted) && !text.contains("Store"), "\(text)")
            #expect(text.contains("metres") && !text.contains("past 2"), "\(text)")
            let whole = try Self.texts(document, for: .editor).joined(separator: " ")
            #expect(whole.contains(counted), "\(whole)")
        }
    }

    @Test("Each language says it without a number")
    func languages() throws {
        for (language, words) in [
            (English() as any DirectionLanguage, "past other openings, if there are any,"),
            (German(), ", an anderen Öffnungen vorbei, falls es welche gibt,"),
            (Welsh(), ", heibio i agoriadau eraill os oes rhai,"),
            (Russian(), ", мимо других проёмов, если они есть,"),
        ] {
            let text = try Self.texts(
                Self.document(["Store": .staff]), for: .stranger, in: language
            ).joined(separator: " ")
            #expect(text.contains(words), "\(text)")
        }
    }

    @Test("The steps are the same wherever the unseen door is, and however many there are")
    func noPlaces() throws {
        let one = try Self.texts(Self.document(["Store": .staff]), for: .stranger)
        let moved = try Self.texts(
            Self.document(["Store": .staff], storeDoor: 17), for: .stranger)
        #expect(one == moved && !one.isEmpty)
        var two = Self.document(["Store": .staff])
        two.connections.append(Self.door("corridor", "Store", Point(x: 13, y: 0)))
        #expect(try Self.texts(two, for: .stranger) == one)
    }

    @Test("No door is the only one of a room with another that the reader does not see")
    func onlyDoor() throws {
        var document = Self.document(["Office": .staff])
        document.connections.append(Self.door("Start", "Office", Point(x: 6, y: 2)))
        let first = try Self.texts(document, for: .stranger)[0]
        #expect(!first.contains("only door"), "\(first)")
        let plain = try Self.texts(Self.document([:]), for: .stranger)[0]
        #expect(plain.contains("only door"), "\(plain)")
    }

    @Test("A place has unseen openings only if the reader sees it, and not all of its ways")
    func places() throws {
        func unseen(_ document: SiteDocument, for reader: Reader) throws -> UnseenOpenings {
            PublishedSite(version: 1, index: try SiteIndex(document)).seen(by: reader).index
                .unseenOpenings
        }
        var document = Self.document(["Store": .staff])
        #expect(try unseen(document, for: .stranger).rooms == [RoomID("corridor")])
        #expect(try unseen(document, for: .stranger).floors.isEmpty)
        #expect(try unseen(document, for: .staff) == UnseenOpenings())
        // A door that states no rooms, and a path through the store out of the house.
        document.connections[2].stops = [
            ConnectionStop(floor: Self.floor, point: Point(x: 15, y: 0)),
            ConnectionStop(floor: Self.floor, point: Point(x: 15, y: 0.1)),
        ]
        document.connections.append(
            ConnectionRecord(
                id: ConnectionID("back"), kind: .door,
                stops: [
                    ConnectionStop(floor: Self.floor, room: RoomID("Store"), point: [15, 5]),
                    ConnectionStop(floor: nil, point: [15, 5]),
                ]))
        let more = try unseen(document, for: .stranger)
        #expect(more.rooms == [RoomID("corridor")] && more.floors == [Self.floor, nil])
    }

    @Test("Junctions of paths are counted only where the reader's map has all ways")
    func junctions() throws {
        func walk(_ id: String, _ points: Point..., room: RoomID? = nil) -> ConnectionRecord {
            ConnectionRecord(
                id: ConnectionID(id), kind: .walk,
                stops: points.enumerated().map { index, point in
                    ConnectionStop(
                        floor: index == 0 || room == nil ? nil : Self.floor,
                        room: index == 0 ? nil : room, point: point)
                })
        }
        var document = Self.document([:])
        document.connections += [
            walk("one", [60, -1], [50, -1]), walk("two", [50, -1], [40, -1]),
            walk("three", [40, -1], [30, -1], room: RoomID("corridor")),
            walk("side", [50, -1], [50, 20]),
        ]
        document.rooms.append(Self.room("Shed", "shed", 38...42, 10...14))
        document.connections.append(
            walk("shed", [40, -1], [40, 10], room: RoomID("Shed")))
        let start = RoutePlace.point(floor: nil, [60, -1], radiusMetres: 0)
        let open = try Self.texts(document, for: .stranger, from: start)
        #expect(open.joined().contains("past 2 junctions,"), "\(open)")
        document.rooms[document.rooms.count - 1].visibility = .staff
        let some = try Self.texts(document, for: .stranger, from: start)
        #expect(some.joined().contains("past other junctions, if there are any,"), "\(some)")
    }
}
