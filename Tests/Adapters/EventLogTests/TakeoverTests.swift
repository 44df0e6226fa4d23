import EventLog
import Foundation
import Retrying
import Synchronization
import Testing

@Suite("A member that takes work over", .serialized)
struct TakeoverTests {
    /// How long a member may be silent. A test can outlast it, and a loaded machine hardly reaches
    /// it.
    private static let session = Duration.seconds(20)

    /// The calls of the processor's closures.
    private struct Work: Sendable {
        var isBlocked = false
        /// Whether a reading waits. A second one does not: it would need another of the few threads
        /// that tasks have, and the test itself would stand still.
        var isWaiting = false
        /// How often the state of each partition was read from the start.
        var restores: [Int: Int] = [:]
    }

    /// Copies the records of `scans`. Reading back the state of a partition that has one blocks
    /// until `isBlocked` is false.
    private func copier(_ log: any EventLog, _ seen: Shared<Work>) -> Processor<Int> {
        Processor(
            log: log,
            configuration: .init(group: "locator", input: "scans", stateTopic: "state"),
            emptyState: { partition in
                seen.change { $0.restores[partition, default: 0] += 1 }
                return 0
            },
            restore: { state, _ in
                state += 1
                var isFirst = false
                seen.change {
                    isFirst = $0.isBlocked && !$0.isWaiting
                    if isFirst { $0.isWaiting = true }
                }
                guard isFirst else { return }
                while seen.read(\.isBlocked) { usleep(20_000) }
                seen.change { $0.isWaiting = false }
            },
            work: { state, records in
                var outputs = ProcessorOutputs()
                for record in records {
                    outputs.append(
                        LogRecord(
                            topic: "positions", partition: record.partition,
                            key: record.key ?? [], value: bytes("\(state)")), for: record)
                }
                return outputs
            },
            deadLetters: .toLetters,
            notices: Notices(onUnexpected: { print($0) }, onRecovery: { print($0) }))
    }

    /// Waits until the partition's state is read for the first time.
    private func wait(for partition: Int, _ seen: Shared<Work>) async throws {
        let limit = ContinuousClock.now + .seconds(60)
        while seen.read({ $0.restores[partition] }) == nil {
            try #require(ContinuousClock.now < limit, "no member took over")
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    @Test(
        "stays in the group while it reads state back for long, and works on its own partitions",
        arguments: LogKind.available)
    func longRestore(_ kind: LogKind) async throws {
        let topics: [TopicSpecification] = [
            .aDay("scans", 2), .forever("positions", 2),
            TopicSpecification(name: "state", partitions: 2, cleanup: .compact),
        ]
        try await withLog(kind, topics, session: Self.session) { log, server in
            let other = try server.open(session: Self.session)
            let leaving = try await other.join(group: "locator", topics: ["scans"])
            var seenByOther = Seen()
            try await leaving.drive(&seenByOther) { $0.owned.count == 2 }
            let seen = Shared(Work())
            let running = Task { try await copier(log, seen).run() }
            for _ in 0..<60 where seenByOther.owned.count != 1 {
                try await leaving.drive(&seenByOther, for: .milliseconds(300)) { _ in false }
            }
            let theirs = try #require(seenByOther.owned.first?.partition)
            let ours = 1 - theirs
            // The leaving member polls until it goes.
            let isGoing = Shared(false)
            let driving = Task { [seenByOther] in
                var seen = seenByOther
                while !isGoing.read(\.self) {
                    try await leaving.drive(&seen, for: .milliseconds(200)) { _ in false }
                }
            }
            // The successor already works on its own partition.
            try await log.append([LogRecord("scans", "a", "1", partition: ours)])
            #expect(try await log.readAll("positions", atLeast: 1).count == 1)

            // Reading back the other member's state takes long.
            seen.change { $0.isBlocked = true }
            try await log.append([LogRecord("state", "k", "v", partition: theirs)])
            isGoing.change { $0 = true }
            try await driving.value
            await leaving.close()
            await other.close()
            try await wait(for: theirs, seen)
            let began = ContinuousClock.now
            var sent = 1
            // This is longer than a member may be silent on any kind of log.
            while .now - began < (kind == .memory ? .seconds(2) : .seconds(25)) {
                server.outlastSessions()
                sent += 1
                try await log.append([LogRecord("scans", "a", "\(sent)", partition: ours)])
                #expect(try await log.readAll("positions", atLeast: sent).count == sent)
                try await Task.sleep(for: .milliseconds(500))
            }
            seen.change { $0.isBlocked = false }
            try await log.append([LogRecord("scans", "b", "1", partition: theirs)])
            let outputs = try await log.readAll("positions", atLeast: sent + 1)
            #expect(outputs.count == sent + 1)
            // The output is the restored state, a count of 1.
            #expect(outputs.first { $0.partition == theirs }.map { text($0.value) } == "1")
            #expect(seen.read(\.restores) == [0: 1, 1: 1])
            running.cancel()
            _ = try? await running.value
        }
    }

    @Test(
        "reports that the log lacks its next offset, goes on with the rest, and is moved by hand",
        arguments: LogKind.available)
    func beyondTheLog(_ kind: LogKind) async throws {
        try await withLog(kind, [.aDay("scans", 2)]) { log, _ in
            let lost = TopicPartition("scans", 0)
            try await log.moveGroup("locator", to: [lost: 1_000])
            #expect(
                try await log.lastCommitted(group: "locator", topics: ["scans"]) == [lost: 1_000])
            try await log.append([
                LogRecord("scans", "a", "1", partition: 0),
                LogRecord("scans", "b", "2", partition: 1),
            ])
            let member = try await log.join(group: "locator", topics: ["scans"])
            var seen = Seen()
            try await member.drive(&seen) { !$0.records.isEmpty }
            #expect(seen.records.map { text($0.value) } == ["2"])
            let deadline = ContinuousClock.now + .seconds(20)
            while await member.hindrances().isEmpty, .now < deadline {
                try await member.drive(&seen, for: .milliseconds(200)) { _ in false }
            }
            #expect(await member.hindrances().map(\.partition) == [lost])
            #expect(await member.hindrances().map(\.error.code) == [.offsetOutOfRange])
            await expect(.fenced) { try await log.moveGroup("locator", to: [lost: 0]) }
            // A commit for its own partitions does not concern the partition that hangs.
            try await member.commit([], next: next(after: seen.records))
            await member.close()

            try await log.moveGroup("locator", to: [lost: 0])
            let heir = try await log.join(group: "locator", topics: ["scans"])
            var seenByHeir = Seen()
            try await heir.drive(&seenByHeir) { !$0.records.isEmpty }
            #expect(seenByHeir.records.map { text($0.value) } == ["1"])
            #expect(await heir.hindrances().isEmpty)
            await heir.close()
        }
    }
}

/// A value behind a lock, shared by a closure and a test.
final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    func read<Part: Sendable>(_ body: (Value) -> Part) -> Part { value.withLock { body($0) } }

    func change(_ body: (inout Value) -> Void) { value.withLock { body(&$0) } }
}
