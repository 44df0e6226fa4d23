public import Events

/// A place of a site: a record that has a position.
public enum PlaceReference: Hashable, Sendable {
    case building(BuildingID)
    case floor(FloorID)
    case room(RoomID)
    case location(LocationID)
    case zone(ZoneID)
}

extension PlaceReference {
    /// The record that the reference names.
    public var thing: SiteThing {
        switch self {
        case .building(let id): .building(id)
        case .floor(let id): .floor(id)
        case .room(let id): .room(id)
        case .location(let id): .location(id)
        case .zone(let id): .zone(id)
        }
    }
}
