/// How long to wait before trying again: doubling up to a maximum, and spread by chance so that many
/// clients of one broken server do not return together.
///
/// "Equal jitter": half of the wait is fixed, half is random (M. Brooker, "Exponential Backoff and
/// Jitter", AWS Architecture Blog, 2015).
public struct Backoff: Sendable, Hashable {
    public let initial: Duration
    public let maximum: Duration
    /// How many waits were given since the last reset.
    public private(set) var attempts = 0

    public init(initial: Duration = .milliseconds(100), maximum: Duration = .seconds(10)) {
        precondition(initial > .zero && maximum >= initial, "waits must be positive and grow")
        self.initial = initial
        self.maximum = maximum
    }

    /// The next wait: between half of and the whole doubled time.
    public mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        // 2^40 times any sensible wait is past any maximum; more would overflow.
        let whole = min(initial * (1 << Int64(min(attempts, 40))), maximum)
        attempts += 1
        return whole * (0.5 + Double.random(in: 0...0.5, using: &generator))
    }

    /// Call it after success.
    public mutating func reset() { attempts = 0 }
}
