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

    public var place: Place
    /// A value of OpenStreetMap's key `opening_hours`.
    public var openingHours: String

    public init(_ place: Place, openingHours: String) {
        self.place = place
        self.openingHours = openingHours
    }
}

extension RouteJourney {
    /// The closed place at an end of the query; nil where it is open or its hours are not known.
    func shutEnd(_ destination: Int, _ room: RoomIndex?, at arrival: Timestamp) -> ShutEnd? {
        func end(_ place: ShutEnd.Place, _ text: String) -> ShutEnd? {
            let isOpen =
                OpeningHours(text)?.isOpen(at: arrival, utcOffsetSeconds: query.utcOffsetSeconds)
            return isOpen == false ? ShutEnd(place, openingHours: text) : nil
        }
        // Travel times have ends that the query does not name, and do not say this.
        guard !query.to.isEmpty else { return nil }
        if query.to.indices.contains(destination), case .entry(let id) = query.to[destination],
            let hours = network.site.document.directory.first(where: { $0.id == id })?.openingHours
        {
            return end(.entry(id), hours)
        }
        guard let room = room.map({ network.site.room($0) }), let hours = room.openingHours else {
            return nil
        }
        return end(.room(room.id), hours)
    }
}
