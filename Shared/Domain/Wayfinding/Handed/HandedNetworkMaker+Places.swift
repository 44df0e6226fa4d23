import Events
import Site

extension HandedNetworkMaker {
    /// Adds what stands for several rooms, by the words of an address.
    mutating func addPlaces() {
        let document = network.site.document
        for entry in document.directory { add("directory:\(entry.id)", .entry(entry.id)) }
        for location in document.locations {
            add("location:\(location.id)", .location(location.id))
        }
        for zone in document.zones { add("zone:\(zone.id)", .zone(zone.id)) }
        for floor in network.site.floors { add("floor:\(floor.id)", .floor(floor.id)) }
        for building in document.buildings {
            add("building:\(building.id)", .building(building.id))
        }
        let kinds = Set(network.site.rooms.map { PlaceKind($0.kind).base })
            .union(network.entriesOfKind.keys).union(network.stopsOfKind.keys)
        // Platform lifts are lifts, too.
        let served = kinds.contains(PlaceKind.platformLift) ? kinds.union([PlaceKind.lift]) : kinds
        for kind in served.sorted() where !kind.isEmpty { add("kind:\(kind)", .kind(kind)) }
    }

    private mutating func add(_ name: String, _ place: RoutePlace) {
        var found = HandedNetwork.Place(name: name)
        var single = network.places(of: place)
        if single.isEmpty { single = [place] }
        for one in single { add(one, to: &found) }
        for stop in network.stops(of: place) { add(stop.node, to: &found) }
        if !found.rooms.isEmpty || !found.nodes.isEmpty { add(found) }
    }

    private func add(_ place: RoutePlace, to found: inout HandedNetwork.Place) {
        switch place {
        case .room(let id): add(network.site.roomIndex(id), to: &found)
        case .location(let id):
            guard let location = network.site.location(id) else { return }
            let room = location.room.flatMap { network.site.roomIndex($0) }
            let around = network.site.floorIndex(location.floor).flatMap {
                network.site.room(at: location.point, on: $0)
            }
            add(room ?? around, to: &found)
        case .point(let floor, let point, _):
            let level = floor.flatMap { network.site.floorIndex($0) }
            add(level.flatMap { network.site.room(at: point, on: $0) }, to: &found)
        case .building(let id):
            for way in network.waysOut(of: id) { add(way.inside, to: &found) }
        case .geographic, .kind, .entry, .zone, .entrance, .floor: break
        }
    }

    private func add(_ stop: NodeIndex, to found: inout HandedNetwork.Place) {
        if let node = known(stop), !found.nodes.contains(node) { found.nodes.append(node) }
    }

    private func add(_ room: RoomIndex?, to found: inout HandedNetwork.Place) {
        guard let number = room.flatMap({ roomOfIndex[$0] }), !found.rooms.contains(number) else {
            return
        }
        found.rooms.append(number)
    }
}
