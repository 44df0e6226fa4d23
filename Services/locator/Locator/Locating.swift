import Cryptography
import EventLog
import Events
import Motion
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

    /// Takes one record of `locator-state` in.
    func restore(_ state: inout PartitionState, _ record: StoredRecord) {
        if !state.restore(record) {
            host.unexpected("A state record of \(record.topicPartition) can't be read.")
        }
    }

    /// The positions, dead letters and changed state of a batch of one partition.
    func work(_ state: inout PartitionState, _ records: [StoredRecord]) async throws -> [LogRecord]
    {
        try await maps.settled(for: Set(records.compactMap(Self.site)))
        return locate(&state, records)
    }

    /// The same with the maps that are there.
    func locate(_ state: inout PartitionState, _ records: [StoredRecord]) -> [LogRecord] {
        var outputs = forgetIdleDevices(&state, records)
        outputs.reserveCapacity(records.count * 2)
        // A device's open bucket is written once for the batch, however many scans it got.
        var written: [String: (partition: Int, bucket: DeviceHistory.Bucket)] = [:]
        var full: [LogRecord] = []
        var moved: [String: Int] = [:]
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
                let scanBefore = history.newestScan
                let change = history.evolve(sighting)
                if let before = written[device], before.bucket.number != change.written.number {
                    full.append(stateRecord(device, before.partition, before.bucket))
                }
                written[device] = (record.partition, change.written)
                for number in change.expired {
                    full.append(tombstone(device, record.partition, number))
                }
                let before = state.memories[device]
                let motion = MotionPeriod(scan, after: scanBefore)
                for (topic, var position) in positions(scan, device, isLate: isLate, &state) {
                    position.motion = motion
                    outputs.append(
                        position.record(
                            topic: topic, source: Self.source,
                            traceparent: record.headers["traceparent"]))
                }
                if state.memories[device] != before { moved[device] = record.partition }
            }
            state.histories[device] = history
        }
        outputs += full
        for (device, entry) in written {
            outputs.append(stateRecord(device, entry.partition, entry.bucket))
        }
        for (device, partition) in moved {
            let memory = state.memories[device].map(PositionerMemoryCodec.encode)
            outputs.append(
                stateRecord(device, PartitionState.statesKey, partition, memory))
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
        _ state: inout PartitionState, _ records: [StoredRecord]
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
            if state.memories[device] != nil {
                tombstones.append(
                    stateRecord(device, PartitionState.statesKey, last.partition, nil))
            }
            state.forget(device)
        }
        return tombstones
    }

    private static let sweepMicroseconds: Int64 = 600_000_000

    /// Where the scan was made, by each positioner with its topic; the served one comes first. What
    /// they remember of the device is changed unless the scan is late or older than that.
    private func positions(
        _ scan: ScanRecorded, _ device: String, isLate: Bool, _ state: inout PartitionState
    ) -> [(topic: String?, position: PositionEstimated)] {
        let map = maps[scan.site]
        let radio = radioScan(scan)
        var memory = state.memories.removeValue(forKey: device) ?? PositionerMemory()
        let isMoved = map != nil && memory.isMoved(by: radio.at, isLate: isLate)
        while state.scratch.count < maps.positioners.count {
            state.scratch.append(PositionerScratch())
        }
        var positions: [(String?, PositionEstimated)] = []
        for (index, positioner) in maps.positioners.enumerated() {
            let prepared = map?.prepared[index]
            let answer = prepared?.positioner.locate(
                radio, state: memory.state(of: positioner.name, basis: prepared?.basis ?? 0),
                seed: scan.id.low, scratch: &state.scratch[index])
            if isMoved, let prepared, let answer,
                !memory.keep(answer.state, of: positioner.name, basis: prepared.basis)
            {
                maps.stateIsTooLarge(positioner.name, answer.state.bytes.count)
            }
            positions.append(
                (
                    positioner.topic,
                    event(scan, answer?.estimate ?? .lost, by: positioner.name, map, isLate: isLate)
                ))
        }
        if isMoved { memory.newestScan = radio.at }
        memory.forgetAll(but: maps.names)
        // Positioners of single scans remember nothing, and then nothing is stored.
        if !memory.entries.isEmpty { state.memories[device] = memory }
        return positions
    }

    /// A sender's clock that runs ahead must not put the device's state into the future.
    private func radioScan(_ scan: ScanRecorded) -> RadioScan {
        var radio = RadioScan(scan)
        radio.at = min(radio.at, scan.receivedAt)
        return radio
    }

    /// The served position of a scan by itself; nothing is remembered.
    func position(_ scan: ScanRecorded, isLate: Bool) -> PositionEstimated {
        let map = maps[scan.site]
        let estimate = map?.prepared[0].positioner.locate(radioScan(scan), seed: scan.id.low)
        return event(
            scan, estimate ?? .lost, by: maps.positioners[0].name, map, isLate: isLate)
    }

    private func event(
        _ scan: ScanRecorded, _ estimate: Estimate, by positioner: String, _ map: LoadedMap?,
        isLate: Bool
    ) -> PositionEstimated {
        let site = host.sites[scan.site]
        return locateScan(
            scan, estimate: estimate, id: EventID(positionOf: scan.id, by: positioner),
            locatedAt: host.now, isLate: isLate, site: site?.index,
            context: LocatingContext(
                positioner: positioner, siteVersion: site?.version ?? 0,
                radioMapVersion: map?.announcement.version))
    }

    private func stateRecord(
        _ device: String, _ partition: Int, _ bucket: DeviceHistory.Bucket
    ) -> LogRecord {
        stateRecord(device, "\(bucket.number)", partition, LocatorStateCodec.encode(bucket))
    }

    private func tombstone(_ device: String, _ partition: Int, _ number: UInt32) -> LogRecord {
        stateRecord(device, "\(number)", partition, nil)
    }

    private func stateRecord(
        _ device: String, _ part: String, _ partition: Int, _ value: [UInt8]?
    ) -> LogRecord {
        LogRecord(
            topic: Topic.locatorState.name, partition: partition,
            key: Array("\(device)/\(part)".utf8), value: value)
    }

    private func deadLetter(_ record: StoredRecord, code: String, _ detail: String) -> LogRecord {
        host.deadLetter(record, code: code, detail: detail, source: Self.source)
    }
}
