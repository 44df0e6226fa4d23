import Events
import Geometry
import Site

/// A stop of a lift, stairs, an escalator or a ramp at which a route may end.
struct WayStop: Hashable {
    /// The index of the connection.
    var connection: Int
    var node: NodeIndex
}

/// A stop with what it needs to be found by its kind.
struct PlacedStop {
    var stop: WayStop
    /// The room that the stop names, or else that is around it.
    var room: RoomIndex?
    /// Whether it is the end of a one-way connection, where nobody enters.
    var isEnd: Bool
}

extension WayNetwork {
    /// The places of a directory entry, a kind, a zone or a floor. Empty for other places, and for
    /// records that the site does not have.
    func places(of place: RoutePlace) -> [RoutePlace] {
        switch place {
        case .entry(let id):
            let entry = site.document.directory.first { $0.id == id }
            return (entry?.places ?? []).flatMap(places)
        case .kind(let kind, let isAccessible):
            return places(ofKind: PlaceKind(kind), isAccessible: isAccessible)
        case .zone(let id): return places(of: PlaceReference.zone(id))
        case .floor(let id): return places(of: PlaceReference.floor(id))
        case .room, .location, .point, .geographic, .building, .entrance: return []
        }
    }

    private func places(of reference: PlaceReference) -> [RoutePlace] {
        switch reference {
        case .room(let id): [.room(id)]
        case .location(let id): [.location(id)]
        case .floor(let id):
            site.rooms.filter { $0.floor == id && !$0.isRestricted }.map { .room($0.id) }
        case .building(let id): [.building(id)]
        case .zone(let id):
            site.document.zones.first { $0.id == id }.map { zone in
                if !zone.rooms.isEmpty { return zone.rooms.map { .room($0) } }
                return zone.outline.polygon.map { [.point(floor: zone.floor, $0.centroid)] } ?? []
            } ?? []
        }
    }

    /// Rooms of the kind, and the places of directory entries of that kind, each once.
    ///
    /// With `isAccessible`, only those that are stated to be accessible. If there are none, and no
    /// such stops, those that are not stated to be inaccessible.
    private func places(ofKind kind: PlaceKind, isAccessible: Bool) -> [RoutePlace] {
        let found = records(ofKind: kind)
        guard isAccessible else { return found.map(\.place) }
        let isStated =
            found.contains { $0.accessible == .yes }
            || accessibleStops(ofKind: kind).contains { record($0.connection).accessible == .yes }
        return found.filter { isStated ? $0.accessible == .yes : $0.accessible != .no }
            .map(\.place)
    }

    private func records(
        ofKind kind: PlaceKind
    ) -> [(place: RoutePlace, accessible: Accessibility)] {
        var found: [(place: RoutePlace, accessible: Accessibility)] = []
        var known: Set<RoutePlace> = []
        func add(_ place: RoutePlace, _ accessible: Accessibility) {
            if known.insert(place).inserted { found.append((place, accessible)) }
        }
        for room in rooms(ofKind: kind) {
            add(.room(site.room(room).id), site.room(room).accessible)
        }
        for entry in kind.servingBases.flatMap({ entriesOfKind[$0] ?? [] }) {
            let own = PlaceKind(entry.kind)
            guard own.satisfies(kind) else { continue }
            for place in entry.places.flatMap(places) {
                add(place, own.qualifiers.contains("wheelchair") ? .yes : accessible(place))
            }
        }
        return found
    }

    /// Where a lift, stairs, an escalator or a ramp of a kind is entered, in the order of the
    /// connections. Platform lifts come after other lifts. A stop in a room of that kind is left
    /// out, since the room is the place. Empty for other places.
    ///
    /// Accessible ones are chosen as in `places`. Stairs and escalators are never accessible.
    func stops(of place: RoutePlace) -> [WayStop] {
        guard case .kind(let word, let isAccessible) = place else { return [] }
        let kind = PlaceKind(word)
        guard isAccessible else { return stops(ofKind: kind) }
        let found = accessibleStops(ofKind: kind)
        let isStated =
            found.contains { record($0.connection).accessible == .yes }
            || records(ofKind: kind).contains { $0.accessible == .yes }
        return isStated ? found.filter { record($0.connection).accessible == .yes } : found
    }

    /// Those that are not inaccessible.
    private func accessibleStops(ofKind kind: PlaceKind) -> [WayStop] {
        guard kind.base != PlaceKind.stairs, kind.base != PlaceKind.escalator else { return [] }
        return stops(ofKind: kind).filter { record($0.connection).accessible != .no }
    }

