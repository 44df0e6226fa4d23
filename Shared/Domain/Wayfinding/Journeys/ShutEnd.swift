public import Events
import Site

/// The end of a route that is closed when the traveller arrives. The route leads there all the
/// same, since they may wait at the door.
public struct ShutEnd: Hashable, Sendable {
    public enum Place: Hashable, Sendable {
        case room(RoomID)
        /// The entry of the directory that was asked for, if it has opening hours of its own.
        case entry(DirectoryID)
    }

    public enum Cause: Hashable, Sendable {
        /// A value of OpenStreetMap's key `opening_hours`.
        case hours(String)
        /// The outage of the lift or the like whose room the place is.
        case outage(WayOutage)
    }

    public var place: Place
    public var cause: Cause
    /// Whether the traveller is there already.
    public var isReached = false

    public init(_ place: Place, openingHours: String) {
        self.place = place
        cause = .hours(openingHours)
    }

    /// The room of a lift or the like that is out of order.
    public init(_ room: RoomID, outage: WayOutage) {
        place = .room(room)
        cause = .outage(outage)
    }
}

extension RouteJourney {
    /// The closed place at an end of the query; nil where it is open or its hours are not known.
    ///
    /// - Parameter isReached: whether the traveller is there already.
    func shutEnd(
        _ destination: Int, _ room: RoomIndex?, at arrival: Timestamp, isReached: Bool
    ) -> ShutEnd? {
        func end(_ place: ShutEnd.Place, _ text: String) -> ShutEnd? {
            let isOpen =
                OpeningHours(text)?.isOpen(at: arrival, utcOffsetSeconds: query.utcOffsetSeconds)
            guard isOpen == false else { return nil }
            var end = ShutEnd(place, openingHours: text)
            end.isReached = isReached
            return end
        }
        // Travel times have ends that the query does not name, and do not say this.
        guard !query.to.isEmpty else { return nil }
        if query.to.indices.contains(destination), case .entry(let id) = query.to[destination],
            let hours = network.site.document.directory.first(where: { $0.id == id })?.openingHours
        {
            return end(.entry(id), hours)
        }
        guard let index = room else { return nil }
        let room = network.site.room(index)
        if let outage = outage(in: index, at: arrival) {
            return ShutEnd(room.id, outage: outage)
        }
        return room.openingHours.flatMap { end(.room(room.id), $0) }
    }

    /// The outage of a room of a lift or the like, if all that stop in it are out of order.
    private func outage(in room: RoomIndex, at moment: Timestamp) -> WayOutage? {
        var first: WayOutage?
        for stop in network.stops(in: room) {
            guard let outage = closures.outage(of: stop.connection, at: moment) else { return nil }
            first = first ?? outage
        }
        return first
    }
}
