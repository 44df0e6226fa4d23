import Synchronization

/// How much may be appended and not yet acknowledged: the log's own queue.
final class AppendBudget: Sendable {
    static let messages = 100_000
    static let bytes = 128 << 20

    private let usedMessages = Atomic(0)
    private let usedBytes = Atomic(0)

    /// Takes from the budget, or nothing when there is not enough of it. What is larger than the
    /// whole budget gets through when nothing else is under way.
    func take(messages: Int, bytes: Int) -> Bool {
        let nowMessages = usedMessages.add(messages, ordering: .relaxed).newValue
        let nowBytes = usedBytes.add(bytes, ordering: .relaxed).newValue
        let fits = nowMessages <= Self.messages && nowBytes <= Self.bytes
        if fits || nowMessages == messages { return true }
        giveBack(messages: messages, bytes: bytes)
        return false
    }

    func giveBack(messages: Int, bytes: Int) {
        usedMessages.subtract(messages, ordering: .relaxed)
        usedBytes.subtract(bytes, ordering: .relaxed)
    }
}
