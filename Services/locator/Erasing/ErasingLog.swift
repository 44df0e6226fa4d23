import EventLog
import Events
import Postgres
import Retrying
import ServiceHost
import Site
import Wire

/// Removes the records of erased devices from the log, where its engine can do that. The log on
/// Kafka can't: there they stay under the device's random id until their retention.
///
/// All erasures that are due are one pass: a pass reads large tables, and people may ask for many
/// erasures. One that fails is tried alone from then on, so that it does not hold up the others.
struct ErasingLog: Sendable {
    private static let pause = Duration.seconds(5)
    /// A letter may have 11 MB.
    private static let lettersAtOnce = 8
    /// A record that was on its way to the log has come by then.
    static let sweptAfter = Duration.seconds(60)
    /// Records that came behind an erasure are looked for until this long after it.
    private static let sweptMicroseconds: Int64 = 300_000_000

    /// Sightings and taps of a device may have led to no row, so no row tells of them.
    private static let heard = [Topic.sightings, .taps].map(\.name)
    /// The headers of an erasure hold it.
    private static let mark = Array(EventType.deviceErased.name.utf8)

    /// Erasures that failed, the least recently tried first.
    struct Turns: Sendable {
        fileprivate var failed: [EventID] = []
    }

    private struct Due: Sendable {
        var id: EventID
        var device: DeviceKey
        var until: Timestamp
        /// Whether the views had any row of the device.
        var hadRows: Bool
    }

    let log: any EventLog
    let pool: PostgresPool
    /// The topics in which the erasure follows the device's records: the same to which the locator
    /// passes it on.
    let topics: [String]
    /// Whether positions are kept as long as scans, so that a device without any has no scans.
    var rowsTellAll = true

    init(log: any EventLog, pool: PostgresPool, rowsTellAll: Bool = true) {
        self.log = log
        self.pool = pool
        topics = [Topic.scans, .positions, .positionsBeside, .positionsSmoothed, .visits]
            .map(\.name)
        self.rowsTellAll = rowsTellAll
    }

