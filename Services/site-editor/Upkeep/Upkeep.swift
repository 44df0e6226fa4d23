public import Events
public import ServiceHost

/// The checks and repairs that reach into all services. Only the complete program can make them.
public struct Upkeep: Sendable {
    /// All checks of `whereabouts doctor`, made once.
    public var findings: @Sendable () async -> [Finding]
    /// Puts the record of a letter back to its consumer.
    public var putBack: @Sendable (DeadLettered) async throws -> Host.PutBackOutcome

    public init(
        findings: @escaping @Sendable () async -> [Finding],
        putBack: @escaping @Sendable (DeadLettered) async throws -> Host.PutBackOutcome
    ) {
        self.findings = findings
        self.putBack = putBack
    }
}
