import EventLog
import Postgres
import Retrying

/// How a pass ended.
enum MaintenancePass {
    case done
    /// Another session has the turn: who, if it still had it when we looked, and what passes had
    /// changed by then, if that could be seen.
    case left(to: TableLock.Holder?, state: String?)
}

/// Whether the log is looked after at all: it is an alarm when no pass gets done here for too long
/// and none shows elsewhere, since who has the turn does nothing or hangs, and when passes fail for
/// as long. One that fails is no alarm, for the next makes it good.
struct MaintenanceTurn {
    /// Somebody has the lock and does no maintenance.
    struct Held: CausedFault, CustomStringConvertible {
        let holder: TableLock.Holder?
        var cause: FaultCause { .world }
        var description: String {
            let rest = "for too long, and nobody drops or compacts anything"
            guard let holder else {
                return "somebody takes log.compactions again and again \(rest): look in pg_locks"
            }
            return "\(holder) holds log.compactions, or takes it again and again, \(rest): "
                + "end it by pg_terminate_backend"
        }
    }

    private let patience: Duration
    private var retry: Retry
    private var failingSince: ContinuousClock.Instant?
    /// Since when others have the turn and nothing shows of what they do. Not by who it is, for a
    /// session may take the turn in one transaction after the other.
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
