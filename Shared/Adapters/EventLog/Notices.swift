/// Whom lasting work tells, in one sentence each, what an operator should know.
public struct Notices: Sendable {
    /// Something is not as it should be; the sentence says what becomes of it.
    public let onUnexpected: @Sendable (String) -> Void
    /// What was not as it should be is over.
    public let onRecovery: @Sendable (String) -> Void
    /// Makes an alarm of what lasts; nil where nobody looks.
    public let watch: OutageWatch?

    public init(
        onUnexpected: @escaping @Sendable (String) -> Void,
        onRecovery: @escaping @Sendable (String) -> Void, watch: OutageWatch? = nil
    ) {
        self.onUnexpected = onUnexpected
        self.onRecovery = onRecovery
        self.watch = watch
    }

    /// For programs that tell nobody.
    public static let unheard = Notices(onUnexpected: { _ in }, onRecovery: { _ in })
}
