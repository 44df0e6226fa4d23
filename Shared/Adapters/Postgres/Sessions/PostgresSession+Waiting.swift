import CPostgres
import Foundation

extension PostgresSession {
    /// The time to stop waiting for an answer. The server should have cancelled the statement by
    /// then, so it or the network has stopped.
    func deadline() -> ContinuousClock.Instant {
        .now + statementTimeout + .seconds(5)
    }

    /// The next result of a statement. Nil after its last one.
    func nextResult(
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> OpaquePointer? {
        while true {
            let unsent = PQflush(connection)
            guard unsent >= 0 else { throw lost() }
            if PQisBusy(connection) == 0 { return PQgetResult(connection) }
            try waitForServer(toWrite: unsent > 0, until: deadline)
            guard PQconsumeInput(connection) == 1 else { throw lost() }
        }
    }

    /// Waits until the server has sent something or, with `toWrite`, accepts more.
    func waitForServer(
        toWrite: Bool, until deadline: ContinuousClock.Instant
    ) throws(PostgresError) {
        var descriptor = pollfd(
            fd: PQsocket(connection), events: Int16(POLLIN) | (toWrite ? Int16(POLLOUT) : 0),
            revents: 0)
        while true {
            let rest = (deadline - .now).milliseconds
            guard rest > 0 else { throw lost("the server did not answer in time") }
            let ready = poll(&descriptor, 1, Int32(clamping: rest))
            if ready > 0 { return }
            guard ready == 0 || errno == EINTR else { throw lost() }
        }
    }

    func lost(_ reason: String? = nil) -> PostgresError {
        isBroken = true
        return .connectionLost(reason ?? connectionMessage)
    }

    var connectionMessage: String {
        let message = Self.oneLine(PQerrorMessage(connection))
        return message.isEmpty ? "the connection was lost" : message
    }
}

extension Duration {
    /// The duration in whole milliseconds, rounded up, so that a wait never becomes a busy loop.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
