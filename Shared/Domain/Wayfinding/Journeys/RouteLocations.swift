public import Events
import Geometry
public import Site

/// The locations of a site by their floors, to find those that a route passes.
public struct RouteLocations: Sendable {
    /// Metres from the line of a route within which it passes a location. The line is that of
    /// connections, and people tap a location somewhere beside it.
    public static let passedMetres = 1.0

    private let byFloor: [FloorID: [LocationRecord]]

    public init(_ locations: [LocationRecord]) {
        byFloor = Dictionary(grouping: locations, by: \.floor)
    }

    /// The locations that a route passes, in its order; locations at one point by their ids.
    public func passed(by route: IndoorRoute) -> [LocationID] {
        let trace = RouteTrace(route)
        var points: [FloorID: [Point]] = [:]
        for path in route.legs.flatMap(\.paths) {
            if let floor = path.floor { points[floor, default: []] += path.points }
        }
        let near = points.flatMap { floor, points in
            let box = BoundingBox(points)
            return (byFloor[floor] ?? []).filter {
                box?.contains($0.point, tolerance: Self.passedMetres) == true
            }
        }
        let passed = near.compactMap { location in
            trace.metresAlong(
                to: location.point, on: location.floor, within: Self.passedMetres
            ).map { (along: $0, id: location.id) }
        }
        return passed.sorted { ($0.along, $0.id) < ($1.along, $1.id) }.map(\.id)
    }
}
