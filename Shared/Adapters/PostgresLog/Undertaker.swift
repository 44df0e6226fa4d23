import Postgres
import Synchronization

/// Gives the partitions of dead members to others. It needs the group's lock, which another session
/// may hold for long. So it waits on a connection of its own, with a time limit, and heartbeats go
/// on.
final class Undertaker: Sendable {
    /// How long to wait for the lock. The next heartbeat finds the same dead members and tries
    /// again.
    private static let lockTimeout = Duration.seconds(3)

    private let connection: PostgresConnection
    private let bell: LogBell
    private let sessionMicroseconds: Int64
    /// The groups that are being handled now.
    private let underWay = Mutex<Set<String>>([])

    init(_ settings: PostgresLogSettings, _ bell: LogBell) {
        var database = settings.database
        database.settings["lock_timeout"] = "\(Self.lockTimeout.microseconds / 1_000)"
        connection = PostgresConnection(database)
        self.bell = bell
        sessionMicroseconds = settings.sessionMicroseconds
    }

    /// Starts the work for a group and returns at once.
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
