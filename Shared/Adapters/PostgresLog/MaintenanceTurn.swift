import EventLog
import Postgres

/// Whether the log is looked after at all: it is an alarm when one transaction has the turn for too long,
/// since it does nothing or hangs, and when passes fail for as long. One that fails is no alarm, for the
/// next makes it good.
struct MaintenanceTurn {
    /// Somebody has the lock and does no maintenance.
    struct Held: CausedFault, CustomStringConvertible {
        let holder: TableLock.Holder
        var cause: FaultCause { .world }
        var description: String {
            "\(holder) holds log.compactions for too long, and nobody drops or compacts anything: "
                + "end it by pg_terminate_backend"
        }
    }

    private let patience: Duration
    private var outage: Outage
    private var failingSince: ContinuousClock.Instant?
    private var other: (holder: TableLock.Holder, since: ContinuousClock.Instant)?

    init(patience: Duration, notices: Notices) {
        self.patience = patience
        outage = Outage(of: "Looking after the log", notices: notices, isWatched: true)
    }

    /// After a pass, or one that was left to another session.
    mutating func passed(leavingTo holder: TableLock.Holder?) {
        guard let holder else {
            (other, failingSince) = (nil, nil)
            return outage.ended()
        }
        guard let known = other, known.holder == holder else {
            other = (holder, .now)
            return
        }
        if .now - known.since > patience { outage.failed(Held(holder: holder)) }
    }

    mutating func failed(_ error: EventLogError) {
        guard let failingSince else {
            failingSince = .now
            return
        }
        if .now - failingSince > patience { outage.failed(error) }
    }
}
