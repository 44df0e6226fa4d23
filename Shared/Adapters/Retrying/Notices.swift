/// Receives reports for the operator from long-running work, one sentence each.
public struct Notices: Sendable {
    /// Reports that something is wrong, and what the program does about it.
    public let onUnexpected: @Sendable (String) -> Void
    /// Reports that the fault is over.
    public let onRecovery: @Sendable (String) -> Void
    /// Raises an alarm for failures that last. Nil in programs without an operator.
    public let watch: RetryWatch?
    /// Nil where each failure is reported from the first moment on.
    public let start: StartPhase?

    public init(
        onUnexpected: @escaping @Sendable (String) -> Void,
        onRecovery: @escaping @Sendable (String) -> Void, watch: RetryWatch? = nil,
        start: StartPhase? = nil
    ) {
        self.onUnexpected = onUnexpected
        self.onRecovery = onRecovery
        self.watch = watch
        self.start = start
    }

    /// Discards all reports, for programs without an operator.
    public static let unheard = Notices(onUnexpected: { _ in }, onRecovery: { _ in })
}
