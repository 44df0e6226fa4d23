import EventLog
import Foundation
import Postgres
import Retrying

/// A thread with a connection that appends the queue's records. Each transaction is one round trip.
struct AppendWorker: Sendable {
    let queue: AppendQueue
    let settings: PostgresLogSettings
    let bell: LogBell

    /// Faults that the next batch is likely to meet as well.
    private static let passing: Set<EventLogError.Code> = [
        .unavailable, .storageFull, .notAuthorized,
    ]

    /// Starts the thread. It is a function of its own so that the block is formed outside any
    /// actor.
    func start() {
        let thread = Thread { run() }
        thread.name = "log-append"
        thread.start()
    }

    private func run() {
        var session: PostgresSession?
        var pause = GrowingPause(from: .milliseconds(100), to: .seconds(1))
        while let batch = queue.dequeue() {
            let (open, failure) = carryOut(batch, session)
            session = open
            queue.release(batch.map(\.partition))
            for piece in batch { piece.request.finishPiece(failure) }
            guard let code = failure?.code, Self.passing.contains(code) else {
                pause.reset()
                continue
            }
            // New requests wait during this pause.
            queue.pause(seconds: pause.nextWithJitter() / .seconds(1))
        }
    }

    private func carryOut(
        _ batch: [AppendPiece], _ session: PostgresSession?
    ) -> (PostgresSession?, EventLogError?) {
        do {
            let session = try opened(session)
            do {
                try append(batch, session)
                return (session, nil)
            } catch { return (session, error) }
        } catch { return (nil, error) }
    }

    private func opened(_ session: PostgresSession?) throws(EventLogError) -> PostgresSession {
        if let session, session.isStillOpen() { return session }
        do { return try PostgresSession(settings.database) } catch { throw EventLogError(error) }
    }

    private func append(
        _ batch: [AppendPiece], _ session: PostgresSession
    ) throws(EventLogError) {
        var statements = AppendStatements()
        for piece in batch {
            for record in piece.records { statements.add(record, to: piece.partition) }
        }
        do {
            bell.ring(statements, try Self.run(statements, before: [], session))
        } catch {
            let fault = EventLogError(error, outcomeMatters: true)
            if fault.code == .unknownOutcome { bell.doubt(statements) }
            throw fault
        }
    }

    /// Runs the statements as one transaction and returns the rows of the appends.
    ///
    /// If the table for the day is missing, because the log was idle for days, it creates the table
    /// and tries again. It also tries again after a deadlock, which other users of the tables could
    /// cause.
    static func run(
        _ appends: AppendStatements, before: [PostgresStatement], _ session: PostgresSession,
        beforeCommit: (() -> Void)? = nil
    ) throws(PostgresError) -> [PostgresRows] {
        let statements = before + appends.statements
        var attempts = 0
        while true {
            do {
                let results = try session.pipeline(statements, beforeEnd: beforeCommit)
                return Array(results.dropFirst(before.count))
            } catch {
                attempts += 1
                guard attempts < 3 else { throw error }
                if error.isCheckViolation {
                    for topic in appends.topics {
                        try session.query("SELECT log.extend($1)", [.int32(topic)])
                    }
                } else if !["40P01", "40001"].contains(error.sqlState) {
                    throw error
                }
            }
        }
    }
}
