/// The pause before the next attempt. It doubles after each failure, up to `longest`.
public struct GrowingPause: Hashable, Sendable {
    private let first: Duration
    private let longest: Duration
    private var failures = 0

    public init(from first: Duration, to longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// The pause after one more failure.
    public mutating func next() -> Duration {
        defer { failures += 1 }
        // 2^20 times the first pause is longer than any limit in use.
        return min(longest, first * (1 << min(failures, 20)))
    }

    /// The pause after one more failure, shortened at random by up to a half. So clients that
    /// failed together do not all come back at the same moment.
    public mutating func nextWithJitter() -> Duration { next() * Double.random(in: 0.5...1) }

    /// Starts again from the first pause, after a success.
    public mutating func reset() { failures = 0 }
}
