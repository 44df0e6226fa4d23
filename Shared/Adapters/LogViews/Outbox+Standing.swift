public import Postgres

extension Outbox {
    /// The events of an outbox at one moment.
    public struct Standing: Sendable, Hashable {
        /// Events that wait for the log.
        public var waiting: Int64
        /// The id of the oldest one.
        public var oldest: Int64?
        /// Events that the log refused. An operator has to handle and delete them.
        public var setAside: Int64
    }

    public func standing(_ pool: PostgresPool) async throws -> Standing {
        let row = try await pool.query(
            """
            SELECT count(*) AS waiting, min(id) AS oldest,
                to_regclass($1) IS NOT NULL AS has_aside FROM \(schema).outbox
            """, [.text("\(schema).outbox_set_aside")])[0]
        var aside: Int64 = 0
        if try row["has_aside"] {
            aside = try await pool.query(
                "SELECT count(*) AS aside FROM \(schema).outbox_set_aside")[0]["aside"]
        }
        return Standing(waiting: try row["waiting"], oldest: try row["oldest"], setAside: aside)
    }
}
