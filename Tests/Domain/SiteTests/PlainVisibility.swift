import Events
import Geometry
import Numbers
import Site

extension SiteDocument {
    /// The ids of all records by kind, with the stops of connections and the rooms of zones.
    var things: Set<String> {
        var all: Set<String> = []
        func add(_ kind: String, _ ids: [String]) { all.formUnion(ids.map { "\(kind) \($0)" }) }
        add("floor", floors.map(\.id.text))
        add("room", rooms.map(\.id.text))
        add("location", locations.map(\.id.text))
        add("zone", zones.map { "\($0.id) \($0.rooms.map(\.text).sorted())" })
        add("connection", connections.map { "\($0.id) \($0.stops.map { "\($0)" }.sorted())" })
        add("beacon", beacons.map(\.id.text))
        add("scanner", scanners.map(\.id.text))
        add("content", contents.map(\.id.text))
        add("entry", directory.map { "\($0.id) \($0.places.map { "\($0)" }.sorted())" })
        add("plan", floorPlans.map(\.id.text))
        return all
    }
}

/// The slow, obvious twin of `SiteDocument.seen`: each record is judged by itself, by going through
/// all others.
struct PlainVisibility {
    private let document: SiteDocument
    private let reader: Reader

    init(_ document: SiteDocument, _ reader: Reader) {
        self.document = document
        self.reader = reader
    }

    private func sees(_ floor: FloorID) -> Bool {
        let record = document.floors.first { $0.id == floor }
        return reader.sees(record?.visibility ?? .everybody)
    }

    private func sees(_ room: RoomRecord) -> Bool {
        sees(room.floor)
            && reader.sees(room.visibility ?? (room.isRestricted ? .staff : .everybody))
    }

    private func sees(_ id: RoomID) -> Bool {
        document.rooms.first { $0.id == id }.map(sees) ?? true
    }

    /// All rooms of the floor whose outline contains the point, the smallest first.
    private func rooms(_ point: Point, _ floor: FloorID) -> [RoomRecord] {
        document.rooms.filter { room in
            room.floor == floor && room.outline.polygon?.contains(point) == true
        }.sorted { ($0.outline.polygon?.area ?? 0) < ($1.outline.polygon?.area ?? 0) }
    }

    private func sees(_ point: Point, _ floor: FloorID) -> Bool {
        sees(floor) && rooms(point, floor).first.map(sees) ?? true
    }

    private func seesInside(_ point: Point, _ floor: FloorID) -> Bool {
        let around = rooms(point, floor).first { room in
            (room.outline.polygon?.distanceToEdge(from: point) ?? 0) > 0.05
        }
        return around.map(sees) ?? true
    }

    private func sees(_ location: LocationRecord) -> Bool {
        guard let room = location.room else { return sees(location.point, location.floor) }
        return sees(location.floor) && sees(room) && seesInside(location.point, location.floor)
    }

    private func sees(_ zone: ZoneRecord) -> Bool {
        if let floor = zone.floor, !sees(floor) { return false }
        if !zone.rooms.isEmpty { return zone.rooms.contains { sees($0) } }
        guard let floor = zone.floor, let polygon = zone.outline.polygon else { return true }
        return (polygon.corners + [polygon.centroid]).contains { point in
            rooms(point, floor).allSatisfy(sees)
        }
    }

    private func sees(_ place: PlaceReference) -> Bool {
        switch place {
        case .building: true
        case .floor(let id): sees(id)
        case .room(let id): sees(id)
        case .location(let id): document.locations.first { $0.id == id }.map(sees) ?? true
        case .zone(let id): document.zones.first { $0.id == id }.map(sees) ?? true
        }
    }

    private func sees(_ stop: ConnectionStop, _ kind: ConnectionRecord.Kind) -> Bool {
        if let floor = stop.floor, !sees(floor) { return false }
        if let room = stop.room { return sees(room) }
        guard let floor = stop.floor else { return true }
        return kind == .door
            ? rooms(stop.point, floor).allSatisfy(sees) : seesInside(stop.point, floor)
    }

    private func left(_ connection: ConnectionRecord) -> ConnectionRecord? {
        var left = connection
        left.stops = connection.stops.filter { sees($0, connection.kind) }
        if connection.kind == .lift {
            let isWhole = left.stops.count == connection.stops.count
            return isWhole || Set(left.stops.map(\.floor)).count > 1 ? left : nil
        }
        guard left.stops.count == connection.stops.count else { return nil }
        guard let floor = left.stops[0].floor, left.stops.allSatisfy({ $0.floor == floor }) else {
            return left
        }
        let bends = [left.stops[0].point] + left.line + [left.stops[left.stops.count - 1].point]
        for (start, end) in zip(bends, bends.dropFirst()) {
            let pieces = max(1, Int(start.distance(to: end).rounded(.up)))
            for piece in 0...pieces {
                let share = Double(piece) / Double(pieces)
                let point = Point(
                    x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y))
                if !seesInside(point, floor) { return nil }
            }
        }
        return left
    }

    /// The things that are left, as `SiteDocument.things` names them.
    var left: Set<String> {
        var rest = document
        rest.floors.removeAll { !sees($0.id) }
        rest.rooms.removeAll { !sees($0) }
        rest.locations.removeAll { !sees($0) }
        rest.zones = document.zones.filter(sees).map { zone in
            var zone = zone
            zone.rooms.removeAll { !sees($0) }
            return zone
        }
        rest.connections = document.connections.compactMap(left)
        rest.beacons.removeAll { !sees($0.point, $0.floor) }
        rest.scanners.removeAll { !sees($0.point, $0.floor) }
        rest.contents.removeAll { !sees($0.place) }
        rest.directory = document.directory.filter { entry in
            guard let own = entry.visibility else {
                return entry.places.isEmpty || entry.places.contains(where: sees)
            }
            return reader.sees(own)
        }.map { entry in
            var entry = entry
            entry.places.removeAll { !sees($0) }
            return entry
        }
        rest.floorPlans.removeAll { plan in
            !sees(plan.floor)
                || document.rooms.contains { $0.floor == plan.floor && !sees($0) }
        }
        return rest.things
    }
}

