/// Whether a piece of work is failing for reasons that may pass: what it waits before the next
/// attempt, and what it tells. It tells once when it begins to fail and once when it works
/// again, however often it is tried between. One that is watched becomes an alarm when it lasts.
public struct Outage: Sendable {
    private static let firstPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(5)

    private let work: String
    private let notices: Notices
    private var pause = Self.firstPause
    private var isTold = false
    private let isWatched: Bool
    /// What the watch knows this outage by, while it lasts.
    private var watched: Int?

    /// - Parameters:
    ///   - work: begins both sentences: "Reading sites" fails for now, works again.
    ///   - isWatched: for work that is tried again and again by itself. What is tried only when
    ///     somebody asks, such as a route, can't tell when it would work again.
    public init(of work: String, notices: Notices, isWatched: Bool = false) {
        self.work = work
        self.notices = notices
        self.isWatched = isWatched
    }

    /// Gives the pause before the next attempt, which doubles from 100 ms up to 5 s.
    @discardableResult public mutating func failed(_ error: any Error) -> Duration {
        if !isTold {
            notices.onUnexpected("\(work) fails for now: \(error)")
            isTold = true
            if isWatched { watched = notices.watch?.began(work, reason: "\(error)") }
        }
        defer { pause = min(pause * 2, Self.longestPause) }
        return pause
    }

    /// Call it after success: of the step that had failed, not of one before it.
    public mutating func ended() {
        if isTold { notices.onRecovery("\(work) works again.") }
        forgotten()
    }

    /// Ends it without a word: nobody does the work here any more.
    public mutating func forgotten() {
        if let watched { notices.watch?.ended(watched) }
        watched = nil
        isTold = false
        pause = Self.firstPause
    }
}

/// Attempts work until it returns or the task is cancelled. An attempt that goes on for long tells
/// the outage that it has ended as soon as it works.
public func attemptUntilDone(
    _ work: String, notices: Notices, _ attempt: (inout Outage) async throws -> Void
) async {
    await attemptUntilDone(
        work, notices: notices, throwIfFinal: { (_: any Error) throws(Never) in }, attempt)
}

/// The same for work that may also fail for good.
/// - Parameter throwIfFinal: throws what no further attempt can mend.
public func attemptUntilDone<Failure: Error>(
    _ work: String, notices: Notices, throwIfFinal: (any Error) throws(Failure) -> Void,
    _ attempt: (inout Outage) async throws -> Void
) async throws(Failure) {
    var outage = Outage(of: work, notices: notices, isWatched: true)
    defer { outage.forgotten() }
    while !Task.isCancelled {
        do {
            try await attempt(&outage)
            if !Task.isCancelled { outage.ended() }
            return
        } catch {
            guard !Task.isCancelled else { return }
            try throwIfFinal(error)
            try? await Task.sleep(for: outage.failed(error))
        }
    }
}
