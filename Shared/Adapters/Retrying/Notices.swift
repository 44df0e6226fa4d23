/// Receives reports for the operator from long-running work, one sentence each.
public struct Notices: Sendable {
    /// Reports that something is wrong, and what the program does about it.
    public let onUnexpected: @Sendable (String) -> Void
    /// Reports that the fault is over.
    public let onRecovery: @Sendable (String) -> Void
    /// Raises an alarm for failures that last. Nil in programs without an operator.
    public let watch: RetryWatch?

    public init(
        onUnexpected: @escaping @Sendable (String) -> Void,
        onRecovery: @escaping @Sendable (String) -> Void, watch: RetryWatch? = nil
    ) {
        self.onUnexpected = onUnexpected
        self.onRecovery = onRecovery
        self.watch = watch
    }

    /// Discards all reports, for programs without an operator.
    public static let unheard = Notices(onUnexpected: { _ in }, onRecovery: { _ in })
}
