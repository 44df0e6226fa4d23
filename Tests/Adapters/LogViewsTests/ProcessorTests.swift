import EventLog
import Synchronization
import Testing

@Suite(.serialized) struct ProcessorTests {
    private struct Hiccup: CausedFault {
        var cause: FaultCause { .world }
    }

    private final class Calls: Sendable {
        private let count = Mutex(0)
        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    private struct Count: Sendable {
        var records = 0
        var batches = 0
        var storedAt: Int64?
    }

    /// Numbers the records of each partition. The state is the count so far. It is stored with each
    /// batch, or with one of three; then the outputs tell what was counted since.
    private func counter(
        _ fixture: Fixture, storesEvery: Int,
        failing: @escaping @Sendable () -> Bool = { false }
    ) -> Processor<Count> {
        Processor<Count>(
            log: fixture.log,
            configuration: .init(
                group: "counter", input: "in", stateTopic: "state", batchLimit: 7),
            emptyState: { _ in Count() },
            restore: { state, record in
                state.records = Int(String(decoding: record.value ?? [], as: UTF8.self)) ?? -1
                state.storedAt = record.appendedAtMicroseconds
            },
            tail: storesEvery == 1
                ? nil
                : .init(
                    topic: "out", from: \.storedAt,
                    restore: { state, record in
                        let parts = String(decoding: record.value ?? [], as: UTF8.self)
                            .split(separator: ":")
                        // The last outputs before the state was stored may come again.
                        state.records = max(state.records, Int(parts[1]) ?? -1)
                    }),
            work: { state, records in
                var outputs = ProcessorOutputs()
                for record in records {
                    state.records += 1
                    let value = String(decoding: record.value ?? [], as: UTF8.self)
                    outputs.append(
                        LogRecord(
                            topic: "out", partition: record.partition, key: record.key ?? [],
                            value: Array("\(record.partition):\(state.records):\(value)".utf8)),
                        for: record)
                }
                // The failure comes after the state has changed, so that a kept state would count
                // twice.
                if failing() { throw Hiccup() }
                state.batches += 1
                if state.batches % storesEvery == 1 % storesEvery {
                    outputs.append(
                        LogRecord(
                            topic: "state", partition: records[0].partition, key: [0],
                            value: Array("\(state.records)".utf8)), for: nil)
                }
                return outputs
            },
            deadLetters: .test, notices: .ignored)
    }

    @Test(
        "Outputs, state and offsets stay together across stops and faults",
        arguments: Fixture.Kind.available, [1, 3])
    func exactlyOnce(_ kind: Fixture.Kind, storesEvery: Int) async throws {
        let fixture = try await Fixture(kind)
        let calls = Calls()
        var wanted = 0
        for round in 0..<4 {
            let processor = counter(fixture, storesEvery: storesEvery) {
                calls.next() % 5 == 3
            }
            let running = Task { try await processor.run() }
            try await fixture.append((0..<40).map { "\(round)-\($0)" })
            wanted += 40
            let total = wanted
            #expect(try await eventually { try await fixture.values(of: "out").count >= total })
            running.cancel()
            try await running.value
        }
        let outputs = try await fixture.values(of: "out").map { $0.split(separator: ":") }
        #expect(outputs.count == wanted)
        for partition in ["0", "1"] {
            let numbers = outputs.filter { $0[0] == partition }.compactMap { Int($0[1]) }
            #expect(numbers == Array(1...max(1, numbers.count)))
        }
        #expect(Set(outputs.map { $0[2] }).count == wanted)
        await fixture.close()
    }
}

@Suite(.serialized) struct ProcessorFaultTests {
    /// Copies `in` to `out`, with a limit of 100,000 bytes. A record that begins with "large" gets
    /// a larger output. One that ends in "refused" is refused.
    private func copier(_ fixture: Fixture) -> Processor<Void> {
        Processor<Void>(
            log: fixture.log, configuration: .init(group: "copier", input: "in", stateTopic: nil),
            emptyState: { _ in }, restore: { _, _ in },
            work: { _, records in
                var outputs = ProcessorOutputs()
                for record in records {
                    var value = record.value ?? []
                    if value.starts(with: Array("large".utf8)) {
                        value += [UInt8](repeating: 0, count: 100_000)
                    }
                    if String(decoding: value, as: UTF8.self).hasSuffix("refused") {
                        outputs.setAside(record, code: "refused", detail: "refused")
                        continue
                    }
                    for _ in 0..<2 {
                        outputs.append(
                            LogRecord(
                                topic: "out", partition: record.partition, key: record.key ?? [],
                                value: value), for: record)
                    }
                }
                return outputs
            }, deadLetters: .test, notices: .recordingIssues)
    }

