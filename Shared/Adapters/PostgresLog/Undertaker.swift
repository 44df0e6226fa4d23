import Postgres
import Synchronization

/// Shares out the partitions of members that have died. It waits for the group's lock, which
/// somebody may hold for long, so it does that on a connection of its own and not for ever:
/// heartbeats go on.
final class Undertaker: Sendable {
    /// The next heartbeat finds the same dead, and asks again.
    private static let lockTimeout = Duration.seconds(3)

    private let connection: PostgresConnection
    private let bell: LogBell
    private let sessionMicroseconds: Int64
    /// Groups that are being looked after.
    private let underWay = Mutex<Set<String>>([])

    init(_ settings: PostgresLogSettings, _ bell: LogBell) {
        var database = settings.database
        database.settings["lock_timeout"] = "\(Self.lockTimeout.microseconds / 1_000)"
        connection = PostgresConnection(database)
        self.bell = bell
        sessionMicroseconds = settings.sessionMicroseconds
    }

    /// Returns at once.
    func bury(_ group: String) {
        guard underWay.withLock({ $0.insert(group).inserted }) else { return }
        Task {
            let isDone = try? await connection.query(
                "SELECT log.bury($1, $2)", [.text(group), .int64(sessionMicroseconds)])
            if isDone != nil { bell.wakeGroup(group) }
            underWay.withLock { _ = $0.remove(group) }
        }
    }

    func close() async { await connection.close() }
}
