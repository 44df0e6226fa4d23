import EventLog
import Foundation
import Postgres
import Synchronization

/// The state of a group member that the heartbeats need.
final class MemberPulse: Sendable {
    struct State: Sendable {
        var lastActivity: ContinuousClock.Instant = .now
        /// Whether a poll or commit is running.
        var isActive = false
        var wasGivenUp = false
    }
    let group: String
    let member: [UInt8]
    let signal: WakeSignal
    let state = Mutex(State())

    init(group: String, member: [UInt8], signal: WakeSignal) {
        self.group = group
        self.member = member
        self.signal = signal
    }

    func begin() { state.withLock { $0.isActive = true } }

    func end() {
        state.withLock { state in
            state.isActive = false
            state.lastActivity = .now
        }
    }

    var wasGivenUp: Bool { state.withLock { $0.wasGivenUp } }

    /// Whether the member's task polled or committed within the limit. Otherwise no heartbeat keeps
    /// the member alive.
    func isDriven(within limit: Duration) -> Bool {
        state.withLock { $0.isActive || .now - $0.lastActivity < limit }
    }
}

/// Sends the heartbeats of this process's members, on a connection and thread of its own. So a
/// member that works long on a batch keeps its partitions. A process that is stopped loses them.
///
/// Safe to share: everything that changes is guarded by the condition.
final class HeartbeatKeeper: @unchecked Sendable {
    private let settings: PostgresLogSettings
    private let undertaker: Undertaker
    private let condition = NSCondition()
    private var pulses: [ObjectIdentifier: MemberPulse] = [:]
    private var isRunning = false
    private var isClosed = false

    init(_ settings: PostgresLogSettings, _ bell: LogBell) {
        self.settings = settings
        undertaker = Undertaker(settings, bell)
    }

    func add(_ pulse: MemberPulse) {
        condition.lock()
        defer { condition.unlock() }
        pulses[ObjectIdentifier(pulse)] = pulse
        guard !isRunning, !isClosed else { return }
        isRunning = true
        start()
    }

    func remove(_ pulse: MemberPulse) {
        condition.lock()
        pulses[ObjectIdentifier(pulse)] = nil
        condition.unlock()
    }

    func close() async {
        condition.withLock {
            isClosed = true
            pulses = [:]
            condition.broadcast()
        }
        await undertaker.close()
    }

    private func start() {
        let thread = Thread { self.run() }
        thread.name = "log-heartbeat"
        thread.start()
    }

    private func run() {
        var session: PostgresSession?
        while let members = waitForTurn() {
            // After a failure the next turn tries again. A lease outlasts several turns.
            session = try? beat(members, session)
        }
    }

    /// Sends the heartbeats of all members in one round trip, so that none waits for another.
    /// Returns the session for the next turn.
    private func beat(
        _ members: [MemberPulse], _ former: PostgresSession?
    ) throws(PostgresError) -> PostgresSession {
        let session = try reopened(former)
        let driven = members.filter { $0.isDriven(within: settings.sessionTimeout) }
        let limit = settings.sessionMicroseconds
        let results = try session.pipeline(
            driven.map { pulse in
                PostgresStatement(
                    "SELECT lives, mourns FROM log.heartbeat($1, $2, $3)",
                    [.text(pulse.group), .uuid(pulse.member), .int64(limit)])
            })
        for (pulse, rows) in zip(driven, results) {
            let lives: Bool = try rows[0]["lives"]
            let mourns: Bool = try rows[0]["mourns"]
            if !lives {
                pulse.state.withLock { $0.wasGivenUp = true }
                pulse.signal.wakeForGroup()
            }
            if mourns { undertaker.bury(pulse.group) }
        }
        return session
    }

    private func reopened(_ session: PostgresSession?) throws(PostgresError) -> PostgresSession {
        if let session, session.isStillOpen() { return session }
        let session = try PostgresSession(settings.database)
        // A disk that stands still for seconds must not make members seem dead. A server that
        // crashes may lose a heartbeat, but its start counts as one.
        try session.execute(script: "SET synchronous_commit = off")
        return session
    }

    private func waitForTurn() -> [MemberPulse]? {
        condition.lock()
        defer { condition.unlock() }
        let next = Date(
            timeIntervalSinceNow: Double(settings.heartbeatInterval.microseconds) / 1_000_000)
        while !isClosed, condition.wait(until: next) {}
        return isClosed ? nil : Array(pulses.values)
    }
}
