/// A magnetometer's value at one moment of a walk.
public struct MagneticSample: Hashable, Sendable {
    /// Milliseconds from any zero, by a clock that runs evenly.
    public var atMilliseconds: Int
    /// Microtesla along the device's own axes.
    public var field: MagneticField
    /// The direction in which gravity pulls the device, along the same axes; its length does not
    /// count. It gives the vertical part of the field however the device is held.
    public var gravity: MagneticField?

    public init(atMilliseconds: Int, field: MagneticField, gravity: MagneticField? = nil) {
        self.atMilliseconds = atMilliseconds
        self.field = field
        self.gravity = gravity
    }
}

/// A bend or an end of a magnetic route.
public struct MagneticRoutePoint: Hashable, Sendable {
    /// Metres in the site's frame.
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A walk along a complete magnetic route, from end to end.
public struct MagneticWalk: Hashable, Sendable {
    /// All samples of the walk, in order of time.
    public var samples: [MagneticSample]
    /// The time at which the walker passed each point of the route, in the order of the walk. Empty
    /// for a walk at an even pace.
    public var passedAtMilliseconds: [Int]
    /// The time of each step; empty where steps were not counted.
    public var stepsAtMilliseconds: [Int]

    public init(
        samples: [MagneticSample], passedAtMilliseconds: [Int] = [],
        stepsAtMilliseconds: [Int] = []
    ) {
        self.samples = samples
        self.passedAtMilliseconds = passedAtMilliseconds
        self.stepsAtMilliseconds = stepsAtMilliseconds
    }
}
