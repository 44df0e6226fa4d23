public import EventLog
import Postgres

extension PostgresLog: RestorableLog {
    public func beginRestoring(_ topics: [String]) async throws(EventLogError) {
        try await ready()
    }

    public func restore(_ records: [RestoredRecord]) async throws(EventLogError) {
        for (name, records) in Dictionary(grouping: records, by: \.record.topic) {
            let topic = try await resolve(name)
            do {
                try await pool.query(
                    "SELECT log.restore($1, $2, $3, $4, $5, $6)",
                    [
                        .int32(topic.id),
                        .int32Array(records.map { Int32(clamping: $0.record.partition ?? 0) }),
                        .timestampArray(microseconds: records.map(\.appendedAtMicroseconds)),
                        .bytesArray(records.map(\.record.key)),
                        .bytesArray(records.map(\.record.value)),
                        .bytesArray(records.map(\.record.headers.encoded)),
                    ])
            } catch { throw EventLogError(error) }
        }
    }

    public func endRestoring(_ topics: [String]) async throws(EventLogError) {}
}
