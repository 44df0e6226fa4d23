import Synchronization

/// Limits the memory of request bodies from their first byte to their answer.
///
/// There is a limit in total and one for each sender. All senders together of whom no token is
/// known get an eighth. Each of them gets a quarter of that, so that one can't shut out the others.
///
/// Small bodies that come in one piece are answered at once and do not count.
final class BodyBudget: Sendable {
    private struct State {
        var total = 0
        var ofStrangers = 0
        var bySender: [String: Int] = [:]
    }

    /// The least of both limits for strangers: the largest body that any route takes from one.
    private static let leastOfStrangers = 8 << 20

    private let maximum: Int
    private let maximumOfSender: Int
    private let state = Mutex(State())

    init(maximum: Int, maximumOfSender: Int) {
        self.maximum = maximum
        self.maximumOfSender = maximumOfSender
    }

    /// Reserves room for the bytes. Returns false when there is none.
    func reserve(_ bytes: Int, for sender: String, isStranger: Bool = false) -> Bool {
        state.withLock { state in
            let own = state.bySender[sender] ?? 0
            guard state.total + bytes <= maximum, own + bytes <= maximumOfSender else {
                return false
            }
            if isStranger {
                guard state.ofStrangers + bytes <= max(Self.leastOfStrangers, maximum / 8),
                    own + bytes <= max(Self.leastOfStrangers, maximum / 32)
                else { return false }
                state.ofStrangers += bytes
            }
            state.total += bytes
            state.bySender[sender] = own + bytes
            return true
        }
    }

    func give(back bytes: Int, of sender: String, isStranger: Bool = false) {
        state.withLock { state in
            state.total -= bytes
            if isStranger { state.ofStrangers -= bytes }
            let own = (state.bySender[sender] ?? 0) - bytes
            state.bySender[sender] = own > 0 ? own : nil
        }
    }

    var reserved: Int { state.withLock { $0.total } }
}
