/// When to try again after failures: each pause is up to twice as long as the one before, with
/// full jitter, so that many processes don't come back at the same moment.
struct BackOff {
    let first: Duration
    let longest: Duration
    private var failures = 0
    private var last: (error: PostgresError, until: ContinuousClock.Instant)?

    init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// The last failure while its pause lasts; nil when it is time to try.
    func failure(at now: ContinuousClock.Instant) -> PostgresError? {
        last.flatMap { now < $0.until ? $0.error : nil }
    }

    mutating func succeeded() {
        failures = 0
        last = nil
    }

    mutating func failed(with error: PostgresError, at now: ContinuousClock.Instant) {
        // The same pause is not prolonged by those who only heard of the failure.
        guard failure(at: now) == nil else { return }
        failures += 1
        last = (error, now + pause())
    }

    private func pause() -> Duration {
        let ceiling = min(longest, first * (1 << min(failures - 1, 16)))
        return ceiling * Double.random(in: 0.5...1)
    }
}
