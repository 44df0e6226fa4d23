/// What a magnetometer said at one moment of a walk.
public struct MagneticSample: Hashable, Sendable {
    /// From any moment on, by a clock that runs evenly.
    public var atMilliseconds: Int
    /// Along the device's own axes, in microtesla.
    public var field: MagneticField
    /// Which way gravity pulls the device, along the same axes; only its direction counts. With it
    /// the vertical part of the field is known however the device is held.
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

/// A walk along a whole route, from end to end.
public struct MagneticWalk: Hashable, Sendable {
    /// Ascending by time.
    public var samples: [MagneticSample]
    /// When the walker passed each point of the route, in the order of the walk; empty for a walk
    /// at one pace.
    public var passedAtMilliseconds: [Int]
    /// When the walker made each step; empty where nobody counted.
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
