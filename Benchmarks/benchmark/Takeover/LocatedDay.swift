import Devices
import EventLog
import Events
import Positioning
import SeededRandomness
import Wire

/// The state that locators have after a day of scans: segments of ids, the positions after the last
/// segment, and the filter's states. Each device scans once in five seconds.
struct LocatedDay {
    private static let partitions = 12
    private static let segmentSeconds = 300
    private static let segments = 86_400 / segmentSeconds
    private static let batch = 500
    /// The bytes of one state of the filter: a large one without magnetic routes.
    private static let stateBytes = 1_300
    /// The states of each device that are on the log. Older ones are compacted away.
    private static let states = 10

    let perSecond: Int

    var scans: Int { perSecond * 86_400 }
    /// The bytes of all states of the filter.
    var bytesOfStates: Int { Self.states * 5 * perSecond * Self.stateBytes }
    /// The bytes of all segments.
    var bytes: Int { Self.segments * Self.partitions * encoded(0, Timestamp.now).count }

    static func device(_ number: Int) -> DeviceID { DeviceID("pi-\(number)") }

    func write(to log: any EventLog) async throws {
        let now = Timestamp.now
        for number in 0..<Self.segments {
            let age = Int64(Self.segments - number) * Int64(Self.segmentSeconds) * 1_000_000
            let moment = now.advanced(byMicroseconds: -age)
            try await log.append(
                (0..<Self.partitions).map { partition in
                    LogRecord(
                        topic: Topic.locatorState.name, partition: partition,
                        // Behind the numbers of the locators that have run before.
                        key: SeenSegmentKey.bytes(UInt32(1_000 + number)),
                        value: encoded(1_000 + number, moment, salt: partition))
                })
        }
        for number in 0..<Self.states { try await writeStates(number, to: log) }
        for first in stride(from: 0, to: perSecond * Self.segmentSeconds, by: Self.batch) {
            try await log.append(
                (first..<first + Self.batch).map { number in
                    PositionEstimated(
                        id: EventID(at: now), scan: EventID(at: now), at: now, locatedAt: now,
                        device: Self.device(number % (5 * perSecond)), site: ScanSamples.site,
                        siteVersion: 1, state: .lost, late: false, positioner: "auto",
                        radioMapVersion: nil
                    ).record(source: "/benchmark")
                })
        }
    }

    /// Writes a state for each device.
    private func writeStates(_ number: Int, to log: any EventLog) async throws {
        var random = SeededRandom(seed: UInt64(number))
        let memory = PositionerMemory(entries: [
            "auto": PositionerMemory.Entry(
                basis: 1,
                state: PositionerState(
                    bytes: (0..<Self.stateBytes).map { _ in
                        UInt8.random(in: 0...255, using: &random)
                    }))
        ])
        let value = PositionerMemoryCodec.encode(memory)
        for first in stride(from: 0, to: 5 * perSecond, by: Self.batch) {
            try await log.append(
                (first..<min(first + Self.batch, 5 * perSecond)).map { device in
                    let key = DeviceKey(ScanSamples.site, Self.device(device))
                    return LogRecord(
                        topic: Topic.locatorState.name, partition: device % Self.partitions,
                        key: DeviceStateKey(key, .memory).bytes, value: value)
                })
        }
    }

    private func encoded(_ number: Int, _ moment: Timestamp, salt: Int = 0) -> [UInt8] {
        var random = SeededRandom(seed: UInt64(number * Self.partitions + salt))
        let ids = perSecond * Self.segmentSeconds / Self.partitions
        let devices = 5 * perSecond / Self.partitions
        return SeenSegmentCodec.encode(
            SeenSegment(
                number: UInt32(number), lastAppended: moment,
                idHashes: (0..<ids).map { _ in max(1, random.next()) },
                contentHashes: (0..<ids).map { _ in UInt32(truncatingIfNeeded: random.next()) },
                deviceHashes: (0..<devices).map { device in UInt64(device + 1) },
                newestScans: Array(repeating: moment, count: devices)))
    }
}
