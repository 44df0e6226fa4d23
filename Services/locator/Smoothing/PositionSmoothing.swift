import EventLog
import Events
import Retrying
import ServiceHost
import ServiceRuntime
import Smoothing
import Wire

/// Turns the positions of partitions into smoothed ones; a processor calls it.
///
/// The smoothed positions, the windows of the devices and the offsets are one transaction of the
/// log. So an interruption gives each once.
struct PositionSmoothing: Sendable {
    static let group = "locator-smoother"
    /// Older positions are left out. The smoother may begin with a topic of a month, after an
    /// upgrade or a restore, and its outputs are kept for as long again.
    static let oldestMicroseconds: Int64 = 3 * 86_400_000_000
    /// The most of a silence that counts at once. A process that stood still for longer has yet to
    /// read what was appended meanwhile.
    static let longestSilence = Duration.seconds(3)

    private let rules: SmoothingRules
    private let erased: ErasureDirectory
    private let clock: EventClock
    private let onUnexpected: @Sendable (String) -> Void
    private let smoothed: Counter

    init(
        rules: SmoothingRules = SmoothingRules(), erased: ErasureDirectory, clock: EventClock,
        metrics: MetricsRegistry, onUnexpected: @escaping @Sendable (String) -> Void
    ) {
        self.rules = rules
        self.erased = erased
        self.clock = clock
        self.onUnexpected = onUnexpected
        smoothed = metrics.counter(
            "whereabouts_positions_smoothed_total", help: "Positions that were smoothed.")
    }

    func processor(
        _ log: any EventLog, _ deadLetters: DeadLetters, _ notices: Notices
    ) -> Processor<SmoothingTable> {
        Processor(
            log: log,
            configuration: .init(
                group: Self.group, input: Topic.positions.name,
                stateTopic: Topic.smoothingWindows.name),
            emptyState: { [rules] _ in SmoothingTable(rules) },
            restore: { restore(&$0, $1) }, work: { work(&$0, $1) },
            quiet: { pass(&$0, in: $1, for: $2) },
            isReady: { [erased] _ in erased.isReady },
            deadLetters: deadLetters, notices: notices)
    }

    /// Restores a position of a window from a record of `smoothing-windows`.
    func restore(_ table: inout SmoothingTable, _ record: StoredRecord) {
        guard let place = record.key.flatMap(SmoothingStateKey.place) else { return }
        guard let value = record.value else { return table.restore(nil, at: place) }
        do throws(BinaryFault) {
            let entry = try SmoothingStateCodec.decode(value)
            // Nobody smoothed for days. The device may have been erased, and its erasure forgotten.
            guard clock.now - entry.appendedAt <= Self.oldestMicroseconds else {
                return table.restoreNothing(at: place)
            }
            table.restore(entry, at: place)
        } catch {
            onUnexpected("A state record of \(record.topicPartition) can't be read.")
            table.restoreNothing(at: place)
        }
    }

    /// The smoothed positions, dead letters and changed windows of a batch of one partition.
    func work(_ table: inout SmoothingTable, _ records: [StoredRecord]) -> ProcessorOutputs {
        var outputs = ProcessorOutputs()
        guard let partition = records.first?.partition else { return outputs }
        for record in records {
            let moment = Timestamp(microseconds: record.appendedAtMicroseconds)
            if table.isSetBack(by: moment) {
                onUnexpected("The log's clock was set back from \(table.time) to \(moment).")
            }
            append(table.pass(to: moment), to: &outputs)
            do throws(WireFault) {
                if DeviceErased.isIn(record) {
                    erase(try DeviceErased(record: record), from: &table, &outputs)
                } else if clock.now - moment <= Self.oldestMicroseconds {
                    let position = try PositionEstimated(record: record)
                    append(table.add(position, appendedAt: moment), to: &outputs)
                }
            } catch {
                outputs.setAside(record, code: error.code.text, detail: error.detail)
            }
        }
        store(&table, in: partition, &outputs)
        return outputs
    }

    /// The smoothed positions and changed windows of a partition to which no position came.
    func pass(
        _ table: inout SmoothingTable, in partition: Int, for silence: Duration
    ) -> ProcessorOutputs {
        var outputs = ProcessorOutputs()
        let microseconds = min(silence, Self.longestSilence) / Duration.microseconds(1)
        append(table.pass(for: Int64(microseconds)), to: &outputs)
        store(&table, in: partition, &outputs)
        return outputs
    }

    /// Forgets the device, and passes the erasure on behind its smoothed positions.
    private func erase(
        _ erased: DeviceErased, from table: inout SmoothingTable, _ outputs: inout ProcessorOutputs
    ) {
        table.erase(erased.key)
        outputs.append(
            erased.record(topic: Topic.positionsSmoothed.name, source: Locating.source), for: nil)
    }

    private func append(_ given: [PositionEstimated], to outputs: inout ProcessorOutputs) {
        for var position in given {
            let key = DeviceKey(position.site, position.device)
            if erased.covers(key, at: position.at) { continue }
            position.id = EventID(smoothingOf: position.id)
            outputs.append(
                position.record(topic: Topic.positionsSmoothed.name, source: Locating.source),
                for: nil)
            smoothed.increment()
        }
    }

    private func store(
        _ table: inout SmoothingTable, in partition: Int, _ outputs: inout ProcessorOutputs
    ) {
        for (place, entry) in table.removeChanges() {
            outputs.append(
                LogRecord(
                    topic: Topic.smoothingWindows.name, partition: partition,
                    key: SmoothingStateKey.bytes(place),
                    value: entry.map(SmoothingStateCodec.encode)),
                for: nil)
        }
    }
}
