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

        /// The device's history, taken out so that it is changed in place.
        mutating func takeHistory(_ device: String) -> DeviceHistory {
            if let history = histories.removeValue(forKey: device) { return history }
            guard let buckets = stored.removeValue(forKey: device) else { return DeviceHistory() }
            return DeviceHistory(buckets: buckets)
        }
    }

    /// Some site's map is announced but not loaded; the batch waits for it.
    struct MapPending: Error {}

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
    func work(_ state: inout State, _ records: [StoredRecord]) throws -> [LogRecord] {
        var outputs: [LogRecord] = []
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
            guard maps.isSettled(for: scan.site) else { throw MapPending() }
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
                outputs.append(position(scan, isLate: isLate, scratch: &state.scratch))
            }
            state.histories[device] = history
        }
        outputs += full
        for (device, entry) in written {
            outputs.append(stateRecord(device, entry.partition, entry.bucket))
        }
        return outputs
    }

    private func position(
        _ scan: ScanRecorded, isLate: Bool, scratch: inout PositionerScratch
    ) -> LogRecord {
        event(scan, isLate: isLate, scratch: &scratch)
            .record(source: Self.source)
    }

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
