import Events
import Geometry
import Site

/// The connected parts of a site's connections, found by joining one after the other.
struct SitePieces {
    /// A place where connections meet: a point on a floor, or a room.
    private enum Place: Hashable {
        case point(floor: FloorID?, x: Double, y: Double)
        case room(RoomID)
        /// The side of a door in a room. A person there is in the room, and not past the door.
        case doorway(ConnectionID, RoomID)
    }

    private var parents: [Place: Place] = [:]
    private var places: [ConnectionID: Place] = [:]

    init(_ document: SiteDocument, where isUsed: (ConnectionRecord) -> Bool = { _ in true }) {
        for connection in document.connections where isUsed(connection) {
            let stops = connection.stops.map { stop -> Place in
                let place: Place
                if connection.kind == .door, let room = stop.room {
                    place = .doorway(connection.id, room)
                } else {
                    place = .point(floor: stop.floor, x: stop.point.x, y: stop.point.y)
                }
                if let room = stop.room { join(place, .room(room)) }
                return place
            }
            for stop in stops.dropFirst() { join(stops[0], stop) }
            places[connection.id] = stops[0]
        }
    }

    /// The number of connections of each part, the largest first.
    var sizes: [Int] {
        var copy = self
        var counts: [Place: Int] = [:]
        for place in places.values { counts[copy.root(place), default: 0] += 1 }
        return counts.values.sorted(by: >)
    }

    mutating func areJoined(_ first: ConnectionID, _ second: ConnectionID) -> Bool {
        guard let one = places[first], let other = places[second] else { return false }
        return root(one) == root(other)
    }

    mutating func isJoined(_ connection: ConnectionID, to room: RoomID) -> Bool {
        guard let place = places[connection] else { return false }
        return root(place) == root(.room(room))
    }

    private mutating func root(_ place: Place) -> Place {
        var place = place
        while let parent = parents[place] {
            if let grand = parents[parent] { parents[place] = grand }
            place = parent
        }
        return place
    }

    private mutating func join(_ first: Place, _ second: Place) {
        let (one, other) = (root(first), root(second))
        if one != other { parents[one] = other }
    }
}
