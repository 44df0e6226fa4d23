/// A one-dimensional Kalman filter (Flair 4.5.2): an estimate with a mean and a variance.
public struct ScalarKalmanFilter: Hashable, Sendable {
    public private(set) var mean: Double
    public private(set) var variance: Double

    /// - Parameter variance: must be above 0.
    public init(mean: Double, variance: Double) {
        precondition(variance > 0)
        self.mean = mean
        self.variance = variance
    }

    /// Applies a measurement: mean = (v2 m1 + v1 m2) / (v1 + v2), variance = 1 / (1 / v1 + 1 / v2).
    public mutating func measure(_ value: Double, variance other: Double) {
        precondition(other > 0)
        mean = (other * mean + variance * value) / (variance + other)
        variance = 1 / (1 / variance + 1 / other)
    }

    /// Applies a movement: mean = m1 + m2, variance = v1 + v2.
    public mutating func move(by value: Double, variance other: Double) {
        precondition(other >= 0)
        mean += value
        variance += other
    }
}
