import Events
public import Site

extension SiteDocument {
    /// The same records, those of each kind in the order of their ids: what is left where a format has records
    /// of one kind in several files, and cannot say how they stood.
    public var inOrderOfIDs: SiteDocument {
        var sorted = self
        sorted.buildings.sort { $0.id < $1.id }
        sorted.floors.sort { $0.id < $1.id }
        sorted.floorPlans.sort { $0.id < $1.id }
        sorted.rooms.sort { $0.id < $1.id }
        sorted.locations.sort { $0.id < $1.id }
        sorted.connections.sort { $0.id < $1.id }
        sorted.zones.sort { $0.id < $1.id }
        sorted.beacons.sort { $0.id < $1.id }
        sorted.contents.sort { $0.id < $1.id }
        sorted.directory.sort { $0.id < $1.id }
        sorted.accessPointPlaces.sort { $0.address.value < $1.address.value }
        return sorted
    }
}
