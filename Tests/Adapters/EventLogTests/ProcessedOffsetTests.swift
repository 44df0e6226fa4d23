import EventLog
import Retrying
import Synchronization
import Testing

@Suite("A processor whose group's offset is ahead of its state")
struct ProcessedOffsetTests {
    private static let topics: [TopicSpecification] = [
        .aDay("scans", 1), .forever("positions", 1),
        TopicSpecification(name: "state", partitions: 1, cleanup: .compact),
    ]

    /// Copies `scans` to `positions`, one record at a time, until `count` positions are there.
    private func copy(
        _ log: any EventLog, until count: Int, _ heard: Shared<[String]>
    ) async throws {
        let processor = Processor(
            log: log,
            configuration: .init(
                group: "locator", input: "scans", stateTopic: "state", batchLimit: 1),
            emptyState: { _ in 0 }, restore: { state, _ in state += 1 },
            work: { _, records in
                var outputs = ProcessorOutputs()
                for record in records {
                    outputs.append(
                        LogRecord(
                            topic: "positions", partition: record.partition,
                            key: record.key ?? [], value: record.value), for: record)
                }
                return outputs
            },
            deadLetters: .toLetters,
            notices: Notices(
                onUnexpected: { text in heard.change { $0.append(text) } }, onRecovery: { _ in }))
        let running = Task { try await processor.run() }
        _ = try await log.readAll("positions", atLeast: count)
        running.cancel()
        try await running.value
    }

    /// Advances the group's offset by this many records, without outputs and state.
    private func advance(_ log: any EventLog, by count: Int64) async throws {
        let place = TopicPartition("scans", 0)
        let committed = try await log.committed(group: "locator", topics: ["scans"])[place] ?? 0
        let member = try await log.join(group: "locator", topics: ["scans"])
        var seen = Seen()
        try await member.drive(&seen) { $0.owned.contains(place) }
        try await member.commit([], next: [place: committed + count])
        await member.close()
    }

    @Test(
        "works on the records between, but not where somebody has moved the offset",
        arguments: LogKind.available)
    func goesBack(_ kind: LogKind) async throws {
        try await withLog(kind, Self.topics) { log, _ in
            let heard = Shared<[String]>([])
            func append(_ numbers: ClosedRange<Int>) async throws {
                try await log.append(
                    numbers.map { LogRecord("scans", "a", "\($0)", partition: 0) })
            }
            try await append(1...3)
            try await copy(log, until: 3, heard)
            try await append(4...5)
            try await advance(log, by: 2)
            try await copy(log, until: 5, heard)
            #expect(heard.read { $0.filter { $0.contains("its state is of") }.count } == 1)

            try await append(6...9)
            try await advance(log, by: 4)
            try await append(10...10)
            try await copy(log, until: 6, heard)
            let values = try await log.readAll("positions", atLeast: 6).map { text($0.value) }
            #expect(values == ["1", "2", "3", "4", "5", "10"])
            #expect(heard.read { $0.filter { $0.contains("its state is of") }.count } == 1)
        }
    }
}
