/// A token bucket: it holds `burst` at most and is refilled by `perSecond`. Time is an argument.
public struct TokenBucket: Hashable, Sendable {
    public let perSecond: Double
    public let burst: Double
    private var level: Double
    private var filledAtNanoseconds: Int64

    /// A full one.
    public init(perSecond: Double, burst: Double, nowNanoseconds: Int64) {
        precondition(perSecond > 0 && burst >= 1, "a limit must let something pass")
        self.perSecond = perSecond
        self.burst = burst
        level = burst
        filledAtNanoseconds = nowNanoseconds
    }

    /// What is left, in whole numbers.
    public func left(at nowNanoseconds: Int64) -> Int { Int(max(0, filled(nowNanoseconds))) }

    public func isFull(at nowNanoseconds: Int64) -> Bool { filled(nowNanoseconds) >= burst }

    /// Takes all of it or nothing. More than the bucket can ever hold passes when it is full, and
    /// is then worked off: what is let in is right over time.
    public mutating func take(_ amount: Double, at nowNanoseconds: Int64) -> Bool {
        fill(nowNanoseconds)
        guard level >= min(amount, burst) else { return false }
        level -= amount
        return true
    }

    /// Takes it whether it is there or not: what has come already and can't be refused.
    mutating func charge(_ amount: Double, at nowNanoseconds: Int64) {
        fill(nowNanoseconds)
        // No deeper than four times its burst, so that one slip is over some time.
        level = max(level - amount, -4 * burst)
    }

    /// Takes as many as there are of them, and says how many.
    public mutating func take(upTo count: Int, at nowNanoseconds: Int64) -> Int {
        fill(nowNanoseconds)
        let granted = min(count, Int(max(0, level)))
        level -= Double(granted)
        return granted
    }

    /// All or none of what can come at once; of more than that as many as there are.
    public mutating func takeRecords(_ count: Int, at nowNanoseconds: Int64) -> Int {
        if Double(count) > burst { return take(upTo: count, at: nowNanoseconds) }
        return take(Double(count), at: nowNanoseconds) ? count : 0
    }

    /// Whole seconds until the amount is there, at least one.
    public func secondsToWait(for amount: Double, at nowNanoseconds: Int64) -> Int {
        let missing = min(amount, burst) - filled(nowNanoseconds)
        return max(1, Int(min(86_400, (missing / perSecond).rounded(.up))))
    }

    private mutating func fill(_ nowNanoseconds: Int64) {
        level = filled(nowNanoseconds)
        filledAtNanoseconds = max(filledAtNanoseconds, nowNanoseconds)
    }

    private func filled(_ nowNanoseconds: Int64) -> Double {
        // A clock of records may go back, which fills nothing.
        guard nowNanoseconds > filledAtNanoseconds else { return level }
        return min(burst, level + Double(nowNanoseconds &- filledAtNanoseconds) / 1e9 * perSecond)
    }
}
