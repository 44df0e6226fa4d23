/// Work that is tried again after failures that may pass. It gives the pause before the next
/// attempt and reports once that the work fails and once that it works again, however many attempts
/// lie between. Where somebody watches, failing for long is an alarm.
public struct Retry: Sendable {
    private let work: String
    private let notices: Notices
    private var pause = GrowingPause(from: .milliseconds(100), to: .seconds(5))
    private var isReported = false
    private let isWatched: Bool
    /// The watch's number for this failure, while it lasts.
    private var watched: Int?

    /// - Parameters:
    ///   - work: begins both sentences: "Reading sites" fails for now, works again.
    ///   - isWatched: for work that is tried again and again by itself. A route, say, is tried only
    ///     when somebody asks, so nobody could tell that it works again.
    public init(of work: String, notices: Notices, isWatched: Bool = false) {
        self.work = work
        self.notices = notices
        self.isWatched = isWatched
    }

    /// Gives the pause before the next attempt, which doubles from 100 ms up to 5 s.
    @discardableResult public mutating func failed(_ error: any Error) -> Duration {
        if !isReported {
            notices.onUnexpected("\(work) fails for now: \(error)")
            isReported = true
            if isWatched { watched = notices.watch?.began(work, reason: "\(error)") }
        }
        return pause.next()
    }

    /// Call it after success: of the step that had failed, not of one before it.
    public mutating func ended() {
        if isReported { notices.onRecovery("\(work) works again.") }
        forgotten()
    }

    /// Ends it without a word: nobody does the work here any more.
    public mutating func forgotten() {
        if let watched { notices.watch?.ended(watched) }
        watched = nil
        isReported = false
        pause.reset()
    }
}

/// Attempts work until it returns or the task is cancelled. An attempt that lasts calls `ended` as
/// soon as it works.
public func attemptUntilDone(
    _ work: String, notices: Notices, _ attempt: (inout Retry) async throws -> Void
) async {
    await attemptUntilDone(
        work, notices: notices, throwIfFinal: { (_: any Error) throws(Never) in }, attempt)
}

/// The same for work that may also fail for good.
/// - Parameter throwIfFinal: throws the errors that no further attempt can mend.
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
