import EventLog
import Retrying

/// The alarm for what an outbox has set aside, by earlier processes too: it lasts until somebody
/// has looked after the events and taken them away.
struct OutboxAside {
    struct Waiting: CausedFault, CustomStringConvertible {
        let description: String
        var cause: FaultCause { .world }
    }

    private static let interval = Duration.seconds(60)

    private let schema: String
    private var retry: Retry
    private var lookedAt = ContinuousClock.now
    /// Look at the next opportunity.
    var isDue = true

    init(_ schema: String, _ notices: Notices) {
        self.schema = schema
        retry = Retry(
            of: "Relaying every event of the outbox \(schema)", notices: notices, isWatched: true)
    }

    /// Looks now and then.
    mutating func look(_ claim: OutboxClaim) async throws {
        guard isDue || .now - lookedAt > Self.interval else { return }
        guard let (count, reason) = try await claim.inspectAside() else {
            retry.ended()
            return looked()
        }
        retry.failed(
            Waiting(
                description: "\(count) events are in \(schema).outbox_set_aside, to be looked "
                    + "after and taken away: \(reason)"))
        looked()
    }

    private mutating func looked() { (isDue, lookedAt) = (false, .now) }

    /// The relay ends.
    mutating func forgotten() { retry.forgotten() }
}
