public import EventLog
import Postgres

extension PostgresLog {
    /// The longest search in one table. Tables of topics that age have no index of keys and may
    /// hold a day of many devices.
    private static let patience = Duration.seconds(900)

    public func erase(
        _ keys: [[UInt8]], of topics: [String], before mark: [UInt8]
    ) async throws(EventLogError) -> Bool {
        for name in topics {
            let topic = try await resolve(name)
            do {
                try await erase(keys, of: topic, before: mark)
            } catch { throw EventLogError(error) }
        }
        return true
    }

    /// Goes through the topic's tables one by one, the newest first. All keys are looked for at
    /// once, so the work does not grow with their number.
    private func erase(
        _ keys: [[UInt8]], of topic: StoredTopic, before mark: [UInt8]
    ) async throws {
        let tables = try await tables(of: topic)
        var marks: [[UInt8]: Int64] = [:]
        for table in tables {
            // A mark in a newer table is the last one.
            let unmarked = keys.filter { marks[$0] == nil }
            if unmarked.isEmpty { break }
            for row in try await patiently(
                """
                SELECT key, max("offset") AS mark FROM log.\(table)
                WHERE partition = ANY ($1::int[]) AND key = ANY ($2::bytea[])
                    AND position($3 IN headers) > 0
                GROUP BY key
                """, [partitions(of: unmarked, topic), .bytesArray(unmarked), .bytes(mark)])
            {
                marks[try row["key"]] = try row["mark"]
            }
        }
        guard !marks.isEmpty else { return }
        let marked = marks.sorted { $0.value < $1.value }
        for table in tables {
            _ = try await patiently(
                """
                DELETE FROM log.\(table) AS records
                USING unnest($2::bytea[], $3::bigint[]) AS marks (key, mark)
                WHERE records.partition = ANY ($1::int[]) AND records.key = marks.key
                    AND records."offset" < marks.mark
                """,
                [
                    partitions(of: marked.map(\.key), topic), .bytesArray(marked.map(\.key)),
                    .int64Array(marked.map(\.value)),
                ])
        }
    }

    private func partitions(of keys: [[UInt8]], _ topic: StoredTopic) -> PostgresValue {
        .int32Array(
            Set(keys.map { Int32(partition(forKey: $0, of: topic.partitions)) }).sorted())
    }

    /// The tables of a topic that ages, one for each day; else its only one.
    private func tables(of topic: StoredTopic) async throws -> [String] {
        let days: [String] = try await pool.query(
            "SELECT table_name FROM log.spans WHERE topic = $1 ORDER BY starts_at DESC",
            [.int32(topic.id)]
        ).map { try $0["table_name"] }
        return days.isEmpty ? ["records_\(topic.id)"] : days
    }

    /// One statement in a transaction of its own. A day's table that has just been dropped has no
    /// rows.
    private func patiently(
        _ statement: String, _ values: [PostgresValue]
    ) async throws -> [PostgresRow] {
        do {
            return try await pool.withTransaction { connection in
                try connection.setStatementTimeout(Self.patience)
                return try connection.query(statement, values).map(\.self)
            }
        } catch let error as PostgresError where error.isUndefinedTable {
            return []
        }
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
