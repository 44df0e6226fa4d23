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
    /// At this number the memory is emptied of what is over.
    private static let mostEntries = 100_000

    private let tries = Mutex<[String: Tries]>([:])

    /// Begins a try before its code is checked. If the try may be made, end it once.
    ///
    /// - Returns: the seconds until this sender may try again; nil if it may try now.
    func begin(_ sender: String, at moment: Timestamp) -> Int? {
        tries.withLock { tries in
            if tries.count >= Self.mostEntries {
                tries = tries.filter {
                    $0.value.inFlight > 0 || Self.left($0.value, at: moment) != nil
                }
            }
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
