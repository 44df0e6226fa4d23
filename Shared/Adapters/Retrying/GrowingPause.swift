/// The pause before the next attempt: it doubles from failure to failure, up to a longest one.
public struct GrowingPause: Hashable, Sendable {
    private let first: Duration
    private let longest: Duration
    private var failures = 0

    public init(from first: Duration, to longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// After one more failure.
    public mutating func next() -> Duration {
        defer { failures += 1 }
        // 2^20 times the first is longer than anybody waits.
        return min(longest, first * (1 << min(failures, 20)))
    }

    /// The same less up to a half by chance, so that those who failed together do not all come back
    /// at the same moment.
    public mutating func nextWithJitter() -> Duration { next() * Double.random(in: 0.5...1) }

    /// After success.
    public mutating func reset() { failures = 0 }
}
