import Events
import Geometry
import Site
import SiteSearch
import Testing

@Suite("Search entries of a site") struct SiteEntriesTests {
    static let document = SiteDocument(
        name: "Campus", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
        buildings: [
            BuildingRecord(
                id: BuildingID("bh"), name: "Bush House", timeZone: "Europe/London",
                address: "30 Aldwych")
        ],
        floors: [
            FloorRecord(id: FloorID("s6"), building: BuildingID("bh"), ordinal: 6, level: "6"),
            FloorRecord(
                id: FloorID("g"), building: BuildingID("bh"), ordinal: 0, level: "G",
                names: Translations(["cy": "Llawr gwaelod"])),
        ],
        rooms: [
            RoomRecord(
                id: RoomID("r1"), floor: FloorID("s6"), name: "(S)6.01", kind: "lab", outline: [])
        ],
        locations: [
            LocationRecord(id: LocationID("p1"), floor: FloorID("g"), room: nil, point: [0, 0]),
            LocationRecord(
                id: LocationID("p2"), name: "Meeting point", floor: FloorID("g"), room: nil,
                point: [0, 0]),
        ],
        connections: [
            ConnectionRecord(
                id: ConnectionID("lift-b"), kind: .lift, names: Translations(["cy": "Lifft B"]),
                stops: ["g", "s6", "g"].map { ConnectionStop(floor: FloorID($0), point: [0, 0]) }),
            ConnectionRecord(id: ConnectionID("door-1"), kind: .door, stops: []),
        ],
        zones: [
            ZoneRecord(
                id: ZoneID("z"), name: "Quiet zone", kind: "study", rooms: [RoomID("r1")])
        ],
        directory: [
            DirectoryEntry(id: DirectoryID("nms"), kind: "faculty", name: "Natural Sciences"),
            DirectoryEntry(
                id: DirectoryID("inf"), kind: "department", name: "Informatics",
                parent: DirectoryID("nms"), places: [.room(RoomID("r1")), .zone(ZoneID("z"))]),
        ])

    @Test(
        "A kind is found by the words that people say for it",
        arguments: ["WC", "restroom", "Toilette", "tŷ bach"])
    func kinds(word: String) throws {
        var document = Self.document
        document.directory.append(DirectoryEntry(id: DirectoryID("d"), kind: "toilets", name: ""))
        document.rooms.append(
            RoomRecord(
                id: RoomID("r2"), floor: FloorID("g"), name: "", kind: "restroom.female",
                outline: []))
        let index = SearchIndex(document.searchEntries)
        let found = index.find(try SearchQuery(word)).results.map(\.entry.id)
        #expect(Set(found) == ["d", "r2"])
    }

    @Test("All things with a name are entries, with their floors")
    func all() {
        let found = Self.document.searchEntries.map {
            "\($0.kind) \($0.id) \($0.category ?? "-") \($0.floors)"
        }
        #expect(
            found == [
                "building bh - []", "directory nms faculty []", "directory inf department [s6]",
                "zone z study [s6]", "room r1 lab [s6]", "floor s6 - [s6]", "floor g - [g]",
                "connection lift-b lift [g, s6]", "location p2 - [g]",
            ])
    }

    @Test(
        "Things are found by the names of their building, floor and places",
        arguments: [
            ("bush house 601", "r1"), ("lab", "r1"), ("lifft", "lift-b"), ("aldwych", "bh"),
            ("informatics 601", "inf"), ("department of natural sciences", "inf"),
            ("gwaelod", "g"), ("meeting", "p2"), ("quiet study", "z"),
        ])
    func found(text: String, id: String) throws {
        let index = SearchIndex(Self.document.searchEntries)
        #expect(index.find(try SearchQuery(text)).results.first?.entry.id == id)
    }

    @Test("The pieces of a street are one entry, found by the id of each piece")
    func street() throws {
        var document = SiteDocument(
            name: "Town", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0)
        func way(_ id: String, _ name: String, _ kind: ConnectionRecord.Kind = .walk) {
            document.connections.append(
                ConnectionRecord(
                    id: ConnectionID(id), kind: kind, name: name,
                    stops: [
                        ConnectionStop(floor: nil, point: [0, 0]),
                        ConnectionStop(floor: nil, point: [9, 0]),
                    ]))
        }
        way("w1", "High Street")
        way("w2", "Low Street")
        way("w3", "High Street")
        way("s1", "High Street", .stairs)
        #expect(document.searchEntries.map(\.id) == ["w1", "w2", "s1"])
        let index = SearchIndex(document.searchEntries)
        #expect(index.find(try SearchQuery("w3")).results.first?.entry.id == "w1")
    }
}