    @Test(
        "A dead letter replaces an output that is too large; the rest of the batch goes on",
        arguments: Fixture.Kind.available)
    func tooLarge(_ kind: Fixture.Kind) async throws {
        let fixture = try await Fixture(kind)
        try await fixture.append(["a", "large-1", "b", "c-refused"])
        let processor = copier(fixture)
        let running = Task { try await processor.run() }
        #expect(try await eventually { try await fixture.values(of: "letters").count == 2 })
        #expect(try await eventually { try await fixture.values(of: "out").count == 4 })
        running.cancel()
        try await running.value
        #expect(try await fixture.values(of: "out").sorted() == ["a", "a", "b", "b"])
        #expect(
            try await fixture.values(of: "letters").sorted()
                == ["output-too-large large-1", "refused c-refused"])
        await fixture.close()
    }

    @Test(
        "Bad records of many senders at several sites stop the processor, without dead letters",
        arguments: Fixture.Kind.available)
    func stops(_ kind: Fixture.Kind) async throws {
        let fixture = try await Fixture(kind)
        let values = (0..<12).map { "\($0 % 2 == 0 ? "a" : "b")\($0)-refused" }
        try await fixture.log.append(
            values.map { LogRecord(topic: "in", partition: 0, key: [1], value: Array($0.utf8)) })
        let processor = copier(fixture)
        await #expect(throws: ConsumerStopped.self) { try await processor.run() }
        #expect(try await fixture.values(of: "letters").isEmpty)
        await fixture.close()
    }
}

@Suite(.serialized) struct LogTableTests {
    @Test(
        "A table has no value before the log's end is reached, and then follows the log",
        arguments: Fixture.Kind.available)
    func wholeOrNothing(_ kind: Fixture.Kind) async throws {
        let fixture = try await Fixture(kind)
        try await fixture.append((0..<500).map { "key-\($0)" }, topic: "state")
        let sizes = Mutex<[Int]>([])
        let table = LogTable<Set<String>>(
            log: fixture.log, topic: "state", initial: [],
            apply: { keys, record in
                let key = String(decoding: record.key ?? [], as: UTF8.self)
                if record.value == nil { keys.remove(key) } else { keys.insert(key) }
            },
            onChange: { keys in sizes.withLock { $0.append(keys.count) } },
            notices: .recordingIssues)
        #expect(table.current == nil)
        let running = Task { await table.run() }
        await table.ready()
        #expect(sizes.withLock { $0.first } == 500)
        try await fixture.log.append([
            LogRecord(topic: "state", key: Array("key-7".utf8), value: nil)
        ])
        #expect(try await eventually { table.current?.count == 499 })
        #expect(table.current?.contains("key-7") == false)
        running.cancel()
        await running.value
        await fixture.close()
    }

    @Test(
        "A table waits for a topic that is created later",
        arguments: Fixture.Kind.available)
    func laterTopic(_ kind: Fixture.Kind) async throws {
        let fixture = try await Fixture(kind)
        let table = LogTable<Int>(
            log: fixture.log, topic: "later", initial: 0, apply: { count, _ in count += 1 },
            notices: .ignored)
        let running = Task { await table.run() }
        try await Task.sleep(for: .milliseconds(300))
        #expect(table.current == nil)
        try await fixture.log.createTopics([
            TopicSpecification(name: "later", partitions: 1, cleanup: .forever)
        ])
        try await fixture.append(["a"], topic: "later")
        #expect(try await eventually { table.current == 1 })
        running.cancel()
        await running.value
        await fixture.close()
    }
}
