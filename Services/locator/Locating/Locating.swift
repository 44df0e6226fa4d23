import Devices
import EventLog
import Events
import Positioning
import ServiceHost
import Synchronization
import Wire

/// Turns one partition's scans into positions and visits: what the locator's processor does with each
/// batch.
struct Locating: Sendable {
    let host: Host
    let maps: RadioMaps
    let magnetic: MagneticRoutes
    let rules: VisitRules
    /// Learns from each batch where devices are in zones.
    let visited: VisitedPartitions
    let blocking = BlockingWork("locating")
    /// Who the events come from, in the CloudEvents sense.
    static let source = "/locator"

    /// Takes one record of `locator-state` in.
    func restore(_ state: inout PartitionState, _ record: StoredRecord) {
        if !state.restore(record) {
            host.unexpected("A state record of \(record.topicPartition) can't be read.")
        }
        visited.note(
            record.partition, isVisited: !state.visits.isEmpty,
            atMicroseconds: record.appendedAtMicroseconds)
    }

    /// Whether the records can be located now; see `RadioMaps.isSettled`.
    func isReady(_ records: [StoredRecord]) -> Bool {
        maps.isSettled(for: Set(records.compactMap(Self.site)))
    }

    /// The positions, visits, dead letters and changed state of a batch of one partition.
    func work(
        _ state: inout PartitionState, _ records: [StoredRecord]
    ) async throws -> ProcessorOutputs {
        guard maps.isBlocking else { return locate(&state, records) }
        let moved = MovedState(state)
        state = PartitionState()
        let outputs = await blocking { moved.state.withLock { locate(&$0, records) } }
        state = moved.state.withLock { state in
            defer { state = PartitionState() }
            return state
        }
        return outputs
    }

    /// The same with the maps that are there.
    func locate(_ state: inout PartitionState, _ records: [StoredRecord]) -> ProcessorOutputs {
        guard let last = records.last else { return ProcessorOutputs() }
        var batch = LocatingBatch(partition: last.partition)
        for record in records {
            forgetIdleDevices(&state, at: record.appendedAtMicroseconds, &batch)
            endOverdueVisits(&state, at: record.appendedAtMicroseconds, &batch)
            // It carries nothing but the time.
            if record.headers["ce_type"] == EventType.timePassed.name { continue }
            do throws(WireFault) {
                take(try ScanRecorded(record: record), record, &state, &batch)
            } catch {
                batch.setAside(record, code: error.code.text, detail: error.detail)
            }
        }
        visited.note(
            last.partition, isVisited: !state.visits.isEmpty,
            atMicroseconds: last.appendedAtMicroseconds)
        return batch.records(state)
    }

    private func take(
        _ scan: ScanRecorded, _ record: StoredRecord, _ state: inout PartitionState,
        _ batch: inout LocatingBatch
    ) {
        let device = "\(scan.site.text)/\(scan.device.text)"
        var history = state.takeHistory(device)
        let sighting = ScanSighting(scan)
        switch history.decide(sighting) {
        case .duplicate: break
        case .conflict:
            batch.setAside(
                record, code: ProblemCode.idConflict.text,
                detail: "scan \(scan.id) was located before with other content",
                isOfSender: true)
        case .new(let isOld):
            // What was set aside and is put back comes after what is newer.
            let isLate = isOld || PutBack.time(of: record) != nil
            let isMoved = history.isMoved(by: sighting, isLate: isLate)
            let motion = MotionPeriod(scan, after: history.newestScan)
            batch.changed(device, history.evolve(sighting))
            let before = state.memories[device]
            let positions = positions(scan, device, isLate: isLate, isMoved: isMoved, &state)
            for (topic, var position) in positions {
                position.motion = motion
                batch.append(
                    position.record(
                        topic: topic, source: Self.source,
                        traceparent: record.headers["traceparent"]), for: record)
            }
            if state.memories[device] != before { batch.remembers(device) }
            if isMoved, let served = positions.first?.position {
                visit(scan, served, device, &state, &batch)
            }
        }
        state.histories[device] = history
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
        _ state: inout PartitionState, at now: Int64, _ batch: inout LocatingBatch
    ) {
        guard now - state.sweptAtMicroseconds > Self.sweepMicroseconds else { return }
        state.sweptAtMicroseconds = now
        endOverdueVisits(&state, at: now, &batch)
        let limit = now - DeviceHistory.keptSeconds * 1_000_000
        for device in state.devices {
            let buckets = state.buckets(of: device)
            guard buckets.allSatisfy({ $0.lastArrival.microseconds < limit }) else { continue }
            batch.forget(device, state)
            state.forget(device)
        }
    }

    private static let sweepMicroseconds: Int64 = 600_000_000

}

/// A partition's state on its way to another thread and back.
private final class MovedState: Sendable {
    let state: Mutex<PartitionState>
    init(_ state: PartitionState) { self.state = Mutex(state) }
}
