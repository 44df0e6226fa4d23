public import Events
public import Geometry

/// A positioner's result for one scan: the place of the device, and how certain it is.
public struct Estimate: Hashable, Sendable {
    /// The covariance of the coordinates, in square metres.
    public struct Covariance: Hashable, Sendable {
        public var xx: Double
        public var xy: Double
        public var yy: Double

        public init(xx: Double, xy: Double, yy: Double) {
            self.xx = xx
            self.xy = xy
            self.yy = yy
        }
    }

    /// The place of the device; an estimate has none when the device is lost.
    public struct Place: Hashable, Sendable {
        public var floor: FloorID
        /// Metres in the site's frame.
        public var point: Point
        public var room: RoomID?
        public var covariance: Covariance
        /// Metres; the true place is within these radii with 68 and 95 % probability.
        public var radius68: Double
        public var radius95: Double

        public init(
            floor: FloorID, point: Point, room: RoomID?, covariance: Covariance, radius68: Double,
            radius95: Double
        ) {
            self.floor = floor
            self.point = point
            self.room = room
            self.covariance = covariance
            self.radius68 = radius68
            self.radius95 = radius95
        }

        public var isFinite: Bool {
            [point.x, point.y, covariance.xx, covariance.xy, covariance.yy, radius68, radius95]
                .allSatisfy(\.isFinite)
        }
    }

    public var state: PositionEstimated.State
    public var place: Place?
    /// Most probable first. The remainder to 1 is the probability of being outside of every room.
    public var rooms: [PositionEstimated.RoomProbability]

    public init(
        state: PositionEstimated.State, place: Place?,
        rooms: [PositionEstimated.RoomProbability] = []
    ) {
        self.state = state
        self.place = place
        self.rooms = rooms
    }

    /// The estimate when no reading of the scan is in the radio map.
    public static let lost = Estimate(state: .lost, place: nil)
}
