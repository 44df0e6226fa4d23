import Retrying

/// When to try again after failures.
struct BackOff {
    private var pause: GrowingPause
    private var last: (error: PostgresError, until: ContinuousClock.Instant)?

    init(first: Duration, longest: Duration) {
        pause = GrowingPause(from: first, to: longest)
    }

    /// The last failure while its pause lasts; nil when it is time to try.
    func failure(at now: ContinuousClock.Instant) -> PostgresError? {
        last.flatMap { now < $0.until ? $0.error : nil }
    }

    mutating func succeeded() {
        pause.reset()
        last = nil
    }

    mutating func failed(with error: PostgresError, at now: ContinuousClock.Instant) {
        // The same pause is not prolonged by those who only heard of the failure.
        guard failure(at: now) == nil else { return }
        last = (error, now + pause.nextWithJitter())
    }
}
