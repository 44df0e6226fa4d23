import Cryptography
import EventLog
import Events
import Positioning
import ServiceHost
import Site
import Synchronization
import Wire

/// Turns one partition's scans into positions: what the locator's processor does with each batch.
struct Locating: Sendable {
    let host: Host
    let maps: RadioMaps
    /// Who the events come from, in the CloudEvents sense.
    static let source = "/locator"

    /// What is known of the devices of one partition.
    struct State: Sendable {
        var histories: [String: DeviceHistory] = [:]
        /// Buckets as they are read back, until the first scan of the device needs its history.
        var stored: [String: [DeviceHistory.Bucket]] = [:]
        var scratch = PositionerScratch()
        /// When idle devices were last looked for, in the log's time.
        var sweptAtMicroseconds: Int64 = 0

        var devices: Set<String> { Set(histories.keys).union(stored.keys) }

        func buckets(of device: String) -> [DeviceHistory.Bucket] {
            histories[device]?.buckets ?? stored[device] ?? []
        }

        mutating func forget(_ device: String) {
            histories[device] = nil
            stored[device] = nil
        }

        /// The device's history, taken out so that it is changed in place.
        mutating func takeHistory(_ device: String) -> DeviceHistory {
            if let history = histories.removeValue(forKey: device) { return history }
            guard let buckets = stored.removeValue(forKey: device) else { return DeviceHistory() }
            return DeviceHistory(buckets: buckets)
        }
    }

    /// Takes one record of `locator-state` in; its key is `site/device/bucket`.
    func restore(_ state: inout State, _ record: StoredRecord) {
        guard let key = record.key.flatMap({ String(validating: $0, as: UTF8.self) }),
            let slash = key.lastIndex(of: "/"), let number = UInt32(key[key.index(after: slash)...])
        else { return }
        let device = String(key[..<slash])
        guard let value = record.value else {
            state.stored[device]?.removeAll { $0.number == number }
            return
        }
        guard let bucket = try? LocatorStateCodec.decode(value) else {
            host.unexpected("A state record of \(record.topicPartition) can't be read.")
            return
        }
        // Of two with one number the later in the log holds.
        state.stored[device, default: []].removeAll { $0.number == number }
        state.stored[device, default: []].append(bucket)
    }

    /// The positions, dead letters and changed state of a batch of one partition.
    func work(_ state: inout State, _ records: [StoredRecord]) async throws -> [LogRecord] {
        try await maps.settled(for: Set(records.compactMap(Self.site)))
        return locate(&state, records)
    }

    private func locate(_ state: inout State, _ records: [StoredRecord]) -> [LogRecord] {
        var outputs = forgetIdleDevices(&state, records)
        outputs.reserveCapacity(records.count * 2)
        // A device's open bucket is written once for the batch, however many scans it got.
        var written: [String: (partition: Int, bucket: DeviceHistory.Bucket)] = [:]
        var full: [LogRecord] = []
        for record in records {
            let scan: ScanRecorded
            do throws(WireFault) {
                scan = try ScanRecorded(record: record)
            } catch {
                outputs.append(deadLetter(record, code: error.code.rawValue, error.detail))
                continue
            }
            let device = "\(scan.site.text)/\(scan.device.text)"
            var history = state.takeHistory(device)
            let sighting = ScanSighting(scan)
            switch history.decide(sighting) {
            case .duplicate: break
            case .conflict:
                outputs.append(
                    deadLetter(
                        record, code: "id-conflict",
                        "scan \(scan.id) was located before with other content"))
            case .new(let isLate):
                let change = history.evolve(sighting)
                if let before = written[device], before.bucket.number != change.written.number {
                    full.append(stateRecord(device, before.partition, before.bucket))
                }
                written[device] = (record.partition, change.written)
                for number in change.expired {
                    full.append(tombstone(device, record.partition, number))
                }
                outputs.append(
                    event(scan, isLate: isLate, scratch: &state.scratch).record(
                        source: Self.source, traceparent: record.headers["traceparent"]))
            }
            state.histories[device] = history
        }
        outputs += full
        for (device, entry) in written {
            outputs.append(stateRecord(device, entry.partition, entry.bucket))
        }
        return outputs
    }

    /// The site that a record's key names.
    private static func site(_ record: StoredRecord) -> SiteID? {
        guard let key = record.key, let slash = key.firstIndex(of: UInt8(ascii: "/")) else {
            return nil
        }
        return SiteID(validating: String(decoding: key[..<slash], as: UTF8.self))
    }

    /// Tombstones for devices of which nothing was heard for a day: neither the log nor the memory
    /// keeps them. Looked for every ten minutes of the log's own time.
    private func forgetIdleDevices(
        _ state: inout State, _ records: [StoredRecord]
    ) -> [LogRecord] {
        guard let last = records.last,
            last.appendedAtMicroseconds - state.sweptAtMicroseconds > Self.sweepMicroseconds
        else { return [] }
        state.sweptAtMicroseconds = last.appendedAtMicroseconds
        let limit = last.appendedAtMicroseconds - DeviceHistory.keptSeconds * 1_000_000
        var tombstones: [LogRecord] = []
        for device in state.devices {
            let buckets = state.buckets(of: device)
            guard buckets.allSatisfy({ $0.lastArrival.microseconds < limit }) else { continue }
            tombstones += buckets.map { tombstone(device, last.partition, $0.number) }
            state.forget(device)
        }
        return tombstones
    }

    private static let sweepMicroseconds: Int64 = 600_000_000

    /// Where the scan was made, by the site's loaded map.
    func event(
        _ scan: ScanRecorded, isLate: Bool, scratch: inout PositionerScratch
    ) -> PositionEstimated {
        let map = maps[scan.site]
        let site = host.sites[scan.site]
        let estimate =
            map?.positioner.locate(
                RadioScan(scan), state: .empty, seed: scan.id.low, scratch: &scratch
            ).estimate ?? .lost
        let name = maps.positionerName
        let namespace = UniqueIdentifier(high: scan.id.high, low: scan.id.low)
        let id = UniqueIdentifier(namespace: namespace, name: name)
        return locateScan(
            scan, estimate: estimate, id: EventID(high: id.high, low: id.low),
            locatedAt: host.now, isLate: isLate, site: site?.index,
            context: LocatingContext(
                positioner: name, siteVersion: site?.version ?? 0,
                radioMapVersion: map?.announcement.version))
    }

    private func stateRecord(
        _ device: String, _ partition: Int, _ bucket: DeviceHistory.Bucket
    ) -> LogRecord {
        LogRecord(
            topic: Topic.locatorState.name, partition: partition,
            key: Array("\(device)/\(bucket.number)".utf8),
            value: LocatorStateCodec.encode(bucket))
    }

    private func tombstone(_ device: String, _ partition: Int, _ number: UInt32) -> LogRecord {
        LogRecord(
            topic: Topic.locatorState.name, partition: partition,
            key: Array("\(device)/\(number)".utf8), value: nil)
    }

    private func deadLetter(_ record: StoredRecord, code: String, _ detail: String) -> LogRecord {
        host.deadLetter(record, code: code, detail: detail, source: Self.source)
    }
}
