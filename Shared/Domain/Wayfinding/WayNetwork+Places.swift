import Events
import Geometry
import Site

extension WayNetwork {
    /// The rooms, locations and points that an entry of the directory, a zone or a building stands
    /// for; none for other places and for what the site does not have.
    func places(of place: RoutePlace) -> [RoutePlace] {
        switch place {
        case .entry(let id):
            let entry = site.document.directory.first { $0.id == id }
            return (entry?.places ?? []).flatMap(places)
        case .zone(let id): return places(of: PlaceReference.zone(id))
        case .building(let id): return places(of: PlaceReference.building(id))
        case .room, .location, .point, .geographic, .kind: return []
        }
    }

    private func places(of reference: PlaceReference) -> [RoutePlace] {
        switch reference {
        case .room(let id): [.room(id)]
        case .location(let id): [.location(id)]
        case .floor(let id):
            site.rooms.filter { $0.floor == id && !$0.isRestricted }.map { .room($0.id) }
        case .building(let id): entrances(of: id)
        case .zone(let id):
            site.document.zones.first { $0.id == id }.map { zone in
                if !zone.rooms.isEmpty { return zone.rooms.map { .room($0) } }
                let outline = Polygon(zone.outline.map { Point(x: $0[0], y: $0[1]) })
                return outline.map { [.point(floor: zone.floor, $0.centroid)] } ?? []
            } ?? []
        }
    }

    /// Inside of each door between outdoors and a floor of the building; where there is none, its
    /// rooms on the ground.
    private func entrances(of building: BuildingID) -> [RoutePlace] {
        let floors = Set(site.floors.filter { $0.building == building }.map(\.id))
        let doors = site.document.connections.flatMap { record -> [RoutePlace] in
            guard record.kind == .door, record.stops.contains(where: { $0.floor == nil }) else {
                return []
            }
            return record.stops.compactMap { stop in
                guard let floor = stop.floor, floors.contains(floor) else { return nil }
                return stop.room.map { .room($0) }
                    ?? .point(floor: floor, Point(x: stop.x, y: stop.y))
            }
        }
        if !doors.isEmpty { return doors }
        let ground = Set(
            site.floors.filter { $0.building == building && $0.ordinal == 0 }.map(\.id))
        return site.rooms.filter { ground.contains($0.floor) }.map { .room($0.id) }
    }
}
