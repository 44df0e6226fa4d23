/// One sample of an accelerometer along the device's own axes, including gravity.
public struct AccelerometerSample: Hashable, Sendable {
    /// The time by any clock that runs evenly.
    public var atMicroseconds: Int64
    /// In metres per second squared.
    public var x: Double
    public var y: Double
    public var z: Double

    public init(atMicroseconds: Int64, x: Double, y: Double, z: Double) {
        self.atMicroseconds = atMicroseconds
        self.x = x
        self.y = y
        self.z = z
    }

    /// The strength of the acceleration, which does not depend on how the device is held.
    public var magnitude: Double { (x * x + y * y + z * z).squareRoot() }
}
