import Events
import Synchronization

/// Counts wrong codes by who sent them, in this process. Five within an hour must wait until the
/// hour is over.
final class WrongTries: Sendable {
    private struct Tries {
        var count = 0
        var since: Timestamp
    }

    static let most = 5
    private static let windowMicroseconds: Int64 = 3_600_000_000
    /// At this number the memory is emptied of what is over.
    private static let mostEntries = 100_000

    private let tries = Mutex<[String: Tries]>([:])

    /// Counts a try before its code is checked, so that tries at the same time count, too. Give it
    /// back if the code was not wrong.
    ///
    /// - Returns: the seconds until this sender may try again; nil if it may try now.
    func begin(_ sender: String, at moment: Timestamp) -> Int? {
        tries.withLock { tries in
            if tries.count >= Self.mostEntries {
                tries = tries.filter { Self.left($0.value, at: moment) != nil }
            }
            var known = Tries(since: moment)
            if let former = tries[sender], let left = Self.left(former, at: moment) {
                guard former.count < Self.most else { return Int(left / 1_000_000) + 1 }
                known = former
            }
            known.count += 1
            tries[sender] = known
            return nil
        }
    }

    /// Gives a try back: its code was right, or was not checked.
    func giveBack(_ sender: String) {
        tries.withLock { tries in
            guard var known = tries[sender] else { return }
            known.count -= 1
            tries[sender] = known.count > 0 ? known : nil
        }
    }

    /// The microseconds until the tries are forgotten; nil if they are over, or of a clock that was
    /// ahead.
    private static func left(_ tries: Tries, at moment: Timestamp) -> Int64? {
        let age = moment - tries.since
        // The clock may have been set back a little.
        guard age > -windowMicroseconds, age < windowMicroseconds else { return nil }
        return windowMicroseconds - max(0, age)
    }
}
