import Events
import Geometry
import SeededRandomness
import Site

/// Random changes to a site, as people or the file's authors might make them. The site stays valid.
struct RandomEdits {
    private var random: SeededRandom
    private(set) var document: SiteDocument
    /// A part of the ids of added records.
    private let author: String

    init(_ document: SiteDocument, seed: Int, author: String) {
        random = SeededRandom(seed: seed)
        self.document = document
        self.author = author
    }

    mutating func make(_ count: Int) {
        for number in 0..<count { makeOne(number) }
    }

    private mutating func makeOne(_ number: Int) {
        guard let room = document.rooms.indices.randomElement(using: &random) else { return }
        let mark = "\(author) \(number)"
        switch Int.random(in: 0..<12, using: &random) {
        case 0: document.rooms[room].name = mark
        case 1: document.rooms[room].names.byLanguage["de"] = mark
        case 2: document.rooms[room].accessible = .yes
        case 3: document.rooms[room].openingHours = mark
        case 4: move(room)
        case 5:
            document.rooms.append(
                RoomRecord(
                    id: RoomID("\(author)-r\(number)"), floor: document.rooms[room].floor,
                    name: mark, kind: "room", outline: [[0, 0], [3, 0], [3, 3]]))
        case 6: remove(room: document.rooms[room].id)
        case 7:
            guard let one = document.connections.indices.randomElement(using: &random) else {
                return
            }
            document.connections[one].widthMetres = Double(number) + 1
        case 8:
            guard let one = document.connections.indices.randomElement(using: &random) else {
                return
            }
            document.connections.remove(at: one)
        case 9:
            document.locations.append(
                LocationRecord(
                    id: LocationID("\(author)-l\(number)"), floor: document.rooms[room].floor,
                    room: document.rooms[room].id, point: [1, Double(number)]))
        case 10:
            guard let one = document.buildings.indices.randomElement(using: &random) else { return }
            document.buildings[one].name = mark
        default:
            guard let one = document.directory.indices.randomElement(using: &random) else { return }
            document.directory[one].telephone = mark
        }
    }

    private mutating func move(_ room: Int) {
        let step = Double(Int.random(in: 1...3, using: &random))
        func moved(_ ring: Ring) -> Ring {
            Ring(ring.corners.map { [$0.x + step, $0.y] })
        }
        document.rooms[room].outline = moved(document.rooms[room].outline)
        document.rooms[room].holes = document.rooms[room].holes.map(moved)
    }

    /// Removes the room with every record that names it.
    private mutating func remove(room: RoomID) {
        guard document.rooms.count > 1 else { return }
        document.rooms.removeAll { $0.id == room }
        document.contents.removeAll { $0.place == .room(room) }
        for index in document.locations.indices where document.locations[index].room == room {
            document.locations[index].room = nil
        }
        for index in document.connections.indices {
            for stop in document.connections[index].stops.indices
            where document.connections[index].stops[stop].room == room {
                document.connections[index].stops[stop].room = nil
            }
        }
        for index in document.directory.indices {
            document.directory[index].places.removeAll { $0 == .room(room) }
        }
        for index in document.zones.indices {
            document.zones[index].rooms.removeAll { $0 == room }
        }
        document.zones.removeAll { $0.outline.isEmpty && $0.rooms.isEmpty }
    }
}
