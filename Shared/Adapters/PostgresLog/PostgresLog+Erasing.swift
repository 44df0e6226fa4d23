public import EventLog
import Postgres

extension PostgresLog {
    /// The longest search for one key in one table. Tables of topics that age have no index of keys
    /// and may hold a day of many devices.
    private static let patience = "15min"

    public func erase(
        _ key: [UInt8], of topics: [String], before mark: [UInt8]
    ) async throws(EventLogError) -> Bool {
        for name in topics {
            let topic = try await resolve(name)
            let number = partition(forKey: key, of: topic.partitions)
            do {
                try await pool.withTransaction { connection in
                    try connection.execute(
                        script: "SET LOCAL statement_timeout = '\(Self.patience)'")
                    try connection.query(
                        """
                        DELETE FROM log.records_\(topic.id)
                        WHERE partition = $1 AND key = $2 AND "offset" < (
                            SELECT max("offset") FROM log.records_\(topic.id)
                            WHERE partition = $1 AND key = $2 AND position($3 IN headers) > 0)
                        """, [.int(number), .bytes(key), .bytes(mark)])
                }
            } catch { throw EventLogError(error) }
        }
        return true
    }

    public func erase(
        _ records: [TopicPartition: [Int64]]
    ) async throws(EventLogError) -> Bool {
        for (place, offsets) in records {
            let topic = try await resolve(place.topic)
            do {
                try await pool.query(
                    """
                    DELETE FROM log.records_\(topic.id)
                    WHERE partition = $1 AND "offset" = ANY ($2::bigint[])
                    """, [.int(place.partition), .int64Array(offsets)])
            } catch { throw EventLogError(error) }
        }
        return true
    }
}
