import Devices
import EventLog
import Events
import ServiceHost
import Synchronization
import Wire

/// Turns one partition's scans into positions and visits: decodes them, asks each scan's device
/// (`DeviceTable`), and gathers what is to be appended.
struct Locating: Sendable {
    let host: Host
    let sites: KnownSites
    let rules: DeviceRules
    /// Learns from each batch where devices are in zones.
    let visited: VisitedPartitions
    let blocking = BlockingWork("locating")
    private let scratches = ScratchPool()
    /// Who the events come from, in the CloudEvents sense.
    static let source = "/locator"

    init(host: Host, sites: KnownSites, rules: VisitRules, visited: VisitedPartitions) {
        self.host = host
        self.sites = sites
        self.rules = DeviceRules(visits: rules, digests: .standard)
        self.visited = visited
    }

    /// Takes one record of `locator-state` in.
    func restore(_ devices: inout DeviceTable, _ record: StoredRecord) {
        if !devices.restore(record) {
            host.unexpected("A state record of \(record.topicPartition) can't be read.")
        }
        visited.note(
            record.partition, isVisited: devices.isVisited,
            atMicroseconds: record.appendedAtMicroseconds)
    }

    /// Whether the records can be located now; see `KnownSites.isSettled`.
    func isReady(_ records: [StoredRecord]) -> Bool {
        sites.isSettled(for: Set(records.compactMap(Self.site)))
    }

    /// The positions, visits, dead letters and changed state of a batch of one partition.
    func work(
        _ devices: inout DeviceTable, _ records: [StoredRecord]
    ) async throws -> ProcessorOutputs {
        guard sites.isBlocking else { return locate(&devices, records) }
        let moved = MovedDevices(devices)
        devices = DeviceTable()
        let outputs = await blocking { moved.devices.withLock { locate(&$0, records) } }
        devices = moved.devices.withLock { devices in
            defer { devices = DeviceTable() }
            return devices
        }
        return outputs
    }

    /// The same with the maps that are there.
    func locate(_ devices: inout DeviceTable, _ records: [StoredRecord]) -> ProcessorOutputs {
        guard let last = records.last else { return ProcessorOutputs() }
        var batch = LocatingBatch(partition: last.partition, source: Self.source)
        var known: [SiteID: SiteKnowledge] = [:]
        var scratch = scratches.take()
        for record in records {
            let now = Timestamp(microseconds: record.appendedAtMicroseconds)
            for (key, visits, change) in devices.endVisits(at: now, by: rules) {
                batch.append(visits)
                batch.changed(key, change)
            }
            for (key, device) in devices.forgetIdle(at: now) { batch.forget(key, device) }
            // It carries nothing but the time.
            if record.headers["ce_type"] == EventType.timePassed.name { continue }
            do throws(WireFault) {
                let scan = try ScanRecorded(record: record)
                let site = known[scan.site] ?? sites.knowledge(of: scan.site)
                if known[scan.site] == nil { known[scan.site] = site }
                locate(scan, record, site, &devices, &batch, &scratch)
            } catch {
                batch.setAside(record, code: error.code.rawValue, detail: error.detail)
            }
        }
        scratches.give(back: scratch)
        visited.note(
            last.partition, isVisited: devices.isVisited,
            atMicroseconds: last.appendedAtMicroseconds)
        return batch.records(devices)
    }

    private func locate(
        _ scan: ScanRecorded, _ record: StoredRecord, _ site: SiteKnowledge,
        _ devices: inout DeviceTable, _ batch: inout LocatingBatch, _ scratch: inout DeviceScratch
    ) {
        let (decision, change) = devices.decide(
            scan, in: site, by: rules, locatedAt: host.now,
            isPutBack: PutBack.time(of: record) != nil, scratch: &scratch)
        switch decision {
        case .duplicate: break
        case .conflict:
            batch.setAside(
                record, code: "id-conflict",
                detail: "scan \(scan.id) was located before with other content",
                isOfSender: true)
        case .located(let located):
            let traceparent = record.headers["traceparent"]
            for (answer, working) in zip(located.answers, sites.positioners) {
                batch.append(
                    answer.position.record(
                        topic: working.topic, source: Self.source, traceparent: traceparent),
                    for: record)
            }
            batch.append(located.visits)
            for (positioner, byteCount) in located.tooLarge {
                sites.stateIsTooLarge(positioner, byteCount)
            }
            if let change { batch.changed(DeviceKey(scan.site, scan.device), change) }
        }
    }

    /// The served position of a scan by itself; nothing is remembered.
    func position(_ scan: ScanRecorded) async -> PositionEstimated? {
        let site = sites.knowledge(of: scan.site)
        let position = { @Sendable [rules, host] in
            Device.position(ofOne: scan, in: site, by: rules, locatedAt: host.now)
        }
        return sites.positioners[0].isProgram ? await blocking(position) : position()
    }

    /// The site that a record's key names.
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

/// Memory for as many batches as are worked on at once, whatever partition they are of.
private final class ScratchPool: Sendable {
    private let free = Mutex<[DeviceScratch]>([])

    func take() -> DeviceScratch { free.withLock { $0.popLast() ?? DeviceScratch() } }

    func give(back scratch: consuming DeviceScratch) {
        let scratch = scratch
        free.withLock { $0.append(scratch) }
    }
}
