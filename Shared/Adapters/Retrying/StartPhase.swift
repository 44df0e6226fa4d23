/// The first seconds of a process, in which its parts wait for each other's tables and keys.
///
/// A failure of this time mostly passes by itself, so the operator hears of it only if it lasts.
public struct StartPhase: Sendable {
    /// Migrations and first reads take less time.
    public static let length = Duration.seconds(10)

    private let ends: ContinuousClock.Instant
    /// Receives the failures of this time, one sentence each, for those who look for details.
    let onFailure: @Sendable (String) -> Void

    public init(
        from start: ContinuousClock.Instant = .now,
        onFailure: @escaping @Sendable (String) -> Void
    ) {
        ends = start + Self.length
        self.onFailure = onFailure
    }

    func isOver(at now: ContinuousClock.Instant) -> Bool { now >= ends }
}
