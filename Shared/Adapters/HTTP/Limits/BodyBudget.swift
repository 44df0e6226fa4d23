import Synchronization

/// The memory that bodies take between their first byte and their answer: in all, and of one
/// sender.
///
/// Small bodies that come in one piece are answered at once and are not counted.
final class BodyBudget: Sendable {
    private struct State {
        var total = 0
        var bySender: [String: Int] = [:]
    }

    private let maximum: Int
    private let maximumOfSender: Int
    private let state = Mutex(State())

    init(maximum: Int, maximumOfSender: Int) {
        self.maximum = maximum
        self.maximumOfSender = maximumOfSender
    }

    /// False when there is no room for them.
    func take(_ bytes: Int, for sender: String) -> Bool {
        state.withLock { state in
            let own = state.bySender[sender] ?? 0
            guard state.total + bytes <= maximum, own + bytes <= maximumOfSender else {
                return false
            }
            state.total += bytes
            state.bySender[sender] = own + bytes
            return true
        }
    }

    func give(back bytes: Int, of sender: String) {
        state.withLock { state in
            state.total -= bytes
            let own = (state.bySender[sender] ?? 0) - bytes
            state.bySender[sender] = own > 0 ? own : nil
        }
    }

    /// Bytes that are taken now.
    var taken: Int { state.withLock { $0.total } }
}
