import Retrying
import Testing

@testable import EventLog

@Suite("Partitions in which time passes without records") struct QuietPartitionsTests {
    @Test("are due a second after their last work, once, with the time since then")
    func due() {
        let start = ContinuousClock.now
        func at(_ milliseconds: Int) -> ContinuousClock.Instant {
            start + .milliseconds(milliseconds)
        }
        func due(_ partition: Int, _ next: Int64, _ milliseconds: Int) -> QuietPartitions.Due {
            QuietPartitions.Due(
                partition: TopicPartition("in", partition), next: next,
                elapsed: .milliseconds(milliseconds))
        }
        var quiet = QuietPartitions()
        quiet.worked(TopicPartition("in", 1), upTo: 7, now: at(0))
        quiet.worked(TopicPartition("in", 0), upTo: 3, now: at(100))
        #expect(quiet.due(now: at(999)).isEmpty)
        #expect(quiet.due(now: at(1_000)) == [due(1, 7, 1_000)])
        quiet.worked(TopicPartition("in", 0), upTo: 5, now: at(1_050))
        #expect(quiet.due(now: at(1_999)).isEmpty)
        #expect(quiet.due(now: at(2_500)) == [due(0, 5, 1_450), due(1, 7, 1_500)])
        #expect(quiet.due(now: at(3_000)).isEmpty)
        quiet.forget([TopicPartition("in", 1)])
        #expect(quiet.due(now: at(9_000)) == [due(0, 5, 6_500)])
    }
}

@Suite("A processor with work that waits for silence") struct QuietProcessorTests {
    private static let topics: [TopicSpecification] = [
        .aDay("scans", 2), .forever("positions", 2),
        TopicSpecification(name: "state", partitions: 2, cleanup: .compact),
    ]

    private static func record(
        _ topic: String, _ partition: Int, _ value: String, isKept: Bool = true
    ) -> LogRecord {
        LogRecord(topic, value, isKept ? value : nil, partition: partition)
    }

    /// Appends the values of the state to `positions`, and empties it.
    private static let giveOut: @Sendable (inout [String], Int, Duration) -> ProcessorOutputs = {
        state, partition, elapsed in
        #expect(elapsed >= QuietPartitions.pause)
        var outputs = ProcessorOutputs()
        for value in state {
            outputs.append(Self.record("positions", partition, value), for: nil)
            outputs.append(Self.record("state", partition, value, isKept: false), for: nil)
        }
        state = []
        return outputs
    }

    /// Keeps the values of `scans` in its state, and gives them out after a silence.
    ///
    /// - Parameter isWaiting: whether it only keeps them.
    private func keeper(_ log: any EventLog, isWaiting: Bool = false) -> Processor<[String]> {
        Processor(
            log: log,
            configuration: .init(group: "keeper", input: "scans", stateTopic: "state"),
            emptyState: { _ in [] },
            restore: { state, stored in
                let value = text(stored.key) ?? ""
                state.removeAll { $0 == value }
                if stored.value != nil { state.append(value) }
            },
            work: { state, records in
                var outputs = ProcessorOutputs()
                for scan in records {
                    let value = text(scan.value) ?? ""
                    state.append(value)
                    outputs.append(Self.record("state", scan.partition, value), for: nil)
                }
                return outputs
            },
            quiet: isWaiting ? nil : Self.giveOut, deadLetters: .toLetters,
            notices: Notices(onUnexpected: { print($0) }, onRecovery: { print($0) }))
    }

    /// Runs the processor while the body does.
    private func running(
        _ processor: Processor<[String]>, _ body: () async throws -> Void
    ) async throws {
        let work = Task { try await processor.run() }
        defer { work.cancel() }
        try await body()
        work.cancel()
        try await work.value
    }

    private func values(
        _ partition: Int, of log: any EventLog, atLeast count: Int = 0
    ) async throws -> [String] {
        try await log.readAll("positions", atLeast: count)
            .filter { $0.partition == partition }.compactMap { text($0.value) }
    }

    @Test(
        "does it once, also after a takeover, and leaves the group's offset where it was",
        arguments: LogKind.available)
    func takeover(_ kind: LogKind) async throws {
        try await withLog(kind, Self.topics) { log, _ in
            try await log.append([LogRecord("scans", "a", "a", partition: 0)])
            try await running(keeper(log, isWaiting: true)) {
                // The value and the offset.
                let stored = try await log.readAll("state", atLeast: 2)
                #expect(stored.count == 2)
            }
            #expect(try await log.readAll("positions").isEmpty)
            let offsets = try await log.committed(group: "keeper", topics: ["scans"])
            #expect(offsets.count == 1)
            try await running(keeper(log)) {
                let given = try await values(0, of: log, atLeast: 1)
                #expect(given == ["a"])
            }
            #expect(try await log.committed(group: "keeper", topics: ["scans"]) == offsets)
            try await log.append([LogRecord("scans", "b", "b", partition: 0)])
            try await running(keeper(log)) {
                let given = try await values(0, of: log, atLeast: 2)
                #expect(given == ["a", "b"])
            }
        }
    }

    @Test(
        "does it before the group's first record, while another partition has records",
        arguments: LogKind.available)
    func beginning(_ kind: LogKind) async throws {
        try await withLog(kind, Self.topics) { log, _ in
            try await log.append([LogRecord("state", "a", "a", partition: 0)])
            try await running(keeper(log)) {
                let limit = ContinuousClock.now + .seconds(60)
                var sent = 0
                while try await values(0, of: log).isEmpty, ContinuousClock.now < limit {
                    sent += 1
                    try await log.append([LogRecord("scans", "b", "\(sent)", partition: 1)])
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
            #expect(try await values(0, of: log) == ["a"])
            let start = try await log.bounds(of: "scans")[0].start
            let offsets = try await log.committed(group: "keeper", topics: ["scans"])
            #expect(offsets[TopicPartition("scans", 0)] == start)
        }
    }
}
