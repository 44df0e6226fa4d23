/// Whom lasting work tells, in one sentence each, what an operator should know.
public struct Notices: Sendable {
    /// Something is not as it should be; the sentence says what becomes of it.
    public let onUnexpected: @Sendable (String) -> Void
    /// What was not as it should be is over.
    public let onRecovery: @Sendable (String) -> Void

    public init(
        onUnexpected: @escaping @Sendable (String) -> Void,
        onRecovery: @escaping @Sendable (String) -> Void
    ) {
        self.onUnexpected = onUnexpected
        self.onRecovery = onRecovery
    }
}
