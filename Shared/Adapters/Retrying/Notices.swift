/// Where lasting work reports, in one sentence each, what an operator should know.
public struct Notices: Sendable {
    /// Something is not as it should be; the sentence says what is done about it.
    public let onUnexpected: @Sendable (String) -> Void
    /// It is over.
    public let onRecovery: @Sendable (String) -> Void
    /// Raises an alarm for failures that last; nil where nobody looks.
    public let watch: RetryWatch?

    public init(
        onUnexpected: @escaping @Sendable (String) -> Void,
        onRecovery: @escaping @Sendable (String) -> Void, watch: RetryWatch? = nil
    ) {
        self.onUnexpected = onUnexpected
        self.onRecovery = onRecovery
        self.watch = watch
    }

    /// For programs that report to nobody.
    public static let unheard = Notices(onUnexpected: { _ in }, onRecovery: { _ in })
}
