/// A token bucket: it holds at most `burst` and refills at `perSecond`. The time is an argument.
public struct TokenBucket: Hashable, Sendable {
    public let perSecond: Double
    public let burst: Double
    private var level: Double
    private var filledAtNanoseconds: Int64

    /// Makes a full bucket.
    public init(perSecond: Double, burst: Double, nowNanoseconds: Int64) {
        precondition(perSecond > 0 && burst >= 1, "a limit must let something pass")
        self.perSecond = perSecond
        self.burst = burst
        level = burst
        filledAtNanoseconds = nowNanoseconds
    }

    /// The tokens left, rounded down.
    public func left(at nowNanoseconds: Int64) -> Int { Int(max(0, filled(nowNanoseconds))) }

    public func isFull(at nowNanoseconds: Int64) -> Bool { filled(nowNanoseconds) >= burst }

    /// Spends the amount or nothing. An amount larger than the bucket passes when the bucket is
    /// full. The debt then delays later calls, so the rate is right over time.
    public mutating func spend(_ amount: Double, at nowNanoseconds: Int64) -> Bool {
        fill(nowNanoseconds)
        guard level >= min(amount, burst) else { return false }
        level -= amount
        return true
    }

    /// Spends the amount even if too little is left, for bytes that have already come.
    mutating func charge(_ amount: Double, at nowNanoseconds: Int64) {
        fill(nowNanoseconds)
        // The debt is limited to four bursts, so that one slip has an end.
        level = max(level - amount, -4 * burst)
    }

    /// Spends as many of the count as are left and returns that number.
    public mutating func spend(upTo count: Int, at nowNanoseconds: Int64) -> Int {
        fill(nowNanoseconds)
        let granted = min(count, Int(max(0, level)))
        level -= Double(granted)
        return granted
    }

    /// Spends all or none if the count fits a burst. A larger count gets as many as are left.
    public mutating func spendRecords(_ count: Int, at nowNanoseconds: Int64) -> Int {
        if Double(count) > burst { return spend(upTo: count, at: nowNanoseconds) }
        return spend(Double(count), at: nowNanoseconds) ? count : 0
    }

    /// The whole seconds until the amount is available, at least one.
    public func secondsToWait(for amount: Double, at nowNanoseconds: Int64) -> Int {
        let missing = min(amount, burst) - filled(nowNanoseconds)
        return max(1, Int(min(86_400, (missing / perSecond).rounded(.up))))
    }

    private mutating func fill(_ nowNanoseconds: Int64) {
        level = filled(nowNanoseconds)
        filledAtNanoseconds = max(filledAtNanoseconds, nowNanoseconds)
    }

    private func filled(_ nowNanoseconds: Int64) -> Double {
        // The times of records may go back, and that must not fill the bucket.
        guard nowNanoseconds > filledAtNanoseconds else { return level }
        return min(burst, level + Double(nowNanoseconds &- filledAtNanoseconds) / 1e9 * perSecond)
    }
}
