import Events
import Geometry
import Site

extension SiteAssembly {
    /// Adds shops, offices and the like to the directory. Their places are the rooms that they are
    /// drawn as or are in, a point of a hall, or the building around them.
    mutating func addDirectory() {
        var roomsOfArea: [String: [RoomID]] = [:]
        let known = buildingIDs
        for room in rooms.rooms { roomsOfArea[room.area.id, default: []].append(room.id) }
        // Areas come first: a node within an area is often the same shop.
        for thing in contents.things {
            guard case .area(let outline, let ids) = thing.place else { continue }
            let buildings = ids.filter { known.contains(BuildingID($0)) }
            var places = ids.flatMap { roomsOfArea[$0] ?? [] }.map(PlaceReference.room)
            if places.isEmpty { places = buildings.map { .building(BuildingID($0)) } }
            if places.isEmpty, let polygon = try? nodes.outline(outline) {
                places = self.places(of: thing, at: polygon.innerPoint.roundedToMillimetres)
            }
            add(thing, at: places)
        }
        let madeRooms = Set(roomRecords.map(\.id))
        for thing in contents.things {
            guard case .stated(let places) = thing.place else { continue }
            add(
                thing,
                at: places.filter { place in
                    switch place {
                    case .room(let id): madeRooms.contains(id)
                    case .building(let id): known.contains(id)
                    case .floor(let id): contents.own.floors[id] != nil
                    case .location, .zone: false
                    }
                }, isOwn: true)
        }
        for thing in contents.things {
            guard case .node(let node) = thing.place, let point = nodes.point(node) else {
                continue
            }
            add(thing, at: places(of: thing, at: point))
        }
    }

    private mutating func add(
        _ thing: MapThing, at places: [PlaceReference], isOwn: Bool = false
    ) {
        guard !places.isEmpty else { return count("thingsWithoutPlace", thing.id) }
        // The first place is enough to recognise a repeated thing.
        let sign = "\(places[0]) \(thing.kind) \(thing.name)"
        guard signs.insert(sign).inserted || isOwn else { return }
        guard directory.count < DirectoryEntry.kind.most, isWellFormedIdentifier(thing.id) else {
            report.note(thing.id, .notListed, "the directory is full")
            return
        }
        directory.append(thing.entry(at: Array(places.prefix(SiteLimits.placesPerThing))))
        report.count("directoryEntries")
    }

    /// The places of a thing without a room of its own, on its tagged levels or else at ground
    /// level. A level without floors here counts as outdoors.
    private mutating func places(of thing: MapThing, at point: Point) -> [PlaceReference] {
        let tagged = thing.facts.tags["level"].flatMap(MapLevels.read)
        var places: [PlaceReference] = []
        for level in tagged ?? [.ground] {
            guard let floor = floors.knownFloor(level, at: point) else { continue }
            if let room = rooms.room(at: point, on: floor) {
                if !rooms.rooms[room].isOpen {
                    places.append(.room(rooms.rooms[room].id))
                } else {
                    add(thing, point, floor, rooms.rooms[room].id, level, to: &places)
                }
            } else if tagged != nil {
                add(thing, point, floor, nil, level, to: &places)
            }
        }
        if places.isEmpty, let building = floors.building(at: point) {
            places = [.building(building)]
        }
        return places
    }

    private mutating func add(
        _ thing: MapThing, _ point: Point, _ floor: FloorID, _ room: RoomID?, _ level: MapLevel,
        to places: inout [PlaceReference]
    ) {
        let id = LocationID(places.isEmpty ? thing.id : "\(thing.id)-l\(level.text)")
        guard isWellFormedIdentifier(id.text), locations.count < LocationRecord.kind.most else {
            return
        }
        locations.append(
            LocationRecord(id: id, floor: floor, room: room, point: point))
        places.append(.location(id))
    }
}
