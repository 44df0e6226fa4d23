/// One reading of an accelerometer along the device's own axes, gravity included.
public struct AccelerometerSample: Hashable, Sendable {
    /// By any clock that runs evenly.
    public var atMicroseconds: Int64
    /// Metres per second squared.
    public var x: Double
    public var y: Double
    public var z: Double

    public init(atMicroseconds: Int64, x: Double, y: Double, z: Double) {
        self.atMicroseconds = atMicroseconds
        self.x = x
        self.y = y
        self.z = z
    }

    /// How strong it is, whichever way the device is held.
    public var magnitude: Double { (x * x + y * y + z * z).squareRoot() }
}
