import Events
import Foundation
import SeededRandomness
import ServiceRuntime
import Spool
import Synchronization
import Testing
import Wire

@testable import Scanning

let enrolment = ScannerEnrolment(
    server: "https://where.example", token: "wab_x", site: SiteID("museum"),
    scanner: ScannerID("pi-1"))

func temporaryFolder() -> String { NSTemporaryDirectory() + "scanner-\(UUID().uuidString)" }

func keeper(
    _ folder: String, _ time: any TimeSource = SystemTimeSource(), boot: MachineBoot? = nil
) throws -> ScanKeeper {
    try ScanKeeper(
        folder: folder, limitBytes: 10_000_000, enrolment: enrolment, time: time, boot: boot,
        log: Logger(service: "test", write: { _ in }), onWork: {})
}

func sampleScan(_ number: Int, place: SurveyPlace? = nil) -> ScanSubmission {
    let now = Timestamp(milliseconds: 1_800_000_000_000 + Int64(number))
    var scan = ScanSubmission(at: now, receivedAt: now)
    scan.id = EventID(high: 0x0193_0000_0000_7000, low: 1 << 63 | UInt64(number))
    scan.scanner = enrolment.scanner
    scan.content = ScanContent(
        wifi: [WiFiReading(bssid: HardwareAddress(value: 5), rssi: -40)])
    scan.place = place
    return scan
}