/// Small sites with everything that may be hidden, or hang on it.
struct RandomVisibility {
    private static let building = BuildingID("b")
    private static let words: [Visibility?] = [nil, nil, nil, .everybody, .staff, .hidden]

    private var random: SplitMix64
    private var site = SiteDocument(
        name: "Random", originLatitude: 51.5, originLongitude: 0, bearingDegrees: 0,
        buildings: [BuildingRecord(id: building, name: "B", timeZone: "Europe/London")])

    static func site(_ random: inout SplitMix64) -> SiteDocument {
        var maker = RandomVisibility(random: random)
        maker.addRooms()
        for number in 0..<10 {
            maker.addPoints(number)
            maker.addWay(number)
            maker.addZone(number)
        }
        for number in 0..<10 { maker.addTexts(number) }
        maker.addPlans()
        random = maker.random
        return maker.site
    }

    private init(random: SplitMix64) { self.random = random }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int(random.next() % UInt64(values.count))]
    }

    private mutating func isHeads() -> Bool { random.next() % 2 == 0 }

    private mutating func point() -> Point {
        Point(x: Double(random.next() % 170) / 10, y: Double(random.next() % 170) / 10)
    }

    private mutating func addRooms() {
        for number in 0..<3 {
            site.floors.append(
                FloorRecord(
                    id: FloorID("f\(number)"), building: Self.building, ordinal: number,
                    level: "\(number)", visibility: pick([nil, nil, nil, .staff])))
        }
        for number in 0..<12 {
            let (x, y) = (Double(number % 2) * 8, Double(number / 2 % 2) * 8)
            let size = pick([8.0, 8, 4])
            site.rooms.append(
                RoomRecord(
                    id: RoomID("r\(number)"), floor: FloorID("f\(number / 4)"),
                    name: "R\(number)", kind: "room",
                    outline: [[x, y], [x + size, y], [x + size, y + size], [x, y + size]],
                    isRestricted: random.next() % 4 == 0, visibility: pick(Self.words)))
        }
    }

    private mutating func addPoints(_ number: Int) {
        let floor = pick(site.floors).id
        let room = pick(site.rooms)
        site.locations.append(
            LocationRecord(
                id: LocationID("l\(number)"), floor: room.floor,
                room: isHeads() ? room.id : nil, point: point()))
        site.beacons.append(
            SiteBeacon(
                id: BeaconID("n\(number)"), floor: floor, point: point(),
                address: HardwareAddress(value: UInt64(number) + 1)))
        site.scanners.append(
            SiteScanner(id: ScannerID("s\(number)"), floor: floor, point: point()))
    }

    private mutating func stop() -> ConnectionStop {
        let room = pick(site.rooms)
        return ConnectionStop(
            floor: room.floor, room: isHeads() ? room.id : nil, point: point())
    }

    private mutating func addWay(_ number: Int) {
        var (one, other) = (stop(), stop())
        let kind = pick([ConnectionRecord.Kind.door, .walk, .stairs, .lift])
        if kind == .door || kind == .walk {
            let beside = pick(site.rooms.filter { $0.floor == one.floor })
            other.floor = one.floor
            other.room = isHeads() ? beside.id : nil
        } else if one.floor == other.floor {
            one = ConnectionStop(floor: FloorID("f0"), point: one.point)
            other = ConnectionStop(floor: FloorID("f1"), point: other.point)
        }
        let third = ConnectionStop(floor: FloorID("f2"), point: one.point)
        site.connections.append(
            ConnectionRecord(
                id: ConnectionID("c\(number)"), kind: kind,
                stops: [one, other] + (kind == .lift ? [third] : []),
                line: kind == .walk ? [point()] : []))
    }

    private mutating func addZone(_ number: Int) {
        let low = point()
        let rooms = Set([pick(site.rooms).id, pick(site.rooms).id]).sorted { $0.text < $1.text }
        site.zones.append(
            ZoneRecord(
                id: ZoneID("z\(number)"), name: "Z", kind: "z", floor: pick(site.floors).id,
                outline: [low, [low.x + 2, low.y], [low.x, low.y + 2]],
                rooms: isHeads() ? rooms : []))
    }

    private mutating func addTexts(_ number: Int) {
        let places: [PlaceReference] = [
            .room(pick(site.rooms).id), .floor(pick(site.floors).id),
            .location(pick(site.locations).id), .zone(pick(site.zones).id),
            .building(Self.building),
        ]
        site.contents.append(
            ContentRecord(id: ContentID("t\(number)"), place: pick(places), title: "T"))
        let parent = number > 0 ? DirectoryID("d\(number - 1)") : nil
        site.directory.append(
            DirectoryEntry(
                id: DirectoryID("d\(number)"), kind: "k", name: "D", parent: parent,
                places: Array(places.shuffled(using: &random).prefix(number % 3)),
                visibility: pick(Self.words)))
    }

    private mutating func addPlans() {
        let image = MediaReference(
            hash: String(repeating: "a", count: 64), type: "image/png", bytes: 1)
        for floor in site.floors {
            site.floorPlans.append(
                FloorPlanRecord(
                    id: FloorPlanID("p-\(floor.id)"), floor: floor.id, image: image,
                    widthPixels: 10, heightPixels: 10, alignment: .corners([[0, 0], [10, 10]])))
        }
    }
}
