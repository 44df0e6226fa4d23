import Events
import Foundation
import Glibc
import ServiceRuntime
import Spool
import Synchronization
import Testing
import Wire

@testable import Scanning

@Suite struct RequestLinesTests {
    private static let ids = (1...3).map {
        EventID(high: 0x0193_0000_0000_7000, low: 1 << 63 | UInt64($0))
    }
    private static let readings = #""wifi":[{"bssid":"02:11:22:00:00:01","rssi":-50}]"#

    /// One that is not to be stored, one that becomes a survey, and one more.
    private func tasks() throws -> [ScannerTask] {
        let body = """
            {"requests":[{"id":"\(Self.ids[0])","store":false,"secondsLeft":19.84},\
            {"id":"\(Self.ids[1])","store":true,"place":{"location":"d-17"}},\
            {"id":"\(Self.ids[2])","store":false}],"next":"a"}
            """
        return try ScanRequestPoll(json: Array(body.utf8)).tasks
    }

    /// Lets the intake read these lines from a pipe.
    private func read(_ intake: LineIntake, _ lines: [String]) async throws {
        var ends: [Int32] = [-1, -1]
        let failure = pipe(&ends)
        try #require(failure == 0)
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        let count = write(ends[1], bytes, bytes.count)
        close(ends[1])
        #expect(count == bytes.count)
        await intake.read(ends[0])
        close(ends[0])
    }

    @Test(
        "A program gets requests as lines, and answers each once by a line", .timeLimit(.minutes(1))
    )
    func answers() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keeper = try keeper(folder)
        let (written, sink) = AsyncStream<String>.makeStream()
        let requests = RequestLines(
            write: { line in
                sink.yield(line)
                return true
            }, wait: { _ in await waitForCancellation() }, onFault: { _ in })
        var lines = written.makeAsyncIterator()
        var begun: [Task<Void, Never>] = []
        var passed: [String] = []
        for task in try tasks() {
            begun.append(Task { await requests.begin(task) })
            passed.append(await lines.next() ?? "")
        }
        let first = #"{"request":"\#(Self.ids[0])","store":false,"secondsLeft":19.8}"#
        #expect(passed[0] == first + "\n")
        #expect(passed[1].hasSuffix(#""store":true,"secondsLeft":20.0}"# + "\n"))
        let delivered = Mutex<[EventID]>([])
        var intake = LineIntake(keeper: keeper, enrolment: enrolment, time: SystemTimeSource())
        intake.requests = requests
        intake.deliver = { answer in delivered.withLock { $0.append(answer.task.id) } }
        try await read(
            intake,
            [
                #"{"request":"\#(Self.ids[0])",\#(Self.readings)}"#,
                #"{"request":"\#(Self.ids[1])",\#(Self.readings)}"#,
                #"{"request":"\#(Self.ids[0])",\#(Self.readings)}"#, "{\(Self.readings)}",
            ])
        #expect(delivered.withLock { $0 } == [Self.ids[0]])
        let health = await keeper.currentHealth()
        #expect(health.badLines == 1 && health.waitingScans == 1 && health.waitingSurveys == 1)
        let survey = try #require(await keeper.batch(.kept, atMost: 10))
        let text = String(decoding: survey.body, as: UTF8.self)
        #expect(text.split(separator: "\"request\":\"\(Self.ids[1])\"").count == 2)
        #expect(text.contains(#""place":{"location":"d-17"}"#))
        for task in begun {
            task.cancel()
            await task.value
        }
        sink.finish()
        let cancelled = await lines.next()
        #expect(cancelled == #"{"cancelled":"\#(Self.ids[2])"}"# + "\n")
        let after = await lines.next()
        #expect(after == nil, "those that were answered are not cancelled")
        // The program may have written its answer before it read that.
        try await read(intake, [#"{"request":"\#(Self.ids[2])",\#(Self.readings)}"#])
        let late = await keeper.currentHealth()
        #expect(late.lateAnswers == 1 && late.badLines == 1 && late.waitingScans == 1)
    }

    @Test("A program that does not read its requests is a fault, and no request waits for it")
    func deaf() async throws {
        let faults = Mutex<[String?]>([])
        let requests = RequestLines(
            write: { _ in false }, wait: { _ in },
            onFault: { fault in faults.withLock { $0.append(fault) } })
        let task = try tasks()[0]
        await requests.begin(task)
        #expect(await requests.dequeue(task.id) == nil)
        #expect(faults.withLock { $0.compactMap(\.self).count } == 1)
    }

    @Test("Without requests, a line with one is kept with it")
    func alone() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keeper = try keeper(folder)
        let intake = LineIntake(keeper: keeper, enrolment: enrolment, time: SystemTimeSource())
        let long = String(repeating: "x", count: 40_000)
        try await read(intake, [#"{"request":"\#(Self.ids[0])",\#(Self.readings)}"#, long])
        let batch = try #require(await keeper.batch(.droppable, atMost: 10))
        #expect(String(decoding: batch.body, as: UTF8.self).contains("\(Self.ids[0])"))
        #expect(await keeper.currentHealth().badLines == 1)
    }
}
