import Devices
import EventLog
import Events
import Wire

/// Decides on a batch of one partition's records. It decodes the scans, lets their devices decide
/// (`DeviceTable`), and collects the records to append. It has no other effect.
struct BatchLocating: Sendable {
    let rules: DeviceRules
    let now: @Sendable () -> Timestamp
    let knowledge: @Sendable (SiteID) -> SiteKnowledge
    /// Whether a scan of the device from this time was erased.
    let isErased: @Sendable (DeviceKey, Timestamp) -> Bool
    /// Called with positioners whose state of a device is too large.
    let onTooLarge: @Sendable (_ positioner: String, _ byteCount: Int) -> Void
    /// Called with the served position of each scan.
    var onLocated: @Sendable (PositionEstimated, ScanRecorded) -> Void = { _, _ in }
    /// Those of a scan's batteries that are news.
    var batteryNews: @Sendable ([BeaconBatteryReported]) -> [BeaconBatteryReported] = { _ in [] }

    /// The positions, visits, batteries, dead letters and changed state of the batch.
    func locate(
        _ devices: inout DeviceTable, _ records: [StoredRecord], scratch: inout DeviceScratch
    ) -> ProcessorOutputs {
        guard let last = records.last else { return ProcessorOutputs() }
        var batch = LocatingBatch(partition: last.partition, source: Locating.source)
        var known: [SiteID: SiteKnowledge] = [:]
        for record in records {
            pass(Timestamp(microseconds: record.appendedAtMicroseconds), &devices, &batch)
            let type = record.headers["ce_type"]
            // This record only carries the time.
            if type == EventType.timePassed.name { continue }
            do throws(WireFault) {
                if type == EventType.deviceErased.name {
                    erase(try DeviceErased(record: record), &devices, &batch)
                    continue
                }
                let scan = try ScanRecorded(record: record)
                let site = known[scan.site] ?? knowledge(scan.site)
                if known[scan.site] == nil { known[scan.site] = site }
                locate(scan, record, in: site, &devices, &batch, &scratch)
            } catch {
                batch.setAside(record, code: error.code.text, detail: error.detail)
            }
        }
        let seen = devices.seenChanges(
            at: Timestamp(microseconds: last.appendedAtMicroseconds))
        return batch.records(devices, seen)
    }

    private func erase(
        _ erased: DeviceErased, _ devices: inout DeviceTable, _ batch: inout LocatingBatch
    ) {
        batch.erase(
            erased, devices.erase(erased.key),
            to: [Topic.positions, .positionsBeside, .positionsSmoothed, .visits].map(\.name))
    }

    /// Ends visits and forgets devices, as the log's time passes.
    private func pass(
        _ moment: Timestamp, _ devices: inout DeviceTable, _ batch: inout LocatingBatch
    ) {
        for (key, visits, change) in devices.endVisits(at: moment, by: rules) {
            batch.append(visits)
            batch.changed(key, change)
        }
        for (key, device) in devices.forgetIdle(at: moment) { batch.forget(key, device) }
    }

    private func locate(
        _ scan: ScanRecorded, _ record: StoredRecord, in site: SiteKnowledge,
        _ devices: inout DeviceTable, _ batch: inout LocatingBatch, _ scratch: inout DeviceScratch
    ) {
        // A scan may be sent again after its device was erased.
        if isErased(DeviceKey(scan.site, scan.device), scan.correctedAt) { return }
        let (decision, change) = devices.decide(
            scan, in: site, by: rules, locatedAt: now(),
            isPutBack: PutBack.time(of: record) != nil,
            appendedAt: Timestamp(microseconds: record.appendedAtMicroseconds), scratch: &scratch)
        switch decision {
        case .duplicate: break
        case .conflict:
            batch.setAside(
                record, code: ProblemCode.idConflict.text,
                detail: "scan \(scan.id) was located before with other content",
                isOfSender: true)
        case .located(let located):
            if let served = located.answers.first { onLocated(served.position, scan) }
            let traceparent = record.headers["traceparent"]
            for (index, answer) in located.answers.enumerated() {
                batch.append(
                    answer.position.record(
                        topic: index == 0 ? nil : Topic.positionsBeside.name,
                        source: Locating.source, traceparent: traceparent),
                    for: record)
            }
            batch.append(located.visits)
            if !located.batteries.isEmpty {
                for level in batteryNews(located.batteries) {
                    batch.append(level.record(source: Locating.source), for: record)
                }
            }
            for (positioner, byteCount) in located.tooLarge { onTooLarge(positioner, byteCount) }
            if let change { batch.changed(DeviceKey(scan.site, scan.device), change) }
        }
    }
}
