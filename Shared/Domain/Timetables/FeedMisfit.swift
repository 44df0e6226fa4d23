public import Events
public import Site

/// A setting of a feed that does not fit its site.
public enum FeedMisfit: Hashable, Sendable {
    case buildingUnknown(BuildingID)
    case roomUnknown(RoomID)
    /// It is no IANA zone.
    case zoneUnknown(String)
}

extension TimetableFeed {
    /// The first setting that does not fit; nil where all do.
    ///
    /// - Parameter isZone: tells whether a text is an IANA zone.
    public func misfit(
        in site: SiteDocument, isZone: (_ name: String) -> Bool
    ) -> FeedMisfit? {
        if let building, !site.buildings.contains(where: { $0.id == building }) {
            return .buildingUnknown(building)
        }
        if let room, !site.rooms.contains(where: { $0.id == room }) { return .roomUnknown(room) }
        if let timeZone, !isZone(timeZone) { return .zoneUnknown(timeZone) }
        return nil
    }
}
