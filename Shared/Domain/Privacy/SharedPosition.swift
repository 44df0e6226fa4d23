public import Events
public import Geometry
public import Site

/// Where somebody last was, for those who have the link to it.
public struct SharedPosition: Hashable, Sendable {
    public var at: Timestamp
    public var state: PositionEstimated.State
    /// Nil outdoors, and where the floor is not known.
    public var floor: FloorID?
    public var place: GeographicPoint?
    public var radiusMetres: Double?
    /// Whether the service told the person that this is in an area that is not for them.
    public var isInStaffArea: Bool
    /// The kind of reader that shares it: who sees a room themselves may be said to be in it.
    public var sharer: Reader

    public init(
        at: Timestamp, state: PositionEstimated.State, floor: FloorID? = nil,
        place: GeographicPoint? = nil, radiusMetres: Double? = nil, isInStaffArea: Bool = false,
        sharer: Reader = .stranger
    ) {
        self.at = at
        self.state = state
        self.floor = floor
        self.place = place
        self.radiusMetres = radiusMetres
        self.isInStaffArea = isInStaffArea
        self.sharer = sharer
    }
}

/// A shared position as everybody sees it who has the link.
public struct ShownPosition: Hashable, Sendable {
    public var at: Timestamp
    public var state: PositionEstimated.State
    public var floor: FloorID?
    public var room: RoomID?
    public var place: GeographicPoint?
    public var radiusMetres: Double?
    /// Whether the room or the floor is left out because it is not for strangers.
    public var isInStaffArea = false

    /// Leaves out all that a stranger of the site may not see.
    ///
    /// A stranger can share any place and look at it. So the answer follows only from what
    /// strangers see, from what the sharer sees, and from what the sharer says. Otherwise the
    /// outline of a hidden room could be found by trying many places.
    ///
    /// - Parameters:
    ///   - strangers: the site as strangers see it.
    ///   - sharers: the site as readers like the sharer see it.
    public init(_ shared: SharedPosition, strangers: SiteIndex, sharers: SiteIndex) {
        (at, state) = (shared.at, shared.state)
        guard state != .lost, let place = shared.place else { return }
        guard let floor = shared.floor else {
            // The service leaves out a hidden floor, and tells of the staff area alone.
            guard !shared.isInStaffArea else {
                isInStaffArea = true
                return
            }
            (self.place, radiusMetres) = (place, shared.radiusMetres)
            return
        }
        // A floor that the site lacks gets the answer of one that is hidden.
        guard let shownFloor = strangers.floorIndex(floor) else {
            isInStaffArea = true
            return
        }
        self.floor = floor
        let point = strangers.frame.point(place)
        let own = sharers.floorIndex(floor)
            .flatMap { sharers.room(at: point, on: $0) }.map { sharers.room($0).id }
        if shared.isInStaffArea || own.map({ strangers.roomIndex($0) == nil }) ?? false {
            isInStaffArea = true
            return
        }
        (self.place, radiusMetres) = (place, shared.radiusMetres)
        // Who is only probably on the floor is in no room.
        guard state == .located else { return }
        room = strangers.room(at: point, on: shownFloor).map { strangers.room($0).id }
    }
}
