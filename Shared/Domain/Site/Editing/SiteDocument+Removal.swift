import Events

extension SiteDocument {
    /// Removes the thing; with cascade also what can't be without it.
    ///
    /// A connection goes with a place that it leads to, but a lift that still has two stops only
    /// loses the stop. Zones and directory entries lose the place and stay, unless nothing of a zone
    /// is left. Entries below a removed entry come to the top.
    mutating func remove(
        _ thing: SiteThing, isCascading: Bool, at moment: Timestamp
    ) throws(SiteRefusal) {
        guard contains(thing) else { throw .unknown(thing) }
        if !isCascading {
            let dependents = dependents(of: thing)
            guard dependents.isEmpty else { throw .stillNamed(thing, by: dependents) }
            take(thing)
            return
        }
        if let discards = surveyDiscards(of: thing, before: moment) { add(discards) }
        cut(thing, at: moment)
    }

    private mutating func cut(_ thing: SiteThing, at moment: Timestamp) {
        switch thing {
        case .building(let id):
            for floor in floors where floor.building == id {
                add(surveyDiscards(of: .floor(floor.id), before: moment) ?? [])
                cut(.floor(floor.id), at: moment)
            }
        case .floor(let id):
            for room in rooms where room.floor == id { cut(.room(room.id), at: moment) }
            for location in locations where location.floor == id {
                cut(.location(location.id), at: moment)
            }
            cutConnections { $0.floor == id }
            floorPlans.removeAll { $0.floor == id }
            beacons.removeAll { $0.floor == id }
            accessPointPlaces.removeAll { $0.floor == id }
            for zone in zones where zone.floor == id { cut(.zone(zone.id), at: moment) }
        case .room(let id):
            for location in locations where location.room == id {
                cut(.location(location.id), at: moment)
            }
            cutConnections { $0.room == id }
            cutRoomFromZones(id, at: moment)
        case .directoryEntry(let id):
            for index in directory.indices where directory[index].parent == id {
                directory[index].parent = nil
            }
        default: break
        }
        if let place = thing.place {
            contents.removeAll { $0.place == place }
            for index in directory.indices { directory[index].places.removeAll { $0 == place } }
        }
        take(thing)
    }

    private mutating func cutConnections(_ isGone: (ConnectionStop) -> Bool) {
        connections = connections.compactMap { connection in
            guard connection.stops.contains(where: isGone) else { return connection }
            guard connection.kind == .lift || connection.kind == .platformLift else { return nil }
            var left = connection
            left.stops.removeAll(where: isGone)
            return Set(left.stops.map(\.floor)).count > 1 ? left : nil
        }
    }

    private mutating func cutRoomFromZones(_ room: RoomID, at moment: Timestamp) {
        for index in zones.indices { zones[index].rooms.removeAll { $0 == room } }
        for zone in zones where zone.rooms.isEmpty && zone.outline.isEmpty {
            cut(.zone(zone.id), at: moment)
        }
    }

    private mutating func take(_ thing: SiteThing) {
        switch thing {
        case .building: buildings.removeAll { $0.thing == thing }
        case .floor: floors.removeAll { $0.thing == thing }
        case .floorPlan: floorPlans.removeAll { $0.thing == thing }
        case .room: rooms.removeAll { $0.thing == thing }
        case .location: locations.removeAll { $0.thing == thing }
        case .connection: connections.removeAll { $0.thing == thing }
        case .zone: zones.removeAll { $0.thing == thing }
        case .beacon: beacons.removeAll { $0.thing == thing }
        case .accessPoint: accessPointPlaces.removeAll { $0.thing == thing }
        case .content: contents.removeAll { $0.thing == thing }
        case .directoryEntry: directory.removeAll { $0.thing == thing }
        }
    }
}
