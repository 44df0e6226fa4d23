import Devices
import EventLog
import Events
import Wire

/// Makes the topic `locator-state` from restored positions and visits. It gets the ids of the last
/// day, the visits that last, and the groups of beacons that devices are in.
actor LocatorStateMaking {
    private let log: any RestorableLog
    private let partitions: Int
    private let now: Timestamp
    /// Positions from before need no ids: nobody sends their scans again.
    private let earliest: Timestamp
    /// One for each partition.
    private var devices: [RestoredDevices]
    private var waiting: [RestoredRecord] = []
    private var waitingBytes = 0

    init(log: any RestorableLog, partitions: Int, recordsAt: Timestamp, now: Timestamp) {
        self.log = log
        self.partitions = partitions
        devices = Array(repeating: RestoredDevices(), count: partitions)
        self.now = now
        earliest = recordsAt.advanced(byMicroseconds: -SeenScans.keptSeconds * 1_000_000)
    }

    /// Takes a record of `positions` or `visits`, in their order.
    func see(_ record: StoredRecord) async throws {
        switch record.headers["ce_type"] {
        case EventType.positionEstimated.name:
            let appendedAt = Timestamp(microseconds: record.appendedAtMicroseconds)
            guard appendedAt >= earliest,
                let position = try? PositionEstimated(record: record)
            else { return }
            let place = place(of: DeviceKey(position.site, position.device))
            if let full = devices[place].add(position, appendedAt: appendedAt) {
                try await put(full, in: place)
            }
        case EventType.visitStarted.name:
            if let event = try? VisitStarted(record: record) {
                devices[place(of: DeviceKey(event.site, event.device))].add(event)
            }
        case EventType.visitEnded.name:
            if let event = try? VisitEnded(record: record) {
                devices[place(of: DeviceKey(event.site, event.device))].add(event)
            }
        case EventType.groupEntered.name:
            if let event = try? GroupEntered(record: record) {
                devices[place(of: DeviceKey(event.site, event.device))].add(event)
            }
        case EventType.groupLeft.name:
            if let event = try? GroupLeft(record: record) {
                devices[place(of: DeviceKey(event.site, event.device))].add(event)
            }
        case EventType.deviceErased.name:
            if let event = try? DeviceErased(record: record) {
                devices[place(of: event.key)].erase(event.key)
            }
        default: break
        }
    }

    /// Appends what is left.
    func finish() async throws {
        for place in devices.indices {
            try await put(devices[place].lastSegment(at: now), in: place)
            for (key, visits) in devices[place].visits {
                try await put(
                    DeviceStateKey(key, .visits).bytes, DeviceVisitsCodec.encode(visits),
                    in: place)
            }
            for (key, groups) in devices[place].groups {
                try await put(
                    DeviceStateKey(key, .groups).bytes, DeviceGroupsCodec.encode(groups),
                    in: place)
            }
        }
        try await flush()
    }

    private func place(of device: DeviceKey) -> Int {
        partition(forKey: RecordKey.bytes(device.site, device.device), of: partitions)
    }

    private func put(_ segment: SeenSegment, in place: Int) async throws {
        try await put(
            SeenSegmentKey.bytes(segment.number), SeenSegmentCodec.encode(segment), in: place)
    }

    private func put(_ key: [UInt8], _ value: [UInt8], in place: Int) async throws {
        waitingBytes += key.count + value.count
        waiting.append(
            RestoredRecord(
                LogRecord(
                    topic: Topic.locatorState.name, partition: place, key: key, value: value),
                appendedAtMicroseconds: now.microseconds))
        guard
            waiting.count >= TopicRestoring.batchRecords
                || waitingBytes >= TopicRestoring.batchBytes
        else { return }
        try await flush()
    }

    private func flush() async throws {
        guard !waiting.isEmpty else { return }
        let batch = waiting
        (waiting, waitingBytes) = ([], 0)
        try await log.restore(batch)
    }
}