    func run(_ notices: Notices) async {
        await attemptUntilDone("Erasing devices from the log", notices: notices) { retry in
            var turns = Turns()
            while !Task.isCancelled {
                do {
                    try await eraseWhatIsDue(&turns)
                    try await sweep()
                    retry.ended()
                } catch {
                    // The others go on; an alarm tells of the one that doesn't.
                    if error is CancellationError { throw error }
                    retry.failed(error)
                }
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Erases those devices whose erasure both views have read: nothing from before follows then.
    func eraseWhatIsDue(_ turns: inout Turns) async throws {
        let due = try await due()
        turns.failed.removeAll { id in !due.contains { $0.id == id } }
        let fresh = due.filter { !turns.failed.contains($0.id) }
        let waiting = turns.failed.first.flatMap { next in due.first { $0.id == next } }
        var fault: (any Error)?
        for group in [fresh, waiting.map { [$0] } ?? []] where !group.isEmpty {
            let ids = group.map(\.id)
            turns.failed.removeAll(where: ids.contains)
            do {
                try await erase(group)
            } catch {
                turns.failed += ids
                fault = error
            }
        }
        if let fault { throw fault }
    }

    private func erase(_ due: [Due]) async throws {
        let keys = due.filter(mayHaveRecords).map {
            RecordKey.bytes($0.device.site, $0.device.device)
        }
        // The erasure itself stays, for those who read the topics from the start. So do scans of a
        // later device with the same id.
        if !keys.isEmpty {
            _ = try await log.erase(keys, of: topics, before: Self.mark)
        }
        _ = try await log.erase(
            due.map { RecordKey.bytes($0.device.site, $0.device.device) }, of: Self.heard,
            before: Self.mark)
        try await eraseLetters(of: due)
        for schema in ["locator", "visits"] {
            try await pool.query(
                """
                UPDATE \(schema).erasures SET log_erased_at = clock_timestamp()
                WHERE id = ANY ($1::text[]::uuid[])
                """, [.textArray(due.map(\.id.description))])
        }
    }

    /// Whether the log may have records of the device. Rows at a testers' site go when its test
    /// ends, so there they tell nothing.
    private func mayHaveRecords(_ due: Due) -> Bool {
        due.hadRows || !rowsTellAll || due.device.site.tested != nil
    }

    /// Erases the dead letters of the devices' records.
    private func eraseLetters(of due: [Due]) async throws {
        let erased = Self.erased(due)
        try await eraseRecords(of: [Topic.deadLetters.name], batch: Self.lettersAtOnce) {
            erased.covers($0)
        }
    }

    private static func erased(_ due: [Due]) -> ErasedDevices {
        ErasedDevices(
            due.map {
                DeviceErased(
                    id: $0.id, site: $0.device.site, device: $0.device.device, at: $0.until)
            })
    }

    /// Looks once more, a minute later, for records that came behind an erasure and are from before
    /// it. A process may have accepted a scan before it knew of the erasure.
    func sweep() async throws {
        let due = try await rows(
            """
            WHERE visits.log_swept_at IS NULL
                AND visits.log_erased_at < clock_timestamp() - make_interval(secs => $1)
            """, [.double(Self.sweptAfter / .seconds(1))])
        guard let first = due.map(\.until).min(), let last = due.map(\.until).max() else { return }
        let erased = Self.erased(due)
        let end = last.advanced(byMicroseconds: Self.sweptMicroseconds)
        try await eraseRecords(of: topics + Self.heard, from: first, to: end) {
            !DeviceErased.isIn($0) && erased.covers($0)
        }
        try await pool.query(
            """
            UPDATE visits.erasures SET log_swept_at = clock_timestamp()
            WHERE id = ANY ($1::text[]::uuid[])
            """, [.textArray(due.map(\.id.description))])
    }

    /// Reads topics once, and erases the records for which the condition holds.
    private func eraseRecords(
        of topics: [String], from first: Timestamp? = nil, to last: Timestamp? = nil,
        batch: Int = 1_000, where holds: @Sendable (StoredRecord) -> Bool
    ) async throws {
        // A log that can't erase needs no reading.
        guard try await log.erase([:]) else { return }
        var ranges = try await log.ranges(of: topics)
        for topic in topics {
            let starts = try await offsets(of: topic, first)
            let ends = try await offsets(of: topic, last)
            for (place, range) in ranges where place.topic == topic {
                let start = max(range.lowerBound, starts?[place.partition] ?? range.lowerBound)
                let end = min(range.upperBound, ends?[place.partition] ?? range.upperBound)
                ranges[place] = start..<max(start, end)
            }
        }
        var found: [TopicPartition: [Int64]] = [:]
        try await log.readRange(ranges.filter { !$0.value.isEmpty }, batchLimit: batch) {
            for record in $0 where holds(record) {
                found[record.topicPartition, default: []].append(record.offset)
            }
        }
        if !found.isEmpty { _ = try await log.erase(found) }
    }

    private func offsets(of topic: String, _ moment: Timestamp?) async throws -> [Int64]? {
        guard let moment else { return nil }
        return try await log.offsets(of: topic, atMicroseconds: moment.microseconds)
    }

    /// Erasures that one of the views does not know as done. A rebuilt view has noted each of them
    /// anew, also those that were done before.
    private func due() async throws -> [Due] {
        try await rows(
            """
            WHERE visits.log_erased_at IS NULL OR positions.log_erased_at IS NULL
            ORDER BY visits.applied_at
            """, [])
    }

    private func rows(_ condition: String, _ values: [PostgresValue]) async throws -> [Due] {
        do {
            return try await pool.query(
                """
                SELECT id, visits.site, visits.device, visits.erased_until,
                    visits.had_rows OR positions.had_rows AS had_rows
                FROM visits.erasures AS visits
                JOIN locator.erasures AS positions USING (id)
                \(condition)
                """, values
            ).map { row in
                Due(
                    id: try PositionRow.identifier(row["id"]),
                    device: DeviceKey(SiteID(try row["site"]), DeviceID(try row["device"])),
                    until: Timestamp(microseconds: try row["erased_until"]),
                    hadRows: try row["had_rows"])
            }
        } catch let error as PostgresError where error.isUndefinedTable {
            return []
        }
    }
}
