import Events

extension SiteDocument {
    /// What names the thing, and so would be left hanging without it, in the order of the document.
    public func dependents(of thing: SiteThing) -> [SiteThing] {
        var found: [SiteThing] = []
        func collect<Record: SiteRecord>(_ records: [Record], _ names: (Record) -> Bool) {
            found += records.filter(names).map(\.thing)
        }
        switch thing {
        case .building(let id): collect(floors) { $0.building == id }
        case .floor(let id):
            collect(floorPlans) { $0.floor == id }
            collect(rooms) { $0.floor == id }
            collect(locations) { $0.floor == id }
            collect(connections) { $0.stops.contains { $0.floor == id } }
            collect(zones) { $0.floor == id }
            collect(beacons) { $0.floor == id }
            collect(accessPointPlaces) { $0.floor == id }
        case .room(let id):
            collect(locations) { $0.room == id }
            collect(connections) { $0.stops.contains { $0.room == id } }
            collect(zones) { $0.rooms.contains(id) }
        case .directoryEntry(let id): collect(directory) { $0.parent == id }
        default: break
        }
        if let place = thing.place {
            collect(contents) { $0.place == place }
            collect(directory) { $0.places.contains(place) }
        }
        return found
    }

    /// Whether the document has the thing.
    public func contains(_ thing: SiteThing) -> Bool {
        switch thing {
        case .building: has(buildings, thing)
        case .floor: has(floors, thing)
        case .floorPlan: has(floorPlans, thing)
        case .room: has(rooms, thing)
        case .location: has(locations, thing)
        case .connection: has(connections, thing)
        case .zone: has(zones, thing)
        case .beacon: has(beacons, thing)
        case .accessPoint: has(accessPointPlaces, thing)
        case .content: has(contents, thing)
        case .directoryEntry: has(directory, thing)
        }
    }

    private func has(_ records: [some SiteRecord], _ thing: SiteThing) -> Bool {
        records.contains { $0.thing == thing }
    }
}
