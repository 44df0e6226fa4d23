/// The state of work that is retried after failures that may pass. It gives the pause before the
/// next attempt. It reports once that the work fails and once that it works again, however many
/// attempts lie between. With a watch, a lasting failure also raises an alarm.
///
/// Failures of a process's first seconds (`StartPhase`) are reported only if a later attempt fails,
/// too. An alarm counts from the first failure.
public struct Retry: Sendable {
    private let work: String
    private let notices: Notices
    private var pause = GrowingPause(from: .milliseconds(100), to: .seconds(5))
    private var isReported = false
    private let isWatched: Bool
    /// The watch's number for this failure, while the failure lasts.
    private var watched: Int?

    /// - Parameters:
    ///   - work: the beginning of both reports, such as "Reading sites" (fails for now, works
    ///     again).
    ///   - isWatched: whether a lasting failure raises an alarm; for work that retries by itself. A
    ///     route is tried only on request, so nothing would notice that it works again.
    public init(of work: String, notices: Notices, isWatched: Bool = false) {
        self.work = work
        self.notices = notices
        self.isWatched = isWatched
    }

    /// Notes a failure. Returns the pause before the next attempt: from 100 ms, doubling up to 5 s.
    @discardableResult public mutating func failed(
        _ error: any Error, at now: ContinuousClock.Instant = .now
    ) -> Duration {
        if isWatched, watched == nil {
            watched = notices.watch?.began(work, reason: "\(error)")
        }
        if !isReported {
            let sentence = "\(work) fails for now: \(error)"
            if let start = notices.start, !start.isOver(at: now) {
                start.onFailure(sentence)
            } else {
                notices.onUnexpected(sentence)
                isReported = true
            }
        }
        return pause.next()
    }

    /// Notes a success. Call it after the step that had failed, not after an earlier step.
    public mutating func ended() {
        if isReported { notices.onRecovery("\(work) works again.") }
        forgotten()
    }

    /// Ends without a report, because nobody does the work here any more.
    public mutating func forgotten() {
        if let watched { notices.watch?.ended(watched) }
        watched = nil
        isReported = false
        pause.reset()
    }
}

/// Attempts work until it returns or the task is cancelled. A long-running attempt calls `ended` as
/// soon as it works.
public func attemptUntilDone(
    _ work: String, notices: Notices, _ attempt: (inout Retry) async throws -> Void
) async {
    await attemptUntilDone(
        work, notices: notices, throwIfFinal: { (_: any Error) throws(Never) in }, attempt)
}

/// Attempts work like the function above, but stops at errors that no retry can help.
/// - Parameter throwIfFinal: throws for those errors.
public func attemptUntilDone<Failure: Error>(
    _ work: String, notices: Notices, throwIfFinal: (any Error) throws(Failure) -> Void,
    _ attempt: (inout Retry) async throws -> Void
) async throws(Failure) {
    var retry = Retry(of: work, notices: notices, isWatched: true)
    defer { retry.forgotten() }
    while !Task.isCancelled {
        do {
            try await attempt(&retry)
            if !Task.isCancelled { retry.ended() }
            return
        } catch {
            guard !Task.isCancelled else { return }
            try throwIfFinal(error)
            try? await Task.sleep(for: retry.failed(error))
        }
    }
}
