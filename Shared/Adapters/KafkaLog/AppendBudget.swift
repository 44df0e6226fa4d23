import Synchronization

/// How much may be appended and not yet acknowledged: the log's own queue.
final class AppendBudget: Sendable {
    /// The limits unless `queue.buffering.max.messages` and `queue.buffering.max.kbytes` say
    /// others.
    static let usualMessages = 100_000
    static let usualBytes = 128 << 20

    let messageLimit: Int
    let byteLimit: Int
    private let usedMessages = Atomic(0)
    private let usedBytes = Atomic(0)

    init(messages: Int, bytes: Int) {
        messageLimit = messages
        byteLimit = bytes
    }

    /// Takes from the budget, or nothing when there is not enough of it. What is larger than the
    /// whole budget gets through when nothing else is under way.
    func take(messages: Int, bytes: Int) -> Bool {
        let nowMessages = usedMessages.add(messages, ordering: .relaxed).newValue
        let nowBytes = usedBytes.add(bytes, ordering: .relaxed).newValue
        let fits = nowMessages <= messageLimit && nowBytes <= byteLimit
        if fits || nowMessages == messages { return true }
        giveBack(messages: messages, bytes: bytes)
        return false
    }

    func giveBack(messages: Int, bytes: Int) {
        usedMessages.subtract(messages, ordering: .relaxed)
        usedBytes.subtract(bytes, ordering: .relaxed)
    }
}
