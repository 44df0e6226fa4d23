public import Events

/// The places of a site that may be named to a reader, in answers made of what is stored of it.
///
/// Strangers are shown a place only if the site as it is now has it and shows it to them. Others
/// are shown removed places, too.
public struct PlaceSight: Sendable {
    private let reader: Reader
    private let seen: SiteIndex?
    private let whole: SiteIndex?

    /// - Parameter site: nil for a site that is not published, or can't be read.
    public init(_ reader: Reader, at site: PublishedSite?) {
        self.reader = reader
        seen = site?.seen(by: reader).index
        whole = site?.index
    }

    /// Whether every place may be named.
    public var isUnlimited: Bool {
        reader == .editor || reader == .staff && (seen == nil || seen === whole)
    }

    public func shows(_ floor: FloorID) -> Bool {
        floor == Self.outdoors
            || shows(seen?.floorIndex(floor) != nil, whole?.floorIndex(floor) != nil)
    }

    public func shows(_ room: RoomID) -> Bool {
        shows(seen?.roomIndex(room) != nil, whole?.roomIndex(room) != nil)
    }

    /// The floor of positions in the open.
    private static let outdoors = FloorID("outdoors")

    /// Whether a building, a room or a zone that a device visited may be named.
    public func shows(_ zone: Zone) -> Bool {
        switch zone.kind {
        case .building: true
        case .room: shows(RoomID(zone.id.text))
        case .zone:
            isUnlimited
                || shows(Self.hasZone(seen, zone.id), Self.hasZone(whole, zone.id))
        }
    }

    /// Whether the site has a building, a room or a zone of this id, and none that is for the
    /// reader.
    public func hides(_ id: ZoneID) -> Bool {
        !isUnlimited && Self.has(whole, id) && !Self.has(seen, id)
    }

    private static func has(_ site: SiteIndex?, _ id: ZoneID) -> Bool {
        guard let site else { return false }
        return site.roomIndex(RoomID(id.text)) != nil
            || site.building(BuildingID(id.text)) != nil || hasZone(site, id)
    }

    private static func hasZone(_ site: SiteIndex?, _ id: ZoneID) -> Bool {
        site?.document.zones.contains { $0.id == id } ?? false
    }

    /// Whether a group of beacons may be named: one of its beacons is shown.
    public func shows(_ group: BeaconGroupID) -> Bool {
        func has(_ site: SiteIndex?) -> Bool {
            site?.document.beacons.contains { $0.group == group } ?? false
        }
        return isUnlimited || shows(has(seen), has(whole))
    }

    public func shows(_ connection: ConnectionID) -> Bool {
        func has(_ site: SiteIndex?) -> Bool {
            site?.document.connections.contains { $0.id == connection } ?? false
        }
        return isUnlimited || shows(has(seen), has(whole))
    }

    private func shows(_ isSeen: Bool, _ isInSite: Bool) -> Bool {
        switch reader {
        case .editor: true
        case .staff: isSeen || !isInSite
        case .stranger: isSeen
        }
    }

    /// The position without the room, the rooms and the floor that may not be named.
    public func position(_ position: PositionEstimated) -> PositionEstimated {
        guard !isUnlimited else { return position }
        var shown = position
        let isFloorShown = position.floor.map(shows) ?? true
        shown.rooms.removeAll { !isFloorShown || !shows($0.id) }
        if let room = position.room, !isFloorShown || !shows(room) {
            shown.room = nil
            if whole?.roomIndex(room) != nil { shown.area = area }
        }
        if !isFloorShown {
            if let floor = position.floor, whole?.floorIndex(floor) != nil { shown.area = area }
            shown.floor = nil
        }
        return shown
    }

    /// A stranger does not learn whether it is the staff's or hidden from them, too.
    private var area: PositionEstimated.Area { reader == .stranger ? .staff : .hidden }
}
