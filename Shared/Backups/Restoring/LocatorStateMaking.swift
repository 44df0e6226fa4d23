import Devices
import EventLog
import Events
import Wire

/// Makes the topic `locator-state` from restored positions and visits: the ids of the last day, and
/// the visits that last.
actor LocatorStateMaking {
    private let log: any RestorableLog
    private let partitions: Int
    private let now: Timestamp
    /// Positions from before need no ids: nobody sends their scans again.
    private let earliest: Timestamp
    private var devices = RestoredDevices()
    private var waiting: [RestoredRecord] = []

    init(log: any RestorableLog, partitions: Int, recordsAt: Timestamp, now: Timestamp) {
        self.log = log
        self.partitions = partitions
        self.now = now
        earliest = recordsAt.advanced(byMicroseconds: -DeviceHistory.keptSeconds * 1_000_000)
    }

    /// Takes a record of `positions` or `visits`, in their order.
    func see(_ record: StoredRecord) async throws {
        switch record.headers["ce_type"] {
        case EventType.positionEstimated.name:
            let appendedAt = Timestamp(microseconds: record.appendedAtMicroseconds)
            guard appendedAt >= earliest,
                let position = try? PositionEstimated(record: record)
            else { return }
            if let full = devices.add(position, appendedAt: appendedAt) {
                put(full, of: DeviceKey(position.site, position.device))
            }
        case EventType.visitStarted.name:
            if let event = try? VisitStarted(record: record) { devices.add(event) }
        case EventType.visitEnded.name:
            if let event = try? VisitEnded(record: record) { devices.add(event) }
        case EventType.deviceErased.name:
            if let event = try? DeviceErased(record: record) { devices.erase(event.key) }
        default: break
        }
        if waiting.count >= 1_000 { try await flush() }
    }

    /// Appends what is left.
    func finish() async throws {
        for (key, bucket, visits) in devices.unstored {
            if let bucket { put(bucket, of: key) }
            if !visits.stays.isEmpty {
                put(DeviceStateKey(key, .visits), DeviceVisitsCodec.encode(visits))
            }
        }
        try await flush()
    }

    private func put(_ bucket: DeviceHistory.Bucket, of key: DeviceKey) {
        put(DeviceStateKey(key, .bucket(bucket.number)), LocatorStateCodec.encode(bucket))
    }

    private func put(_ key: DeviceStateKey, _ value: [UInt8]) {
        let place = partition(
            forKey: RecordKey.bytes(key.device.site, key.device.device), of: partitions)
        waiting.append(
            RestoredRecord(
                LogRecord(
                    topic: Topic.locatorState.name, partition: place, key: key.bytes, value: value),
                appendedAtMicroseconds: now.microseconds))
    }

    private func flush() async throws {
        guard !waiting.isEmpty else { return }
        for start in stride(from: 0, to: waiting.count, by: 1_000) {
            try await log.restore(Array(waiting[start..<min(start + 1_000, waiting.count)]))
        }
        waiting = []
    }
}
