public import Events
import Geometry
public import Site

/// The place of a barrier, as a reporter names it.
public enum BarrierPlace: Hashable, Sendable {
    case connection(ConnectionID)
    /// The room's only connection that suits the kind.
    case room(RoomID)
    /// The nearest connection that suits the kind; without a floor outdoors.
    case metres(floor: FloorID?, x: Double, y: Double)
    case geographic(floor: FloorID?, latitude: Double, longitude: Double)
}

/// The reason why a barrier could not be put on a connection.
public enum BarrierPlaceFault: Error, Hashable, Sendable {
    case unknownConnection(ConnectionID)
    case unsuited(ConnectionID, BarrierKind)
    case unknownRoom(RoomID)
    case unknownFloor(FloorID)
    /// So many connections of the room suit the kind.
    case notOnlyOne(Int, RoomID, BarrierKind)
    case nothingNear(BarrierKind)
}

/// Finds the connection of a barrier in the site as its reporter sees it.
public struct BarrierGround: Sendable {
    /// A tap on a plan is seldom farther off.
    public static let reachMetres = 15.0
    /// Two people who tap at the same barrier rarely differ by more.
    static let sameMetres = 8.0
    /// The longest way that visitors may close: about as far as one sees.
    static let longestMetres = 60.0

    private let site: SiteIndex

    public init(_ site: SiteIndex) { self.site = site }

    /// The connections on which the barrier may be, best first; at least one.
    ///
    /// Only the first counts, unless it has no barrier and one waits on another: then both reports
    /// are of the same barrier.
    public func connections(
        at place: BarrierPlace, _ kind: BarrierKind
    ) throws(BarrierPlaceFault) -> [ConnectionRecord] {
        switch place {
        case .connection(let id):
            guard let connection = site.document.connections.first(where: { $0.id == id }) else {
                throw .unknownConnection(id)
            }
            guard kind.suits(connection.kind) else { throw .unsuited(id, kind) }
            return [connection]
        case .room(let id):
            guard site.roomIndex(id) != nil else { throw .unknownRoom(id) }
            let found = site.document.connections.filter { connection in
                kind.suits(connection.kind) && connection.stops.contains { $0.room == id }
            }
            guard found.count == 1 else { throw .notOnlyOne(found.count, id, kind) }
            return found
        case .metres(let floor, let x, let y):
            return try near(Point(x: x, y: y), floor, kind)
        case .geographic(let floor, let latitude, let longitude):
            let degrees = GeographicPoint(latitude: latitude, longitude: longitude)
            return try near(site.frame.point(degrees), floor, kind)
        }
    }

    private func near(
        _ point: Point, _ floor: FloorID?, _ kind: BarrierKind
    ) throws(BarrierPlaceFault) -> [ConnectionRecord] {
        if let floor, site.floorIndex(floor) == nil { throw .unknownFloor(floor) }
        let found = site.document.connections.compactMap { connection in
            kind.suits(connection.kind)
                ? Self.distance(from: point, on: floor, to: connection).map { ($0, connection) }
                : nil
        }.filter { $0.0 <= Self.reachMetres }
        guard let nearest = found.map(\.0).min() else { throw .nothingNear(kind) }
        return
            found.filter { $0.0 <= nearest + Self.sameMetres }
            .sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map(\.1)
    }

    /// The metres to what the connection has on the floor; nil if it has nothing there.
    static func distance(
        from point: Point, on floor: FloorID?, to connection: ConnectionRecord
    ) -> Double? {
        let stops = connection.stops.filter { $0.floor == floor }
        let isWithin = stops.count == connection.stops.count && stops.count == 2
        if isWithin {
            let line = line(of: connection)
            return zip(line, line.dropFirst()).map {
                point.distance(toSegmentFrom: $0, to: $1)
            }.min()
        }
        return stops.map { point.distance(to: $0.point) }.min()
    }

    /// Whether visitors may close the connection: a lift, or a way of at most `longestMetres`.
    public static func isShort(_ connection: ConnectionRecord) -> Bool {
        guard connection.stops.count == 2 else { return true }
        return line(of: connection).lengthMetres <= longestMetres
    }

    private static func line(of connection: ConnectionRecord) -> [Point] {
        let ends = connection.stops.map(\.point)
        return ends.prefix(1) + connection.line + ends.suffix(1)
    }
}
