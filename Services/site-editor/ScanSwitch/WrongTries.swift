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

    /// The seconds until this sender may try again; nil if it may try now.
    func wait(_ sender: String, at moment: Timestamp) -> Int? {
        tries.withLock { tries in
            guard let known = tries[sender], known.count >= Self.most else { return nil }
            let left = known.since.advanced(byMicroseconds: Self.windowMicroseconds) - moment
            guard left > 0 else {
                tries[sender] = nil
                return nil
            }
            return Int(left / 1_000_000) + 1
        }
    }

    func failed(_ sender: String, at moment: Timestamp) {
        tries.withLock { tries in
            if tries.count >= Self.mostEntries {
                tries = tries.filter { moment - $0.value.since < Self.windowMicroseconds }
            }
            var known = tries[sender] ?? Tries(since: moment)
            if moment - known.since >= Self.windowMicroseconds { known = Tries(since: moment) }
            known.count += 1
            tries[sender] = known
        }
    }
}
