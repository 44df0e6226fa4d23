import EventLog
import JSON
import Wire

/// Measures the state that the locator appends to the log, in bytes a scan. The scans are those of
/// a simulated building with half of the devices at rest, and with none, or with `--at-rest`.
///
/// The log is in memory. Each scan is a batch, as when scans are located as they come. Larger
/// batches would hold several scans of a device, whose state is then stored once.
struct BacklogStateBenchmark {
    /// The bars: the mean bytes a scan, and the largest state of one device.
    private static let mostBytesAScan = 600
    private static let largestStateBytes = 3_000
    /// More would take much memory.
    private static let mostScans = 250_000

    let options: BenchmarkOptions

    private struct Figures {
        var states = 0
        var visits = 0
        var others = 0
        var largest = 0

        /// Adds a record of `locator-state`.
        mutating func add(_ record: StoredRecord) {
            let bytes = (record.key?.count ?? 0) + (record.value?.count ?? 0)
            switch record.key.flatMap({ DeviceStateKey($0) })?.part {
            case .memory:
                states += bytes
                largest = max(largest, record.value?.count ?? 0)
            case .visits, .groups: visits += bytes
            default: others += bytes
            }
        }
    }

    func run() async throws {
        for resting in options.atRest.map({ [$0] }) ?? [0.5, 0] {
            let scans = min(options.scans, Self.mostScans)
            note("making \(scans) scans, \(Int(resting * 100)) % of them at rest")
            let backlog = try SimulatedBacklog(scans: scans, resting: resting)
            var figures = Figures()
            _ = try await BacklogBenchmark(options: options).work(
                off: backlog, on: "memory", members: 1, batch: 1
            ) { log in try await Self.read(log, into: &figures) }
            report(figures, scans: backlog.records.count, resting: resting)
        }
    }

    private static func read(_ log: any EventLog, into figures: inout Figures) async throws {
        let topic = Topic.locatorState.name
        var (start, end) = ([TopicPartition: Int64](), [TopicPartition: Int64]())
        for (partition, bounds) in try await log.bounds(of: topic).enumerated() {
            start[TopicPartition(topic, partition)] = bounds.start
            end[TopicPartition(topic, partition)] = bounds.end
        }
        let reader = try await log.reader(from: start)
        while try await reader.positions().contains(where: { $0.value < end[$0.key] ?? 0 }) {
            for record in try await reader.next(maximum: 5_000, wait: .milliseconds(200)) {
                figures.add(record)
            }
        }
        await reader.close()
    }

    private func report(_ figures: Figures, scans: Int, resting: Double) {
        func aScan(_ bytes: Int) -> Double { Double(bytes) / Double(scans) }
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("benchmark", "backlog-state")
        writer.field("scans", scans)
        writer.field("atRest", resting, decimals: 2)
        writer.field(
            "bytesAScan", aScan(figures.states + figures.visits + figures.others), decimals: 1)
        writer.field("ofStates", aScan(figures.states), decimals: 1)
        writer.field("ofVisits", aScan(figures.visits), decimals: 1)
        writer.field("ofIDs", aScan(figures.others), decimals: 1)
        writer.field("largestState", figures.largest)
        writer.field("mostBytesAScan", Self.mostBytesAScan)
        writer.field("mostStateBytes", Self.largestStateBytes)
        writer.endObject()
        print(writer.finishText())
    }
}
