import Events
import Geometry
import Site
import Testing

/// The facts that filter lists: `?floor=`, `?room=`, `?building=`, `?kind=` and `?name=`.
@Suite("Facts of records") struct RecordFactsTests {
    private let ground = FloorID("bush-0")
    private let room = RoomID("bush-0-C")
    private let finder = RecordFactFinder(smallSite())

    @Test("A room has its floor, itself, its kind and its names in every language")
    func ofRoom() {
        let record = RoomRecord(
            id: room, floor: ground, name: "Hall", names: Translations(["cy": "Neuadd"]),
            kind: "lab", outline: [])
        let facts = finder.facts(of: record)
        #expect(facts.floors == [ground] && facts.rooms == [room] && facts.kind == "lab")
        #expect(facts.building == nil)
        #expect(facts.hasName(startingWith: "neu") && facts.hasName(startingWith: "HALL"))
        #expect(!facts.hasName(startingWith: "all"))
    }

    @Test("A door has the rooms and floors of its stops, and a lift all floors where it stops")
    func ofConnections() {
        let door = ConnectionRecord(
            id: ConnectionID("d"), kind: .door,
            stops: [
                ConnectionStop(floor: ground, room: room, point: [2, 1]),
                ConnectionStop(floor: ground, room: RoomID("bush-0-G"), point: [2, 1]),
            ])
        let facts = finder.facts(of: door)
        #expect(facts.rooms == [room, RoomID("bush-0-G")] && facts.floors == [ground])
        #expect(facts.kind == "door")
        let lift = ConnectionRecord(
            id: ConnectionID("l"), kind: .lift,
            stops: [
                ConnectionStop(floor: ground, point: [3, 1]),
                ConnectionStop(floor: FloorID("bush-1"), point: [3, 0]),
            ])
        #expect(finder.facts(of: lift).floors == [ground, FloorID("bush-1")])
    }

    @Test("Contents and directory entries have the floor and room of the places that they name")
    func ofPlaces() {
        let content = ContentRecord(
            id: ContentID("c"), place: .location(LocationID("door")), title: "Statue")
        #expect(finder.facts(of: content).rooms == [room])
        #expect(finder.facts(of: content).floors == [ground])
        let entry = DirectoryEntry(
            id: DirectoryID("e"), kind: "department", name: "Law",
            places: [.room(RoomID("bush-1-A")), .building(BuildingID("bush"))])
        let facts = finder.facts(of: entry)
        #expect(facts.floors == [FloorID("bush-1")] && facts.building == BuildingID("bush"))
        #expect(facts.kind == "department")
    }
}
