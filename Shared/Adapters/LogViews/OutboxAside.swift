import EventLog
import Retrying

/// The alarm for events that an outbox has set aside, including those of earlier processes. It
/// lasts until an operator has handled the events and removed them.
struct OutboxAside {
    struct Waiting: CausedFault, CustomStringConvertible {
        let description: String
        var cause: FaultCause { .world }
    }

    private static let interval = Duration.seconds(60)

    private let schema: String
    private var retry: Retry
    private var lookedAt = ContinuousClock.now
    /// Whether to check at the next opportunity.
    var isDue = true

    init(_ schema: String, _ notices: Notices) {
        self.schema = schema
        retry = Retry(
            of: "Relaying every event of the outbox \(schema)", notices: notices, isWatched: true)
    }

    /// Checks at most once a minute, or at once if `isDue`.
    mutating func look(_ claim: OutboxClaim) async throws {
        guard isDue || .now - lookedAt > Self.interval else { return }
        guard let (count, reason) = try await claim.inspectAside() else {
            retry.ended()
            return looked()
        }
        retry.failed(
            Waiting(
                description: "\(count) events are in \(schema).outbox_set_aside; handle and "
                    + "delete them: \(reason)"))
        looked()
    }

    private mutating func looked() { (isDue, lookedAt) = (false, .now) }

    /// Ends the alarm's watch without a report, when the relay ends.
    mutating func forgotten() { retry.forgotten() }
}
