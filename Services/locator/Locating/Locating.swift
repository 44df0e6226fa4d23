import Devices
import EventLog
import Events
import ServiceHost
import Synchronization
import Threads
import Wire

/// Turns the scans of partitions into positions and visits; the locator's processor calls it.
struct Locating: Sendable {
    let sites: KnownSites
    let rules: DeviceRules
    /// Notes after each batch whether devices are in zones.
    let visited: VisitedPartitions
    let clock: EventClock
    private let onUnexpected: @Sendable (String) -> Void
    let erased: ErasureDirectory
    let batteries: BatteryDirectory
    let blocking = BlockingWork("locating")
    private let batches: BatchLocating
    private let scratches = ScratchPool()
    /// The `source` of the events (CloudEvents).
    static let source = "/locator"

    init(
        sites: KnownSites, rules: VisitRules, visited: VisitedPartitions, clock: EventClock,
        erased: ErasureDirectory = ErasureDirectory(ErasedDevices()),
        figures: LocatingFigures? = nil, batteries: BatteryDirectory = BatteryDirectory(),
        onUnexpected: @escaping @Sendable (String) -> Void
    ) {
        self.clock = clock
        self.onUnexpected = onUnexpected
        self.erased = erased
        self.batteries = batteries
        self.sites = sites
        self.rules = DeviceRules(visits: rules, digests: .standard)
        self.visited = visited
        batches = BatchLocating(
            rules: self.rules, now: { clock.now },
            knowledge: { sites.knowledge(of: $0) },
            isErased: { erased.covers($0, at: $1) },
            onTooLarge: { sites.stateIsTooLarge($0, $1) },
            onLocated: { figures?.note($0.state, of: $1, at: clock.now) },
            batteryNews: { batteries.news($0, now: clock.now) })
    }

    /// Restores a part of a device from a record of `locator-state`.
    func restore(_ devices: inout DeviceTable, _ record: StoredRecord) {
        if !devices.restore(record) {
            onUnexpected("A state record of \(record.topicPartition) can't be read.")
        }
        visited.note(
            record.partition, isVisited: devices.isVisited,
            atMicroseconds: record.appendedAtMicroseconds)
    }

    /// Restores what a record of `positions` says about a scan that was located.
    func restoreLocated(_ devices: inout DeviceTable, _ record: StoredRecord) {
        if !devices.restoreLocated(record) {
            onUnexpected("A position of \(record.topicPartition) can't be read.")
        }
    }

    /// Whether the records can be located now: who was erased is known, and see
    /// `KnownSites.isSettled`.
    func isReady(_ records: [StoredRecord]) -> Bool {
        erased.isReady && sites.isSettled(for: Set(records.compactMap(Self.site)))
    }

    /// The positions, visits, dead letters and changed state of a batch of one partition.
    func work(
        _ devices: inout DeviceTable, _ records: [StoredRecord]
    ) async throws -> ProcessorOutputs {
        guard sites.stock.isBlocking else { return locate(&devices, records) }
        let moved = MovedDevices(devices)
        devices = DeviceTable()
        let outputs = await blocking { moved.devices.withLock { locate(&$0, records) } }
        devices = moved.devices.withLock { devices in
            defer { devices = DeviceTable() }
            return devices
        }
        return outputs
    }

    /// Locates the batch with the maps that are loaded.
    private func locate(
        _ devices: inout DeviceTable, _ records: [StoredRecord]
    ) -> ProcessorOutputs {
        let outputs = scratches.withScratch { batches.locate(&devices, records, scratch: &$0) }
        if let last = records.last {
            visited.note(
                last.partition, isVisited: devices.isVisited,
                atMicroseconds: last.appendedAtMicroseconds)
        }
        return outputs
    }

    /// The served position of a scan by itself; nothing is stored.
    func position(_ scan: ScanRecorded) async -> PositionEstimated? {
        let site = sites.knowledge(of: scan.site)
        let position = { @Sendable [rules, clock, scratches] in
            scratches.withScratch {
                Device.position(
                    ofOne: scan, in: site, by: rules, locatedAt: clock.now, scratch: &$0)
            }
        }
        return isByProgram(site) ? await blocking(position) : position()
    }

    /// The same after what the asker's device is known to have done; nil where the positioner is a
    /// program, which keeps no state for askers.
    func answer(
        _ scan: ScanRecorded, of device: Device
    ) -> (position: PositionEstimated?, device: Device)? {
        let site = sites.knowledge(of: scan.site)
        guard !site.positioners.isEmpty, !isByProgram(site) else { return nil }
        return scratches.withScratch {
            device.answer(scan, in: site, by: rules, locatedAt: clock.now, scratch: &$0)
        }
    }

    /// Whether the served positioner is a program.
    private func isByProgram(_ site: SiteKnowledge) -> Bool {
        site.positioners.first.flatMap { sites.stock[$0.name]?.isProgram } ?? false
    }

    private static func site(_ record: StoredRecord) -> SiteID? {
        guard let key = record.key, let slash = key.firstIndex(of: UInt8(ascii: "/")) else {
            return nil
        }
        return SiteID(validating: String(decoding: key[..<slash], as: UTF8.self))
    }
}

/// A partition's devices on their way to another thread and back.
private final class MovedDevices: Sendable {
    let devices: Mutex<DeviceTable>
    init(_ devices: DeviceTable) { self.devices = Mutex(devices) }
}

/// Scratch memory for locating: one for each batch or question that runs at the same time.
private final class ScratchPool: Sendable {
    private let free = Mutex<[DeviceScratch]>([])

    func withScratch<Result>(_ body: (inout DeviceScratch) -> Result) -> Result {
        var scratch = free.withLock { $0.popLast() } ?? DeviceScratch()
        let result = body(&scratch)
        free.withLock { [scratch] in $0.append(scratch) }
        return result
    }
}
