public import Events

/// Something of a site that has a place.
public enum PlaceReference: Hashable, Sendable {
    case building(BuildingID)
    case floor(FloorID)
    case room(RoomID)
    case location(LocationID)
    case zone(ZoneID)
}
