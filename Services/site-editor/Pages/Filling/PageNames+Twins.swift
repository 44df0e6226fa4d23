import Events
import Geometry
import Site
import Wire

/// Places of one name are told apart by what is near, as twins.js does it.
extension PageNames {
    /// A name around a place, and its distance.
    private struct Neighbour {
        var name: String
        var metres: Double
    }

    /// For each of these places the name of the nearest room of its floor, or building outdoors.
    /// The places have one name and one line. Two get the same neighbour only where there is no
    /// other. Nil for a place without a neighbour.
    func near(_ twins: [FoundPlace]) -> [String?] {
        var pairs: [(twin: Int, neighbour: Neighbour)] = []
        for (number, twin) in twins.enumerated() {
            // More are never needed: at most as many names are taken as there are other twins.
            let found = neighbours(of: twin).prefix(twins.count)
            pairs += found.map { (twin: number, neighbour: $0) }
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

    /// The other names around a place, each once, nearest first.
    private func neighbours(of twin: FoundPlace) -> [Neighbour] {
        guard let reference = reference(twin), let spot = spot(reference) else { return [] }
        let own = twin.name.lowercased()
        var metres: [String: Double] = [:]
        func consider(_ name: String?, _ shape: Ring) {
            guard let name, name.lowercased() != own, let middle = shape.polygon?.centroid else {
                return
            }
            metres[name] = min(metres[name] ?? .infinity, middle.distance(to: spot.point))
        }
        if let floor = spot.floor {
            let room = room(of: reference)
            for other in index.rooms where other.floor == floor && other.id != room {
                consider(ownName(other), other.outline)
            }
        } else {
            for building in index.document.buildings where reference != .building(building.id) {
                consider(ownName(building), building.outline)
            }
        }
        return metres.map { Neighbour(name: $0.key, metres: $0.value) }
            .sorted { ($0.metres, $0.name) < ($1.metres, $1.name) }
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
