import EventLog
import Events
import Postgres
import Retrying
import ServiceHost
import Wire

/// Removes the records of erased devices from the log, where its engine can do that. The log on
/// Kafka can't: there they stay under the device's random id until their retention.
struct ErasingLog: Sendable {
    private static let pause = Duration.seconds(5)
    /// The topics in which the erasure follows the device's records.
    private static let topics: [Topic] = [.scans, .positions, .visits]
    /// A letter may have 11 MB.
    private static let lettersAtOnce = 8

    let log: any EventLog
    let pool: PostgresPool

    func run(_ notices: Notices) async {
        await attemptUntilDone("Erasing devices from the log", notices: notices) { retry in
            while !Task.isCancelled {
                try await eraseWhatIsDue()
                retry.ended()
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Erases those devices whose erasure both views have read: nothing from before follows then.
    func eraseWhatIsDue() async throws {
        for (id, device, until) in try await due() {
            // The erasure itself stays, for those who read the topics from the start. So do scans
            // of a later device with the same id.
            let isErased = try await log.erase(
                RecordKey.bytes(device.site, device.device), of: Self.topics.map(\.name),
                before: Array(EventType.deviceErased.name.utf8))
            if isErased { try await eraseLetters(of: device, until: until) }
            for schema in ["locator", "visits"] {
                try await pool.query(
                    """
                    UPDATE \(schema).erasures SET log_erased_at = clock_timestamp() WHERE id = $1
                    """, [.uuid(id.bytes)])
            }
        }
    }

    /// Erases the dead letters of the device's records.
    private func eraseLetters(of device: DeviceKey, until: Timestamp) async throws {
        var letters: [TopicPartition: [Int64]] = [:]
        let ranges = try await log.ranges(of: [Topic.deadLetters.name])
        try await log.readRange(ranges, batchLimit: Self.lettersAtOnce) { records in
            for record in records {
                guard let letter = try? DeadLettered(record: record), letter.device == device,
                    letter.came <= until
                else { continue }
                letters[record.topicPartition, default: []].append(record.offset)
            }
        }
        if !letters.isEmpty { _ = try await log.erase(letters) }
    }

    private func due() async throws -> [(EventID, DeviceKey, Timestamp)] {
        do {
            return try await pool.query(
                """
                SELECT visits.id, visits.site, visits.device, visits.erased_until
                FROM visits.erasures AS visits
                JOIN locator.erasures AS positions USING (id)
                WHERE visits.log_erased_at IS NULL ORDER BY visits.applied_at
                """
            ).map { row in
                let key = DeviceKey(SiteID(try row["site"]), DeviceID(try row["device"]))
                let until = Timestamp(microseconds: try row["erased_until"])
                return (try PositionRow.identifier(row["id"]), key, until)
            }
        } catch let error as PostgresError where error.isUndefinedTable {
            return []
        }
    }
}