    private func stops(ofKind kind: PlaceKind) -> [WayStop] {
        guard kind.qualifiers.isEmpty else { return [] }
        return placedStops(ofKind: kind).filter { placed in
            !placed.isEnd && !isRoom(placed.room, ofKind: kind)
        }.map(\.stop)
    }

    /// The stops of lifts and the like in the rooms that are of the same kind. Where none of a
    /// room's can be entered, the room is no lift to go to. Empty for places that are no kind.
    func stopsInRooms(of place: RoutePlace) -> [RoomID: [WayStop]] {
        guard case .kind(let word, _) = place else { return [:] }
        let kind = PlaceKind(word)
        var stops: [RoomID: [WayStop]] = [:]
        for placed in placedStops(ofKind: kind) {
            guard let room = placed.room, isRoom(room, ofKind: kind) else { continue }
            stops[site.room(room).id, default: []].append(placed.stop)
        }
        return stops
    }

    private func isRoom(_ room: RoomIndex?, ofKind kind: PlaceKind) -> Bool {
        room.map { PlaceKind(site.room($0).kind).satisfies(kind) } ?? false
    }

    /// The stops of lifts and the like in a room of the same kind; empty for other rooms.
    func stops(in room: RoomIndex) -> [WayStop] {
        let kind = PlaceKind(PlaceKind(site.room(room).kind).base)
        return placedStops(ofKind: kind).filter { $0.room == room }.map(\.stop)
    }

    /// The stops that serve who asks for the kind, in the order of the connections.
    private func placedStops(ofKind kind: PlaceKind) -> [PlacedStop] {
        kind.servingBases.flatMap { stopsOfKind[$0] ?? [] }
    }

    /// The stops of a site's lifts and the like by the base of their kind.
    ///
    /// - Parameter nodes: the node of each stop of each connection.
    static func stopsOfKind(
        in site: SiteIndex, _ nodes: [[NodeIndex]]
    ) -> [String: [PlacedStop]] {
        func room(at stop: ConnectionStop) -> RoomIndex? {
            stop.floor.flatMap { site.floorIndex($0) }.flatMap { site.room(at: stop.point, on: $0) }
        }
        var stops: [String: [PlacedStop]] = [:]
        for (connection, record) in site.document.connections.enumerated() {
            guard let kind = PlaceKind(record.kind) else { continue }
            stops[kind.base, default: []] += record.stops.enumerated().map { number, stop in
                PlacedStop(
                    stop: WayStop(connection: connection, node: nodes[connection][number]),
                    room: stop.room.flatMap { site.roomIndex($0) } ?? room(at: stop),
                    isEnd: record.isOneWay && number == record.stops.count - 1)
            }
        }
        return stops
    }

    /// The nodes where a traveller may enter the connection and go on by it. A lift whose rides are
    /// all closed has none.
    func entries(of connection: Int, isUsable: (ArcIndex) -> Bool) -> Set<NodeIndex> {
        let open = arcsOfConnection[connection].filter(isUsable)
        let rides = open.filter { arcs[$0.value].course == .ride }
        let cars = Set(rides.map { graph.arcs[$0.value].tail })
        var nodes: Set<NodeIndex> = []
        for arc in open {
            let ends = graph.arcs[arc.value]
            switch arcs[arc.value].course {
            case .ride, .alight: continue
            case .board: if cars.contains(ends.head) { nodes.insert(ends.tail) }
            case .along, .through, .step, .inside: nodes.insert(ends.tail)
            }
        }
        return nodes
    }

    private func accessible(_ place: RoutePlace) -> Accessibility {
        switch place {
        case .room(let id): site.room(id)?.accessible ?? .unknown
        case .location(let id):
            site.location(id)?.room.flatMap { site.room($0) }?.accessible ?? .unknown
        default: .unknown
        }
    }

    /// The floor with that level on its sign, or else of that ordinal. If there are several, the
    /// one whose rooms are nearest.
    ///
    /// - Parameter point: metres in the site's frame.
    func floor(withSign sign: String, near point: Point) -> FloorIndex? {
        let floors = site.floors
        let signed = floors.indices.filter { floors[$0].level == sign }
        let candidates =
            signed.isEmpty
            ? floors.indices.filter { String(floors[$0].ordinal) == sign } : signed
        func distance(_ floor: Int) -> Double {
            let rooms = spaces.lazy.filter { $0.floor.value == floor }
            return rooms.compactMap { $0.space?.outline.distance(from: point) }.min() ?? .infinity
        }
        if candidates.count < 2 { return candidates.first.map { FloorIndex($0) } }
        return candidates.map { ($0, distance($0)) }.min { $0.1 < $1.1 }.map { FloorIndex($0.0) }
    }
}
