import Events
import Synchronization

/// Counts wrong codes by who sent them, in this process. Five within an hour must wait until the
/// hour is over.
///
/// Tries whose codes are being checked are counted apart. Each of them may be wrong, so the wrong
/// ones and those together are five at most. Right codes that come at once wait only for a moment.
final class WrongTries: Sendable {
    private struct Tries {
        var wrong = 0
        /// The time of the first wrong one.
        var since: Timestamp
        /// The tries that have begun and have not ended.
        var inFlight = 0
    }

    static let most = 5
    private static let windowMicroseconds: Int64 = 3_600_000_000
    /// How long a sender waits for the tries that are being checked.
    private static let momentSeconds = 1
    /// The most senders that are remembered.
    private static let mostSenders = 100_000

    private let mostSenders: Int
    private let tries = Mutex<[String: Tries]>([:])

    init(mostSenders: Int = WrongTries.mostSenders) { self.mostSenders = mostSenders }

    /// The number of senders that are remembered.
    var count: Int { tries.withLock { $0.count } }

    /// Begins a try before its code is checked. If the try may be made, end it once.
    ///
    /// - Returns: the seconds until this sender may try again; nil if it may try now.
    func begin(_ sender: String, at moment: Timestamp) -> Int? {
        tries.withLock { tries in
            if tries.count >= mostSenders { forget(&tries, at: moment) }
            var known = tries[sender] ?? Tries(since: moment)
            if let left = Self.left(known, at: moment) {
                guard known.wrong < Self.most else { return Int(left / 1_000_000) + 1 }
            } else {
                known.wrong = 0
            }
            guard known.wrong + known.inFlight < Self.most else { return Self.momentSeconds }
            known.inFlight += 1
            tries[sender] = known
            return nil
        }
    }

    /// Forgets what is over. If that is less than a tenth, those with the fewest wrong tries go as
    /// well, so that the search is rare. The limit of each scanner holds without them.
    private func forget(_ tries: inout [String: Tries], at moment: Timestamp) {
        tries = tries.filter { $0.value.inFlight > 0 || Self.left($0.value, at: moment) != nil }
        let kept = mostSenders * 9 / 10
        guard tries.count > kept else { return }
        let idle = tries.filter { $0.value.inFlight == 0 }
            .sorted { ($0.value.wrong, $0.value.since) < ($1.value.wrong, $1.value.since) }
        for (sender, _) in idle.prefix(tries.count - kept) { tries[sender] = nil }
    }

    /// Ends a try: its code was wrong, or was right, or was not checked.
    func end(_ sender: String, wasWrong: Bool, at moment: Timestamp) {
        tries.withLock { tries in
            guard var known = tries[sender], known.inFlight > 0 else { return }
            known.inFlight -= 1
            if wasWrong {
                if Self.left(known, at: moment) == nil { (known.wrong, known.since) = (0, moment) }
                known.wrong += 1
            }
            tries[sender] = known.wrong + known.inFlight > 0 ? known : nil
        }
    }

    /// The microseconds until the wrong tries are forgotten; nil without any. Those of a clock that
    /// was ahead don't count.
    private static func left(_ tries: Tries, at moment: Timestamp) -> Int64? {
        guard tries.wrong > 0 else { return nil }
        let age = moment - tries.since
        // The clock may have been set back a little.
        guard age > -windowMicroseconds, age < windowMicroseconds else { return nil }
        return windowMicroseconds - max(0, age)
    }
}
