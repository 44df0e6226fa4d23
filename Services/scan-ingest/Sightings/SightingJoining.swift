import EventLog
import Events
import ServiceHost
import ServiceRuntime
import Sightings
import Wire

/// Turns the sightings of partitions into scans; a processor calls it.
///
/// A scan, the open windows and the offsets are one transaction of the log. So an interruption
/// gives each scan once.
struct SightingJoining: Sendable {
    static let group = "scan-ingest-sightings"

    private let rules: SightingRules
    private let erased: ErasureDirectory
    private let clock: EventClock
    private let onUnexpected: @Sendable (String) -> Void
    private let joined: Counter
    private let dropped: [SightingJoin.Drop: Counter]
    /// Where windows are to be closed though nothing comes. A quarter of a second is short beside a
    /// window.
    let silent = SilentPartitions(
        .sightings, source: ScanIntake.source, every: .milliseconds(250))

    init(
        rules: SightingRules, erased: ErasureDirectory, clock: EventClock,
        metrics: MetricsRegistry, onUnexpected: @escaping @Sendable (String) -> Void
    ) {
        self.rules = rules
        self.erased = erased
        self.clock = clock
        self.onUnexpected = onUnexpected
        joined = metrics.counter(
            "whereabouts_scans_joined_total", help: "Scans that sightings were joined to.")
        dropped = Dictionary(
            uniqueKeysWithValues: SightingJoin.Drop.allCases.map { drop in
                (
                    drop,
                    metrics.counter(
                        "whereabouts_sightings_dropped_total",
                        help: "Sightings that became part of no scan.",
                        labels: ["reason": drop.rawValue])
                )
            })
    }

    func processor(_ host: Host) -> Processor<SightingJoin> {
        Processor(
            log: host.log,
            configuration: .init(
                group: Self.group, input: Topic.sightings.name,
                stateTopic: Topic.sightingWindows.name),
            emptyState: { [rules] _ in SightingJoin(rules) },
            restore: { restore(&$0, $1) }, work: { work(&$0, $1) },
            isReady: { [erased] _ in erased.isReady },
            deadLetters: host.deadLetters(of: Self.group, source: ScanIntake.source),
            notices: host.notices)
    }

    /// Restores a device, or the log's time, from a record of `sighting-windows`.
    func restore(_ join: inout SightingJoin, _ record: StoredRecord) {
        // Some windows may have ended meanwhile. The next batch tells when the next window ends.
        // The log's clock may have been set back, too.
        let appended = Timestamp(microseconds: record.appendedAtMicroseconds)
        silent.note(record.partition, after: min(appended, clock.now))
        if record.key == SightingStateKey.time {
            if let time = record.value.flatMap({ try? SightingStateCodec.decodeTime($0) }) {
                join.restore(time: time)
            }
            return
        }
        guard let key = record.key.flatMap(DeviceKey.init(recordKey:)) else { return }
        guard let value = record.value else { return join.restore(nil, of: key) }
        do throws(BinaryFault) {
            let heard = try SightingStateCodec.decode(
                value, windowMicroseconds: rules.windowMicroseconds)
            // Windows had another length before the last start.
            guard let heard else { return join.restoreNothing(of: key) }
            join.restore(heard, of: key)
        } catch {
            onUnexpected("A state record of \(record.topicPartition) can't be read.")
            join.restoreNothing(of: key)
        }
    }

    /// The scans, dead letters and changed windows of a batch of one partition.
    func work(_ join: inout SightingJoin, _ records: [StoredRecord]) -> ProcessorOutputs {
        var outputs = ProcessorOutputs()
        guard let partition = records.first?.partition else { return outputs }
        for record in records {
            let moment = Timestamp(microseconds: record.appendedAtMicroseconds)
            if join.isSetBack(by: moment) {
                onUnexpected("The log's clock was set back from \(join.time) to \(moment).")
            }
            for closed in join.pass(to: moment) { append(closed, to: &outputs) }
            // This record only carries the time.
            if record.headers["ce_type"] == EventType.timePassed.name { continue }
            do throws(WireFault) {
                if DeviceErased.isIn(record) {
                    join.erase(try DeviceErased(record: record).key)
                } else {
                    add(try SightingReported(record: record), to: &join)
                }
            } catch {
                outputs.setAside(record, code: error.code.text, detail: error.detail)
            }
        }
        store(&join, in: partition, &outputs)
        silent.note(partition, after: join.nextWork(at: clock.now))
        return outputs
    }

    private func add(_ sighting: SightingReported, to join: inout SightingJoin) {
        // A report may be on its way while its device is erased.
        let key = DeviceKey(sighting.site, sighting.device)
        if erased.covers(key, at: sighting.at) { return }
        if let drop = join.add(sighting) { dropped[drop]?.increment() }
    }

    private func append(_ closed: SightingJoin.Closed, to outputs: inout ProcessorOutputs) {
        let scan = closed.scan(
            id: EventID(
                scanOf: closed.device, windowFrom: closed.start,
                lasting: rules.windowMicroseconds))
        if erased.covers(closed.device, at: scan.at) { return }
        outputs.append(scan.record(source: ScanIntake.source), for: nil)
        joined.increment()
    }

    private func store(
        _ join: inout SightingJoin, in partition: Int, _ outputs: inout ProcessorOutputs
    ) {
        var stored: [(key: [UInt8], value: [UInt8]?)] = join.removeChanges().map { key, heard in
            let value = heard.map {
                SightingStateCodec.encode($0, windowMicroseconds: rules.windowMicroseconds)
            }
            return (SightingStateKey.bytes(key), value)
        }
        stored.append((SightingStateKey.time, SightingStateCodec.encode(time: join.time)))
        for (key, value) in stored {
            outputs.append(
                LogRecord(
                    topic: Topic.sightingWindows.name, partition: partition, key: key,
                    value: value),
                for: nil)
        }
    }
}
