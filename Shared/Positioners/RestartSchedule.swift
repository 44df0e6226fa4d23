import Retrying

/// The moments at which a failed program is restarted: at once after the first failure, then after
/// a pause that doubles until an answer comes.
struct RestartSchedule: Hashable, Sendable {
    private var growing = GrowingPause(from: .milliseconds(100), to: .seconds(10))
    /// Failures since the last answer.
    private(set) var failures = 0

    /// Counts a failure and returns the pause before the next start.
    mutating func failed() -> Duration {
        failures += 1
        return failures > 1 ? growing.next() : .zero
    }

    mutating func answered() { self = RestartSchedule() }
}