/// The ids of a body's lines.
func ids(_ body: [UInt8]) throws -> [EventID] {
    try SubmissionDecoder(.file).decode(
        body: body, format: .lines, receivedAt: Timestamp(microseconds: 0)
    ).map { try #require(try $0.get().id) }
}

@Suite struct SendingTests {
    @Test(
        "A server that fails in every way, and a scanner killed between, get each scan's id",
        arguments: 0..<20)
    func everything(seed: Int) async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let accepted = Mutex<Set<EventID>>([])
        let random = Mutex(SeededRandom(seed: UInt64(seed)))
        let server = FakeServer { request, _ in
            let chance = random.withLock { Int.random(in: 0..<6, using: &$0) }
            let isTaken = chance != 0 && chance != 1
            if isTaken, let ids = try? ids(request.body) {
                accepted.withLock { $0.formUnion(ids) }
            }
            switch chance {
            case 0: return .answered(status: 503, retryAfterSeconds: 3)
            case 1: return .lost("connection-lost")
            // The server has it, but its answer gets lost.
            case 2: return .lost("time-out")
            default: return .answered(status: 202, body: noneRejected)
            }
        }
        var sent: Set<EventID> = []
        var rules = SendingRules(seed: UInt64(seed))
        for round in 0..<6 {
            // A new keeper is a process started again.
            let keeper = try keeper(folder)
            for number in 0..<25 {
                let scan = sampleScan(
                    100 * round + number,
                    place: number % 5 == 0 ? .location(LocationID("d-1")) : nil)
                sent.insert(try #require(scan.id))
                await keeper.keep(scan)
            }
            if round % 2 == 0 { continue }
            let sender = ScanSender(keeper: keeper, server: server, wait: { _ in })
            await sender.empty(&rules)
            #expect(await keeper.isEmpty)
        }
        #expect(accepted.withLock { $0 } == sent)
    }

    @Test("Surveys go to their own path, and each line has its time of sending")
    func paths() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let time = ManualTimeSource(microseconds: 1_800_000_100_000_000)
        let keeper = try keeper(folder, time)
        await keeper.keep(sampleScan(1))
        let request = EventID(high: 1, low: 2)
        await keeper.keep(sampleScan(2, place: .location(LocationID("d-1"))), request: request)
        let server = FakeServer { _, _ in .answered(status: 202, body: noneRejected) }
        var rules = SendingRules(seed: 1)
        await ScanSender(keeper: keeper, server: server, wait: { _ in }).empty(&rules)
        #expect(server.received.map(\.path) == ["/v1/surveys", "/v1/scans"])
        let survey = String(decoding: server.received[0].body, as: UTF8.self)
        #expect(survey.contains("\"request\":\"\(request)\""))
        for sent in server.received {
            let scan = try SubmissionDecoder(.file).decodeOne(
                sent.body, receivedAt: Timestamp(microseconds: 0))
            #expect(scan.sentAt?.microseconds == time.nowMicroseconds)
        }
    }

    @Test(
        "Scans that were kept before the clock was set are sent with their true age, on this boot",
        arguments: ["this boot", "the boot before", nil] as [String?])
    func clockSet(keptOn boot: String?) async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let time = ManualTimeSource(microseconds: 1_800_000_000_000_000)
        let uptime = ManualTimeSource(microseconds: 20_000_000)
        let old = Timestamp(microseconds: time.nowMicroseconds)
        do {
            let former = try keeper(
                folder, time,
                boot: boot.map { id in
                    MachineBoot(id: id, microseconds: { uptime.nowMicroseconds })
                })
            await former.keep(sampleScan(0), request: EventID(high: 1, low: 2))
            await former.keep(
                [HeardAddress(address: HardwareAddress(value: 6), rssi: -50)],
                by: enrolment.scanner, at: old)
        }
        // The network sets the clock 300 days ahead; a minute has passed.
        uptime.advance(by: .seconds(60))
        time.advance(by: .seconds(300 * 86_400 + 60))
        let later = try keeper(
            folder, time,
            boot: MachineBoot(id: "this boot", microseconds: { uptime.nowMicroseconds }))
        let now = Timestamp(microseconds: time.nowMicroseconds)
        let trueTime = boot == "this boot" ? now.advanced(byMicroseconds: -60_000_000) : old
        let scans = try #require(await later.batch(.droppable, atMost: 10))
        let scan = try SubmissionDecoder(.file).decodeOne(scans.body, receivedAt: now)
        #expect(scan.correctedAt == trueTime)
        #expect(scan.at == old, "a scan that is sent twice has one content")
        #expect(scan.request == EventID(high: 1, low: 2))
        let reports = try #require(await later.batch(.passing, atMost: 10))
        let report = try #require(
            try SightingSubmission.read(body: reports.body, receivedAt: now).first)
        #expect(try report.get().at == trueTime)
        for body in [scans.body, reports.body] {
            #expect(!String(decoding: body, as: UTF8.self).contains("boot"))
        }
    }

    @Test("Refused scans are deleted and named in the health by code; put-off ones are sent again")
    func refused() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keeper = try keeper(folder)
        for number in 0..<4 { await keeper.keep(sampleScan(number)) }
        let server = FakeServer { _, count in
            guard count == 0 else { return .answered(status: 202, body: noneRejected) }
            let body = """
                {"accepted":2,"rejected":[{"index":1,"code":"nothing-heard","detail":""},
                {"index":2,"code":"quota-exceeded","detail":""}]}
                """
            return .answered(status: 202, body: Array(body.utf8))
        }
        var rules = SendingRules(seed: 1)
        await ScanSender(keeper: keeper, server: server, wait: { _ in }).empty(&rules)
        #expect(try ids(server.received[1].body) == [try #require(sampleScan(2).id)])
        let health = await keeper.currentHealth()
        #expect(health.refused == ["nothing-heard": 1])
        #expect(health.sent == 3)
        #expect(health.waitingScans == 0)
    }

    @Test("A survey that is put off and finds no room stays; those before it and scans go")
    func noRoom() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let surveys = (0..<4).map { sampleScan($0, place: .location(LocationID("d-1"))) }
        do {
            let former = try keeper(folder)
            for survey in surveys { await former.keep(survey) }
        }
        // A new process begins a new segment, and can't: its name is that of a folder.
        let later = try keeper(folder)
        try FileManager.default.createDirectory(
            atPath: "\(folder)/kept-\(String(repeating: "0", count: 15))4",
            withIntermediateDirectories: false)
        await later.keep(sampleScan(9))
        let server = FakeServer { _, count in
            guard count == 0 || count == 2 else {
                return .answered(status: 202, body: noneRejected)
            }
            let off = #"{"index":\#(count == 0 ? 2 : 0),"code":"quota-exceeded","detail":""}"#
            let bad = #"{"index":\#(count == 0 ? 0 : 1),"code":"nothing-heard","detail":""}"#
            return .answered(
                status: 202, body: Array(#"{"accepted":1,"rejected":[\#(off),\#(bad)]}"#.utf8))
        }
        let waits = Mutex<[String]>([])
        var rules = SendingRules(seed: 1)
        await ScanSender(
            keeper: later, server: server,
            wait: { seconds in
                waits.withLock { $0.append("\(seconds) s after \(server.received.count)") }
            }
        ).empty(&rules)
        let sent = try server.received.map { try ids($0.body) }
        let known = try surveys.map { try #require($0.id) }
        let scan = try #require(sampleScan(9).id)
        #expect(sent == [known, [scan], Array(known[2...]), [known[2]]])
        #expect(waits.withLock { $0 } == ["60.0 s after 2"])
        let health = await later.currentHealth()
        #expect(health.waitingSurveys == 0 && health.sent == 3)
        #expect(health.refused == ["nothing-heard": 2])
        #expect(health.notKept == 0 && health.faults.isEmpty)
    }
}
