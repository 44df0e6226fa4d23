import EventLog
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A log survives", .serialized)
struct FaultTests {
    @Test(
        "acknowledged records survive a killed server, and appends go on",
        arguments: LogKind.available)
    func serverKilled(_ kind: LogKind) async throws {
        let server = try await LogServer(kind, own: true)
        let log = try server.open()
        try await log.createTopics([.forever("scans", 3)])
        var acknowledged: [String] = []
        let isBack = Mutex(false)
        let killing = Task {
            try await Task.sleep(for: .milliseconds(700))
            server.kill()
            try await Task.sleep(for: .milliseconds(700))
            try server.restart()
            isBack.withLock { $0 = true }
        }
        var failures = 0
        var number = 0
        var acknowledgedSince = 0
        let deadline = ContinuousClock.now + .seconds(120)
        while acknowledgedSince < 50, ContinuousClock.now < deadline {
            number += 1
            do {
                try await log.append([LogRecord("scans", "device-\(number % 20)", "\(number)")])
                acknowledged.append("\(number)")
                if isBack.withLock({ $0 }) { acknowledgedSince += 1 }
            } catch {
                #expect(error.isRetriable, "\(error)")
                failures += 1
            }
        }
        try await killing.value
        // Kafka's producer waits for the broker to come back; the other logs report the failure.
        if kind != .kafka { #expect(failures > 0) }
        #expect(acknowledgedSince == 50)
        let kept = Set(try await log.readAll("scans").map { text($0.value) ?? "" })
        #expect(kept.isSuperset(of: acknowledged))
        await log.close()
        server.stop()
    }

    @Test("a log may be opened before its server is there", arguments: LogKind.available)
    func serverLater(_ kind: LogKind) async throws {
        let server = try await LogServer(kind, own: true)
        server.kill()
        let log = try server.open()
        await expect(.unavailable) { _ = try await log.partitionCount(of: "scans") }
        try server.restart()
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            do {
                try await log.createTopics([.forever("scans", 1)])
                break
            } catch { try await Task.sleep(for: .milliseconds(100)) }
        }
        try await log.append([LogRecord("scans", "k", "v")])
        #expect(try await log.readAll("scans").count == 1)
        await log.close()
        server.stop()
    }

    @Test(
        "a full queue refuses at once, and accepts records again when it has drained",
        arguments: LogKind.available)
    func backPressure(_ kind: LogKind) async throws {
        try await withLog(kind, [.forever("scans", 1)]) { _, server in
            let narrow = try server.openNarrow()
            try await narrow.append([LogRecord("scans", "k", "first")])
            let (outcomes, continuation) = AsyncStream.makeStream(of: EventLogError.Code?.self)
            await server.whileBusy {
                for number in 0..<500 {
                    narrow.append([LogRecord("scans", "k", "\(number)")]) { result in
                        if case .failure(let error) = result {
                            continuation.yield(error.code)
                        } else {
                            continuation.yield(nil)
                        }
                    }
                }
            }
            var codes: [EventLogError.Code?] = []
            for await code in outcomes {
                codes.append(code)
                if codes.count == 500 { break }
            }
            let taken = codes.count { $0 == nil }
            #expect(taken >= 10)
            #expect(codes.count { $0 == .backPressure } == 500 - taken)
            #expect(taken < 500)
            try await narrow.append([LogRecord("scans", "k", "last")])
            #expect(try await narrow.readAll("scans").count == taken + 2)
            await narrow.close()
        }
    }

    @Test(
        "members that die within a transaction leave every input worked on exactly once",
        arguments: LogKind.ofProcesses)
    func killedInsideTransactions(_ kind: LogKind) async throws {
        try await withLog(kind, [.aDay("in", 2), .aDay("out", 2)]) { log, server in
            try await log.append((0..<40).map { LogRecord("in", "device-\($0)", "\($0)") })
            var deaths = 0
            let deadline = ContinuousClock.now + .seconds(180)
            // The first two members die at their first commit; the last one works to the end.
            while deaths < 2, ContinuousClock.now < deadline {
                let probe = try server.startProbe(
                    group: "copy", from: "in", to: "out", fault: "inside-transaction:1")
                while probe.isRunning, ContinuousClock.now < deadline {
                    try await Task.sleep(for: .milliseconds(50))
                }
                #expect(probe.exitStatus == SIGKILL)
                deaths += 1
            }
            #expect(try await log.readAll("out").isEmpty)
            let last = try server.startProbe(group: "copy", from: "in", to: "out")
            try await waitForCopies(of: 40, log, until: deadline)
            last.end(with: SIGKILL)
            let copies = try await log.readAll("out").map { text($0.value) ?? "" }
            #expect(copies.sorted() == (0..<40).map { "\($0)" }.sorted())
        }
    }

    @Test(
        "a stopped member's work passes to another, and after waking it can commit nothing",
        arguments: LogKind.ofProcesses)
    func stoppedZombie(_ kind: LogKind) async throws {
        try await withLog(kind, [.aDay("in", 2), .aDay("out", 2)]) { log, server in
            let deadline = ContinuousClock.now + .seconds(180)
            try await log.append((0..<20).map { LogRecord("in", "device-\($0)", "\($0)") })
            let zombie = try server.startProbe(group: "copy", from: "in", to: "out")
            try await waitForCopies(of: 20, log, until: deadline)
            zombie.signal(SIGSTOP)
            try await log.append((20..<60).map { LogRecord("in", "device-\($0)", "\($0)") })
            let heir = try server.startProbe(group: "copy", from: "in", to: "out")
            try await waitForCopies(of: 60, log, until: deadline)
            zombie.signal(SIGCONT)
            try await log.append((60..<80).map { LogRecord("in", "device-\($0)", "\($0)") })
            try await waitForCopies(of: 80, log, until: deadline)
            for probe in [zombie, heir] { probe.end(with: SIGKILL) }
            let copies = try await log.readAll("out").map { text($0.value) ?? "" }
            #expect(copies.sorted() == (0..<80).map { "\($0)" }.sorted())
        }
    }

    private func waitForCopies(
        of count: Int, _ log: any EventLog, until deadline: ContinuousClock.Instant
    ) async throws {
        while try await log.readAll("out").count < count {
            try #require(ContinuousClock.now < deadline, "the copies never arrived")
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
