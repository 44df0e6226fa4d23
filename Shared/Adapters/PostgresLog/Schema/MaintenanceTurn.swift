import EventLog
import Postgres
import Retrying

enum MaintenancePass {
    case done
    /// Another session has the lock. Its holder is nil if the session had released it when we
    /// looked. The state is a hash of what passes change, or nil if it could not be read.
    case left(to: TableLock.Holder?, state: String?)
}

/// Decides when missing maintenance is an alarm: passes fail for too long, or other sessions hold
/// the lock for too long and nothing changes. One failed pass is no alarm, because the next pass
/// does its work.
struct MaintenanceTurn {
    /// Another session holds the lock without doing any maintenance.
    struct Held: CausedFault, CustomStringConvertible {
        let holder: TableLock.Holder?
        var cause: FaultCause { .world }
        var description: String {
            let rest = "for too long, and nobody drops or compacts anything"
            guard let holder else {
                return "a session locks log.compactions again and again \(rest): see pg_locks"
            }
            return "\(holder) locks log.compactions, or locks it again and again, \(rest): "
                + "end it by pg_terminate_backend"
        }
    }

    private let patience: Duration
    private var retry: Retry
    private var failingSince: ContinuousClock.Instant?
    /// The time since which other sessions held the lock and nothing changed. The holder does not
    /// matter, since a session may take the lock in one transaction after the other.
    private var idle: (state: String?, since: ContinuousClock.Instant)?

    init(patience: Duration, notices: Notices) {
        self.patience = patience
        retry = Retry(of: "Looking after the log", notices: notices, isWatched: true)
    }

    mutating func passed(_ pass: MaintenancePass) {
        guard case .left(let holder, let state) = pass else {
            (idle, failingSince) = (nil, nil)
            return retry.ended()
        }
        guard let idle, state == nil || state == idle.state else {
            self.idle = (state, .now)
            return
        }
        if .now - idle.since > patience { retry.failed(Held(holder: holder)) }
    }

    mutating func failed(_ error: EventLogError) {
        guard let failingSince else {
            failingSince = .now
            return
        }
        if .now - failingSince > patience { retry.failed(error) }
    }
}
