import Synchronization

/// Limits the records that are appended but not yet acknowledged. It serves as the log's queue
/// limit.
final class AppendBudget: Sendable {
    /// The default limits, unless the settings `queue.buffering.max.messages` and
    /// `queue.buffering.max.kbytes` replace them.
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

    /// Reserves part of the budget. Returns false, and reserves nothing, when too little is left.
    /// An append larger than the whole budget succeeds when nothing else is under way.
    func reserve(messages: Int, bytes: Int) -> Bool {
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
