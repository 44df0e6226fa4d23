/// The log got its id (topic `tokens`, key `log`). The tables of every outbox remember the id, so
/// that nobody mistakes another log for theirs.
public struct LogIdentified: Hashable, Sendable {
    /// 32 random hex digits.
    public var id: String
    public var at: Timestamp

    public init(id: String, at: Timestamp) {
        self.id = id
        self.at = at
    }
}
