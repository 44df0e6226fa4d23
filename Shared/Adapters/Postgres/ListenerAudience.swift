/// Knows whether any other process listens to our channels. A notification is a transaction. A
/// single process would otherwise make hundreds a second that nobody receives.
///
/// PostgreSQL does not show who listens. So each listener holds a shared advisory lock for each of
/// its channels.
struct ListenerAudience: Sendable {
    private static let lockClass: Int32 = 7_312

    private let channels: [String]

    init(_ channels: [String]) { self.channels = channels }

    /// Registers this session as a listener until it ends.
    func enter(_ session: PostgresSession) throws(PostgresError) {
        for channel in channels {
            try session.query(
                "SELECT pg_advisory_lock_shared($1, hashtext($2))",
                [.int32(Self.lockClass), .text(channel)])
        }
    }

    func hasOthers(_ session: PostgresSession) throws(PostgresError) -> Bool {
        let rows = try session.query(
            """
            SELECT FROM pg_locks l
            JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
            JOIN unnest($2) c (channel) ON l.objid = hashtext(c.channel)::oid
            WHERE l.locktype = 'advisory' AND l.classid = $1::oid AND l.pid <> pg_backend_pid()
            LIMIT 1
            """, [.int32(Self.lockClass), .textArray(channels)])
        return !rows.isEmpty
    }
}
