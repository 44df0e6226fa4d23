public import Events
public import Geometry
public import Site

/// The building of a device that asks where it is from time to time, with the dwell of visits.
///
/// Another building is the device's as soon as its points have been in it for the minimum dwell.
/// None is, as soon as they have been outside of all for the exit delay. So one wrong fix changes
/// nothing. The outlines have a margin besides: `BuildingShapes.building(at:before:)`.
public struct BuildingDwell: Hashable, Sendable {
    /// A building, or outdoors, that the device may be in by now.
    public struct Change: Hashable, Sendable {
        /// Nil for outdoors.
        public var building: BuildingID?
        /// The first of the successive points there.
        public var since: Timestamp

        public init(to building: BuildingID?, since: Timestamp) {
            self.building = building
            self.since = since
        }
    }

    /// Nil outdoors.
    public var building: BuildingID?
    /// Nil while the points are in `building`.
    public var change: Change?
    /// The time of the last point.
    public var last: Timestamp

    public init(building: BuildingID?, change: Change? = nil, last: Timestamp) {
        self.building = building
        self.change = change
        self.last = last
    }

    /// The state after a first point, whose building counts at once.
    ///
    /// - Parameter before: the building that the device was in; nil for outdoors.
    public init(
        _ point: Point, before: BuildingID? = nil, at: Timestamp, in shapes: BuildingShapes
    ) {
        self.init(building: shapes.building(at: point, before: before), last: at)
    }

    /// Applies a point. After a silence, as for visits, it is a first one. So it is where the site
    /// does not have the building any more.
    public mutating func evolve(
        _ point: Point, at: Timestamp, in shapes: BuildingShapes, _ rules: VisitRules
    ) {
        let isKnown = building.map { shapes.distance(to: $0, from: point).isFinite } ?? true
        let silent = last.advanced(by: rules.silence)
        // A clock may have been set back, but not by as long as that.
        guard isKnown, at <= silent, last <= at.advanced(by: rules.silence) else {
            self = BuildingDwell(point, at: at, in: shapes)
            return
        }
        last = at
        let seen = shapes.building(at: point, before: building)
        if seen == building {
            change = nil
            return
        }
        // Another copy's clock may be ahead, or this one was set back.
        let since = change.flatMap { $0.building == seen ? min($0.since, at) : nil } ?? at
        let dwell = seen == nil ? rules.exitDelay : rules.minimumDwell
        if at >= since.advanced(by: dwell) {
            building = seen
            change = nil
        } else {
            change = Change(to: seen, since: since)
        }
    }
}
