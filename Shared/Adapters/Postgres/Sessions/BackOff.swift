import Retrying

/// Decides when to connect again after failures.
struct BackOff {
    private var pause: GrowingPause
    private var last: (error: PostgresError, until: ContinuousClock.Instant)?

    init(first: Duration, longest: Duration) {
        pause = GrowingPause(from: first, to: longest)
    }

    /// The last failure while its pause lasts. Nil when it is time to try again.
    func failure(at now: ContinuousClock.Instant) -> PostgresError? {
        last.flatMap { now < $0.until ? $0.error : nil }
    }

    mutating func succeeded() {
        pause.reset()
        last = nil
    }

    mutating func failed(with error: PostgresError, at now: ContinuousClock.Instant) {
        // A failure that was only passed on during the pause does not extend the pause.
        guard failure(at: now) == nil else { return }
        last = (error, now + pause.nextWithJitter())
    }
}
