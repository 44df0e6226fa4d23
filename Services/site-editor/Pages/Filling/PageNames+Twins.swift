import Events
import Geometry
import Site

/// Tells places of one name apart by what is near, as twins.js does.
extension PageNames {
    /// The places of one name on a floor, or outdoors.
    private struct Named {
        var name: String
        var small: String
        var spots: [(place: PlaceReference, middle: Point)]
    }

    /// A name around a place, and its distance.
    private struct Neighbour {
        var name: String
        var metres: Double

        func isBefore(_ other: Neighbour) -> Bool {
            (metres, name) < (other.metres, other.name)
        }
    }

    /// A place of a list, with the line below its name.
    struct Twin {
        var name: String
        var line: String
        /// Nil for one without a place.
        var place: PlaceReference?
    }

    /// For each place of a list the name that tells it from those of the same name and line. Nil
    /// where there is no other, or no neighbour.
    func near(amongTwins all: [Twin]) -> [String?] {
        var given = [String?](repeating: nil, count: all.count)
        let groups = Dictionary(grouping: all.indices) {
            [all[$0].name.lowercased(), all[$0].line]
        }
        for twins in groups.values where twins.count > 1 {
            for (index, near) in zip(twins, near(twins.map { all[$0] })) { given[index] = near }
        }
        return given
    }

    /// For each of these places the name of the nearest room of its floor, or building outdoors.
    /// The places have one name and one line. Two get the same neighbour only where there is no
    /// other. Nil for a place without a neighbour.
    func near(_ twins: [Twin]) -> [String?] {
        // One line is one floor, but for floors of one name.
        var floors: [FloorID?: [Named]] = [:]
        var pairs: [(twin: Int, neighbour: Neighbour)] = []
        for (number, twin) in twins.enumerated() {
            guard let reference = twin.place, let spot = spot(reference) else { continue }
            let around = floors[spot.floor] ?? named(on: spot.floor)
            floors[spot.floor] = around
            let own = room(of: reference).map { PlaceReference.room($0) } ?? reference
            // More are never needed: at most as many names are taken as there are other twins.
            pairs += nearest(twins.count, in: around, to: spot.point, own: own, twin.name).map {
                (twin: number, neighbour: $0)
            }
        }
        pairs.sort { ($0.neighbour.metres, $0.twin) < ($1.neighbour.metres, $1.twin) }
        var given = [String?](repeating: nil, count: twins.count)
        var taken: Set<String> = []
        for isOnce in [true, false] {
            for (twin, neighbour) in pairs
            where given[twin] == nil && !(isOnce && taken.contains(neighbour.name)) {
                given[twin] = neighbour.name
                taken.insert(neighbour.name)
            }
        }
        return given
    }

    /// The rooms of a floor by their names, or the buildings for nil.
    private func named(on floor: FloorID?) -> [Named] {
        var spots: [String: [(place: PlaceReference, middle: Point)]] = [:]
        func add(_ name: String?, _ place: PlaceReference, _ shape: Ring) {
            guard let name, let middle = shape.polygon?.centroid else { return }
            spots[name, default: []].append((place, middle))
        }
        if let floor {
            for room in index.rooms where room.floor == floor {
                add(ownName(room), .room(room.id), room.outline)
            }
        } else {
            for building in index.document.buildings {
                add(ownName(building), .building(building.id), building.outline)
            }
        }
        return spots.map { Named(name: $0.key, small: $0.key.lowercased(), spots: $0.value) }
    }

    /// The other names around a place, each once, nearest first; at most `most` of them.
    private func nearest(
        _ most: Int, in around: [Named], to point: Point, own: PlaceReference, _ ownName: String
    ) -> [Neighbour] {
        let small = ownName.lowercased()
        var nearest: [Neighbour] = []
        for named in around where named.small != small {
            let metres = named.spots.lazy.filter { $0.place != own }
                .map { $0.middle.distance(to: point) }.min()
            guard let metres else { continue }
            let one = Neighbour(name: named.name, metres: metres)
            if nearest.count == most {
                guard let last = nearest.last, one.isBefore(last) else { continue }
                nearest.removeLast()
            }
            nearest.insert(one, at: nearest.firstIndex { one.isBefore($0) } ?? nearest.count)
        }
        return nearest
    }

    /// The room that the place is, or is in.
    private func room(of reference: PlaceReference) -> RoomID? {
        switch reference {
        case .room(let id): id
        case .location(let id): index.location(id)?.room
        case .building, .floor, .zone: nil
        }
    }
}
