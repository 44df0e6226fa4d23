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
    /// A disabled feed needs none that fits. A room may go from the site while a feed has it, and
    /// then the feed's other settings can still be changed.
    ///
    /// - Parameters:
    ///   - former: the feed before this change. Its settings are not checked again, unless it was
    ///     disabled.
    ///   - isZone: tells whether a text is an IANA zone.
    public func misfit(
        in site: SiteDocument, after former: TimetableFeed? = nil,
        isZone: (_ name: String) -> Bool
    ) -> FeedMisfit? {
        guard isEnabled else { return nil }
        let former = former?.isEnabled == true ? former : nil
        if let building, building != former?.building,
            !site.buildings.contains(where: { $0.id == building })
        {
            return .buildingUnknown(building)
        }
        if let room, room != former?.room, !site.rooms.contains(where: { $0.id == room }) {
            return .roomUnknown(room)
        }
        if let timeZone, timeZone != former?.timeZone, !isZone(timeZone) {
            return .zoneUnknown(timeZone)
        }
        return nil
    }
}
