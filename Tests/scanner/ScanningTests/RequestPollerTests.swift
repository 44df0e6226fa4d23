import Events
import Foundation
import ServiceRuntime
import Spool
import Synchronization
import Testing
import Wire

@testable import Scanning

private let first = EventID(high: 0x0193_0000_0000_7000, low: 1 << 63 | 1)
private let second = EventID(high: 0x0193_0000_0000_7000, low: 1 << 63 | 2)

private func poll(_ ids: [EventID], cancelled: [EventID] = [], next: String) -> ServerReply {
    let requests = ids.map { "{\"id\":\"\($0)\",\"store\":false,\"secondsLeft\":19.8}" }
    let gone = cancelled.map { "\"\($0)\"" }
    let body = """
        {"requests":[\(requests.joined(separator: ","))],\
        "cancelled":[\(gone.joined(separator: ","))],"next":"\(next)"}
        """
    return .answered(status: 200, body: Array(body.utf8))
}

/// Waits for ever, until the task is cancelled.
func waitForCancellation() async {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    await withTaskCancellationHandler {
        for await _ in stream {}
    } onCancel: {
        continuation.finish()
    }
}

@Suite struct RequestPollerTests {
    @Test(
        "Each request is begun once, polling goes on meanwhile, and a cancelled one is stopped",
        .timeLimit(.minutes(1)))
    func once() async {
        let begun = Mutex<[EventID]>([])
        let (beginnings, began) = AsyncStream<Void>.makeStream()
        let (ends, ended) = AsyncStream<EventID>.makeStream()
        let server = FakeServer { _, count in
            switch count {
            case 0: return poll([first], next: "a")
            case 1: return poll([first, second], next: "b")
            case 2:
                // Both have begun before one is cancelled.
                var iterator = beginnings.makeAsyncIterator()
                for _ in 0..<2 { await iterator.next() }
                return poll([second], cancelled: [first], next: "c")
            case 3: return poll([], cancelled: [first, second], next: "d")
            default:
                await waitForCancellation()
                return .lost("cancelled")
            }
        }
        let poller = RequestPoller(
            scanner: ScannerID("pi-1"), server: server, wait: { _ in },
            begin: { task in
                begun.withLock { $0.append(task.id) }
                began.yield()
                // A scan that would never end.
                await waitForCancellation()
                ended.yield(task.id)
            }, onFault: { _ in })
        let running = Task { await poller.run(seed: 1) }
        var gone: Set<EventID> = []
        for await id in ends {
            gone.insert(id)
            if gone.count == 2 { break }
        }
        running.cancel()
        await running.value
        #expect(begun.withLock { $0.sorted() } == [first, second])
        #expect(
            server.received.prefix(3).map(\.path) == [
                "/v1/scanners/pi-1/requests?wait=25", "/v1/scanners/pi-1/requests?after=a&wait=25",
                "/v1/scanners/pi-1/requests?after=b&wait=25",
            ])
    }

    @Test("After a failure it polls again with a growing pause", .timeLimit(.minutes(1)))
    func failures() async {
        let pauses = Mutex<[Double]>([])
        let (faults, told) = AsyncStream<String?>.makeStream()
        let server = FakeServer { _, count in
            switch count {
            case 0: return .lost("connection-lost")
            case 1: return .answered(status: 503, retryAfterSeconds: 9)
            case 2: return .answered(status: 409, body: Array("{\"code\":\"newer-poll\"}".utf8))
            case 3: return .answered(status: 503, retryAfterSeconds: 86_400)
            default: return poll([], next: "x")
            }
        }
        let poller = RequestPoller(
            scanner: ScannerID("pi-1"), server: server,
            wait: { seconds in pauses.withLock { $0.append(seconds) } }, begin: { _ in },
            onFault: { told.yield($0) })
        let running = Task { await poller.run(seed: 1) }
        var firstFault: String?
        for await fault in faults {
            guard let fault else { break }
            firstFault = firstFault ?? fault
        }
        #expect(
            firstFault
                == "scan requests can't be asked for: the server is not reached: connection-lost")
        running.cancel()
        await running.value
        let found = pauses.withLock { $0 }
        #expect(found.count == 4)
        #expect(found[0] <= 1 && found[1] == 9 && (2...4).contains(found[2]))
        #expect(found[3] == 600, "a server's pause is granted for ten minutes at most")
    }
}

/// A radio of a test.
struct FakeRadio: WiFiSource {
    let name = "fake"
    var networks: [HeardNetwork] = [
        HeardNetwork(
            bssid: HardwareAddress(value: 0x0211_2200_0001), name: Array("museum".utf8), rssi: -50)
    ]
    func scan() async throws(ScannerFault) -> [HeardNetwork] { networks }
}

@Suite struct ScanMakerTests {
    private func maker(_ keeper: ScanKeeper, _ server: FakeServer) -> ScanMaker {
        ScanMaker(
            enrolment: enrolment, radio: Radio([FakeRadio()]), keeper: keeper, server: server,
            time: SystemTimeSource(), wait: { _ in })
    }

    private func task(_ json: String) throws -> ScannerTask {
        let body = "{\"requests\":[\(json)],\"next\":\"a\"}"
        return try #require(ScanRequestPoll(json: Array(body.utf8)).tasks.first)
    }

    @Test("A scan that is not to be stored goes to the asker, and never into the spool")
    func passing() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keeper = try keeper(folder)
        let server = FakeServer { _, count in
            count == 0 ? .answered(status: 503) : .answered(status: 202)
        }
        let request = try task("{\"id\":\"\(first)\",\"store\":false,\"secondsLeft\":20}")
        await maker(keeper, server).answer(request)
        #expect(
            server.received.map(\.path)
                == Array(repeating: "/v1/scan-requests/\(first)/result", count: 2))
        let now = Timestamp(microseconds: 0)
        let scans = try server.received.map {
            try SubmissionDecoder(.file).decodeOne($0.body, receivedAt: now)
        }
        #expect(scans[0].id == scans[1].id)
        #expect(scans[0].content.wifi.first?.ssid == "museum")
        #expect(await keeper.isEmpty)
    }

    @Test("A refused result is dropped", arguments: [404, 409, 410])
    func refused(status: Int) async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keeper = try keeper(folder)
        let server = FakeServer { _, _ in .answered(status: status) }
        let request = try task("{\"id\":\"\(first)\",\"store\":false,\"secondsLeft\":20}")
        await maker(keeper, server).answer(request)
        #expect(server.received.count == 1)
    }

    @Test("A stored scan with a place is a survey of the request, through the spool")
    func survey() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keeper = try keeper(folder)
        let server = FakeServer { _, _ in .answered(status: 202) }
        let request = try task(
            "{\"id\":\"\(first)\",\"store\":true,\"place\":{\"location\":\"d-17\"}}")
        await maker(keeper, server).answer(request)
        #expect(server.received.isEmpty)
        let batch = try #require(await keeper.batch(.kept, atMost: 10))
        let text = String(decoding: batch.body, as: UTF8.self)
        #expect(text.contains("\"request\":\"\(first)\""))
        #expect(text.contains("\"place\":{\"location\":\"d-17\"}"))
    }
}
