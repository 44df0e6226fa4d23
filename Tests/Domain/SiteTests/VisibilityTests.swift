import Events
import Geometry
import Numbers
import Site
import Testing

@Suite struct VisibilityTests {
    private static let floor = FloorID("f0")

    private static func campus(_ edit: (inout SiteDocument) -> Void) -> SiteDocument {
        var document = SiteDocument(
            name: "Campus", originLatitude: 51.5, originLongitude: 0, bearingDegrees: 0,
            buildings: [BuildingRecord(id: BuildingID("b"), name: "B", timeZone: "Europe/London")],
            floors: [
                FloorRecord(id: floor, building: BuildingID("b"), ordinal: 0, level: "0"),
                FloorRecord(
                    id: FloorID("f1"), building: BuildingID("b"), ordinal: 1, level: "1"),
            ])
        document.rooms =
            drawnRooms(
                """
                AAAABBBB
                AAAABBBB
                CCCCCCCC
                """, floor: floor) + drawnRooms("DDDD", floor: FloorID("f1"))
        edit(&document)
        return document
    }

    private static let a = RoomID("f0-A")
    private static let c = RoomID("f0-C")

    @Test("A restricted room is the staff's unless it says otherwise, and a floor covers its rooms")
    func derived() {
        let document = Self.campus { document in
            document.rooms[0].isRestricted = true
            document.rooms[1].isRestricted = true
            document.rooms[1].visibility = .everybody
            document.rooms[2].visibility = .hidden
            document.floors[1].visibility = .staff
        }
        let visibility = SiteVisibility(document)
        #expect(
            document.rooms.map { visibility.room($0.id) } == [.staff, .everybody, .hidden, .staff])
        #expect(document.isFiltered(for: .stranger) && document.isFiltered(for: .staff))
        #expect(!document.isFiltered(for: .editor))
        #expect(
            Reader.allCases.map { document.seen(by: $0).rooms.count } == [1, 3, 4])
    }

    @Test("Each reader's part of a site is valid, whoever may see the site")
    func parts() throws {
        for audience in SiteAudience.allCases {
            let document = Self.campus { document in
                document.rooms[0].visibility = .staff
                document.rooms[1].visibility = .hidden
                document.audience = audience
                document.linkSecret = "a-secret-of-22-letters"
            }
            _ = try SiteIndex(document)
            for reader in Reader.allCases {
                let part = try SiteIndex(document.seen(by: reader))
                #expect(part.document.rooms.isEmpty == false)
                #expect((part.document.linkSecret == nil) == (reader < .editor))
            }
        }
    }

    /// Contents, entries and plans of A and of other places.
    private static func addTexts(to document: inout SiteDocument) {
        document.contents = [
            ContentRecord(id: ContentID("in"), place: .room(a), title: "In"),
            ContentRecord(
                id: ContentID("place"), place: .location(LocationID("in")), title: "P"),
            ContentRecord(id: ContentID("out"), place: .room(c), title: "Out"),
        ]
        document.directory = [
            DirectoryEntry(id: DirectoryID("a"), kind: "k", name: "A", places: [.room(a)]),
            DirectoryEntry(
                id: DirectoryID("ac"), kind: "k", name: "AC", parent: DirectoryID("a"),
                places: [.room(a), .room(c)]),
            DirectoryEntry(
                id: DirectoryID("told"), kind: "k", name: "Told", places: [.room(a)],
                visibility: .everybody),
        ]
        document.floorPlans = ["f0", "f1"].map { floor in
            FloorPlanRecord(
                id: FloorPlanID("plan-\(floor)"), floor: FloorID(floor),
                image: MediaReference(
                    hash: String(repeating: floor, count: 32), type: "image/png", bytes: 1),
                widthPixels: 1, heightPixels: 1, alignment: .corners([[0, 0], [1, 1]]))
        }
    }

    @Test(
        "With a room goes what hangs on it: ways, places, beacons, contents, entries and the plan")
    func hanging() throws {
        let document = Self.campus { document in
            document.rooms[0].visibility = .staff
            document.locations = [
                LocationRecord(id: LocationID("in"), floor: Self.floor, room: nil, point: [1, 2]),
                LocationRecord(
                    id: LocationID("out"), floor: Self.floor, room: nil, point: [1, 0.5]),
                LocationRecord(
                    id: LocationID("astray"), floor: Self.floor, room: Self.c, point: [1, 2]),
                LocationRecord(
                    id: LocationID("wall"), floor: Self.floor, room: Self.c, point: [1, 1]),
            ]
            func door(_ id: String, _ one: RoomID?, _ other: RoomID?, _ x: Double) {
                document.connections.append(
                    ConnectionRecord(
                        id: ConnectionID(id), kind: .door,
                        stops: [one, other].map {
                            ConnectionStop(floor: Self.floor, room: $0, point: [x, 1])
                        }))
            }
            door("named", Self.a, Self.c, 2)
            door("drawn", nil, nil, 3)
            door("other", RoomID("f0-B"), Self.c, 6)
            document.connections.append(
                ConnectionRecord(
                    id: ConnectionID("through"), kind: .walk,
                    stops: [
                        ConnectionStop(floor: Self.floor, point: [-3, 2]),
                        ConnectionStop(floor: Self.floor, point: [7, 2]),
                    ]))
            document.beacons = [
                SiteBeacon(id: BeaconID("in"), floor: Self.floor, point: [1, 2]),
                SiteBeacon(id: BeaconID("out"), floor: Self.floor, point: [6, 2]),
            ]
            document.zones = [
                ZoneRecord(id: ZoneID("a"), name: "A", kind: "z", rooms: [Self.a]),
                ZoneRecord(id: ZoneID("both"), name: "Both", kind: "z", rooms: [Self.a, Self.c]),
                ZoneRecord(
                    id: ZoneID("drawn"), name: "Drawn", kind: "z", floor: Self.floor,
                    outline: [[0.5, 1.5], [3, 1.5], [3, 2.5]]),
            ]
            Self.addTexts(to: &document)
        }
        let seen = document.seen(by: .stranger)
        #expect(seen.locations.map(\.id.text) == ["out", "wall"])
        #expect(seen.connections.map(\.id.text) == ["other"])
        #expect(seen.beacons.map(\.id.text) == ["out"])
        #expect(seen.zones.map(\.id.text) == ["both"])
        #expect(seen.zones.first?.rooms == [Self.c])
        #expect(seen.contents.map(\.id.text) == ["out"])
        #expect(seen.directory.map(\.id.text) == ["ac", "told"])
        #expect(seen.directory.map(\.places) == [[.room(Self.c)], []])
        #expect(seen.directory[0].parent == nil)
        #expect(seen.floorPlans.map(\.id.text) == ["plan-f1"])
        #expect(!seen.names(media: String(repeating: "f0", count: 32)))
        #expect(document.seen(by: .staff) == document)
    }

    @Test("A lift keeps its other stops, and goes when they are on one floor")
    func lifts() {
        func lift(_ floors: [String]) -> ConnectionRecord {
            ConnectionRecord(
                id: ConnectionID("lift"), kind: .lift,
                stops: floors.map { ConnectionStop(floor: FloorID($0), point: [1, 2]) })
        }
        let document = Self.campus { document in
            document.rooms[0].visibility = .hidden
            document.floors.append(
                FloorRecord(id: FloorID("f2"), building: BuildingID("b"), ordinal: 2, level: "2"))
            document.connections = [lift(["f0", "f1", "f2"])]
        }
        #expect(
            document.seen(by: .staff).connections.map { $0.stops.compactMap(\.floor?.text) }
                == [["f1", "f2"]])
        var two = document
        two.connections = [lift(["f0", "f1"])]
        #expect(two.seen(by: .staff).connections.isEmpty)
    }

    @Test("An older version hides what is hidden now, and its own secrets")
    func olderVersion() {
        let old = Self.campus { $0.linkSecret = "secret" }
        let now = Self.campus { $0.rooms[0].visibility = .hidden }
        #expect(old.seen(by: .stranger).rooms.count == 4)
        #expect(
            old.seen(by: .stranger, asIn: now).rooms.map(\.id.text)
                == ["f0-B", "f0-C", "f1-D"][...].map { $0 })
        #expect(old.seen(by: .stranger).linkSecret == nil)
        #expect(old.seen(by: .editor).linkSecret == "secret")
    }

    @Test("Readers who see the same share one index, and a filtered one is valid")
    func indexes() throws {
        let whole = PublishedSite(version: 1, index: try SiteIndex(Self.campus { _ in }))
        #expect(whole.seen(by: .stranger).index === whole.index)
        #expect(whole.seen(by: .stranger).mark.isEmpty)
        let some = PublishedSite(
            version: 1, index: try SiteIndex(Self.campus { $0.rooms[0].visibility = .staff }))
        let stranger = some.seen(by: .stranger)
        #expect(stranger.index !== some.index && stranger.mark == "-stranger")
        #expect(some.seen(by: .stranger).index === stranger.index)
        #expect(some.seen(by: .staff).index === some.index)
    }

    @Test(
        "A drawn site's rest is what a list of plain rules leaves, and is valid", arguments: 0..<200
    )
    func twin(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let document = RandomVisibility.site(&random)
        for reader in Reader.allCases {
            let seen = document.seen(by: reader)
            let plain = PlainVisibility(document, reader).left
            #expect(seen.things == plain, "\(reader)")
            #expect(throws: Never.self) { _ = try SiteIndex(seen) }
        }
    }

    @Test("The twin notices a rest that keeps a way into a hidden room")
    func twinNotices() throws {
        var noticed = 0
        for seed in 0..<50 {
            var random = SplitMix64(seed: UInt64(seed))
            let document = RandomVisibility.site(&random)
            var seen = document.seen(by: .stranger)
            guard
                let lost = document.connections.first(where: { one in
                    !seen.connections.contains { $0.id == one.id }
                })
            else { continue }
            seen.connections.append(lost)
            let plain = PlainVisibility(document, .stranger).left
            if seen.things != plain { noticed += 1 }
        }
        #expect(noticed > 10)
    }

    @Test("Positions lose the room and the floor that are not for the reader")
    func positions() throws {
        let index = try SiteIndex(
            Self.campus { document in
                document.rooms[0].visibility = .staff
                document.rooms[1].visibility = .hidden
                document.floors[1].visibility = .staff
            })
        let site = PublishedSite(version: 1, index: index)
        func position(_ room: String?, _ floor: String = "f0") -> PositionEstimated {
            let id = EventID(high: 1, low: 2)
            var position = PositionEstimated(
                id: id, scan: id, at: Timestamp(microseconds: 0),
                locatedAt: Timestamp(microseconds: 0), device: DeviceID("d"), site: SiteID("s"),
                siteVersion: 1, state: .located, late: false, positioner: "p", radioMapVersion: 1)
            position.floor = FloorID(floor)
            position.room = room.map { RoomID($0) }
            position.rooms = ["f0-A", "f0-B", "f0-C"].map {
                .init(id: RoomID($0), probability: 0.3)
            }
            return position
        }
        let stranger = PlaceSight(.stranger, at: site)
        let staff = PlaceSight(.staff, at: site)
        #expect(stranger.position(position("f0-A")).room == nil)
        #expect(stranger.position(position("f0-A")).area == .staff)
        #expect(stranger.position(position("f0-B")).area == .staff)
        #expect(stranger.position(position("f0-A")).floor == Self.floor)
        #expect(stranger.position(position("f0-C")).room?.text == "f0-C")
        #expect(stranger.position(position("f0-C")).rooms.map(\.id.text) == ["f0-C"])
        #expect(stranger.position(position("f1-D", "f1")).floor == nil)
        #expect(stranger.position(position("f1-D", "f1")).area == .staff)
        #expect(stranger.position(position("gone")).room == nil)
        #expect(stranger.position(position("gone")).area == nil)
        #expect(staff.position(position("gone")).room?.text == "gone")
        #expect(staff.position(position("f0-A")).room?.text == "f0-A")
        #expect(staff.position(position("f0-B")).area == .hidden)
        #expect(PlaceSight(.editor, at: site).position(position("f0-B")) == position("f0-B"))
        #expect(PlaceSight(.stranger, at: nil).position(position("f0-C")).room == nil)
    }
}
