/// When a program that failed is started again: at once after a first failure, then after a pause that
/// doubles, until an answer comes.
struct RestartSchedule: Hashable, Sendable {
    private static let firstPause = Duration.milliseconds(100)
    static let longestPause = Duration.seconds(10)

    /// Failures since the last answer.
    private(set) var failures = 0

    mutating func failed() { failures += 1 }
    mutating func answered() { failures = 0 }

    /// After the last failure.
    var pause: Duration {
        guard failures > 1 else { return .zero }
        return min(Self.longestPause, Self.firstPause * (1 << min(failures - 2, 20)))
    }
}
