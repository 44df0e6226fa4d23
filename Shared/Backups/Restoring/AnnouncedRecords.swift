import Cryptography
import EventLog
import Events
import LogViews
import Postgres
import Wire

/// The newest value of each key that the restored log and the outboxes hold, of the topics that
/// outboxes feed. All that the tables have and these lack is put into the outboxes again. So no
/// site, map or token is in the tables only.
struct AnnouncedRecords {
    private struct Place: Hashable {
        var topic: String
        var key: [UInt8]
    }

    /// The sums of the values.
    private var held: [Place: String] = [:]

    /// Takes a record of the log, in their order.
    mutating func see(_ record: StoredRecord) {
        guard let key = record.key else { return }
        see(record.topic, key, RestoredOffset.translated(record) ?? record.value)
    }

    private mutating func see(_ topic: String, _ key: [UInt8], _ value: [UInt8]?) {
        held[Place(topic: topic, key: key)] = value.map(sha256Hex)
    }

    private func has(_ record: LogRecord) -> Bool {
        let sum = held[Place(topic: record.topic, key: record.key)]
        guard Self.isSameInTables(record) else { return sum != nil }
        return sum == record.value.map(sha256Hex)
    }

    /// Whether the tables give the bytes that were appended. Fingerprints are `jsonb` there, and
    /// accounts don't have the time of their change.
    private static func isSameInTables(_ record: LogRecord) -> Bool {
        record.topic != Topic.fingerprints.name
            && !record.key.starts(with: AccountChanged.keyPrefix.utf8)
    }

    /// Puts what is missing into the outboxes, and returns how many records these are.
    mutating func complete(
        _ stores: [BackupStore], at moment: Timestamp, _ connection: isolated PostgresConnection
    ) throws -> Int {
        var count = 0
        for store in stores {
            guard let outbox = store.outbox, let announced = store.announced else { continue }
            for row in try connection.query(
                "SELECT topic, key, value FROM \(outbox.schema).outbox ORDER BY id")
            {
                see(try row["topic"], try row["key"], try row["value"])
            }
            let known = self
            try announced(connection, moment) { connection, records in
                guard !records.allSatisfy(known.has) else { return }
                try outbox.put(records, connection: connection)
                count += records.count
            }
        }
        return count
    }
}
