public import EventLog
import Postgres

extension PostgresLog: RestorableLog {
    public func holdCompaction() async throws(EventLogError) -> any CompactionHold {
        try await ready()
        let lock = SessionLock(
            LogMaintenance.compactionLock, settings.database,
            patience: LogMaintenance.longestStep)
        do { try await lock.acquireShared() } catch {
            await lock.release()
            throw EventLogError(error)
        }
        return LockedCompaction(lock: lock)
    }

    public func beginRestoring(_ topics: [TopicSpecification]) async throws(EventLogError) {
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

    public func endRestoring(_ topics: [TopicSpecification]) async throws(EventLogError) {}
}

private struct LockedCompaction: CompactionHold {
    let lock: SessionLock

    func check() async throws(EventLogError) {
        guard await lock.isHeld() else {
            throw EventLogError(
                .unavailable, "the session that keeps the log from compacting was lost")
        }
    }

    func end() async { await lock.release() }
}
