import Events
import Geometry

/// Finds connections whose ends meet no room and no other connection.
struct WaysReview {
    private(set) var findings: [ReviewFinding] = []

    private struct Place: Hashable {
        let floor: FloorID?
        let x: Int
        let y: Int

        init(_ stop: ConnectionStop) {
            floor = stop.floor
            x = Int((stop.point.x * 1_000).rounded())
            y = Int((stop.point.y * 1_000).rounded())
        }
    }

    init(_ site: SiteIndex) {
        var waysAt: [Place: Set<Int>] = [:]
        for (index, connection) in site.document.connections.enumerated() {
            for stop in connection.stops { waysAt[Place(stop), default: []].insert(index) }
        }
        for connection in site.document.connections {
            let loose = connection.stops.filter { stop in
                stop.room == nil && (waysAt[Place(stop)]?.count ?? 0) < 2
            }
            if let problem = problem(connection, loose, site) {
                findings.append(
                    ReviewFinding(
                        .connectionLeadsNowhere, .warning, [.connection(connection.id)], problem))
            }
        }
    }

    /// The sentence about a connection with loose ends; nil if they are fine. A path may end
    /// anywhere if it begins somewhere. A door outdoors may be where the map has no path.
    private func problem(
        _ connection: ConnectionRecord, _ loose: [ConnectionStop], _ site: SiteIndex
    ) -> String? {
        let kind = connection.kind.rawValue
        let inside = loose.filter { stop in
            guard let floor = stop.floor.flatMap(site.floorIndex) else { return false }
            return connection.kind == .door
                || site.rooms(at: stop.point, on: floor).isEmpty
        }
        switch connection.kind {
        case .walk:
            guard loose.count == connection.stops.count else { return nil }
            return "The path \(connection.id) meets nothing at either end."
        case .door:
            let rooms = Set(connection.stops.compactMap(\.room))
            if rooms.isEmpty, !loose.isEmpty {
                return "The door \(connection.id) has no room on either side."
            }
            guard rooms.count == 1, !inside.isEmpty else { return nil }
            return "The door \(connection.id) leads to a part of its floor without a room."
        case .stairs, .ramp, .lift, .platformLift, .escalator:
            guard let stop = inside.first else { return nil }
            let floor = stop.floor.map { "floor \($0)" } ?? "the outdoors"
            return "The \(kind) \(connection.id) meets nothing on \(floor)."
        }
    }
}
