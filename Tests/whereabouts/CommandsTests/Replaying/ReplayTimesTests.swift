import Events
import HTTP
import SeededRandomness
import Synchronization
import Testing
import Wire

@testable import Commands

@Suite("The times of a replay") struct ReplayTimesTests {
    private static let start = Timestamp(milliseconds: 1_767_600_000_000)

    private static func time(_ seconds: Double) -> Timestamp {
        start.advanced(byMicroseconds: Int64(seconds * 1e6))
    }

    /// A scan every four seconds.
    private static func walk(seconds: Int) -> [Timestamp] {
        stride(from: 0, through: seconds, by: 4).map { time(Double($0)) }
    }

    @Test(
        "Kept times differ as the recorded ones do, and else a scan has the time of its sending",
        arguments: 0..<20 as Range<UInt64>)
    func kept(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let recorded = (0..<50).map { _ in
            Self.time(.random(in: 0...3_000, using: &random))
        }
        let pace: ReplayTimes.Pace =
            Bool.random(using: &random)
            ? .perSecond(50) : .times(.random(in: 1...90, using: &random))
        let began = Timestamp(milliseconds: .random(in: 0...4_000_000_000_000, using: &random))
        let now = began.advanced(byMicroseconds: 77)
        let moving = try ReplayTimes(pace, keeps: false, recorded: recorded)
        for time in recorded { #expect(moving.stated(of: time, began: began, now: now) == now) }
        // Scans before the first one lie behind, which a server does not bear for long.
        let sorted = recorded.sorted()
        let keeping = try ReplayTimes(pace, keeps: true, recorded: sorted)
        let stated = sorted.map { keeping.stated(of: $0, began: began, now: now) }
        #expect(stated[0] == began)
        for (earlier, later) in zip(sorted.indices, sorted.indices.dropFirst()) {
            #expect(stated[later] - stated[earlier] == sorted[later] - sorted[earlier])
        }
    }

    @Test("Scans are due at their distances by the speed, or in even steps")
    func due() throws {
        let recorded = [0, 10, 30].map { Self.time($0) }
        let quick = try ReplayTimes(.times(10), keeps: true, recorded: recorded)
        let even = try ReplayTimes(.perSecond(4), keeps: true, recorded: recorded)
        #expect(recorded.indices.map { quick.secondsUntil($0, at: recorded[$0]) } == [0, 1, 3])
        #expect(recorded.indices.map { even.secondsUntil($0, at: recorded[$0]) } == [0, 0.25, 0.5])
    }

    @Test(
        "Times that the server would refuse, or count as late, are not kept",
        arguments: [
            (3_600, ReplayTimes.Pace.times(50), true), (3_700, .times(50), false),
            (36_000, .times(1), true), (36_000, .perSecond(1), false), (300, .times(0.6), true),
            (300, .times(0.5), false), (300, .perSecond(0.1), false),
        ])
    func bounds(seconds: Int, pace: ReplayTimes.Pace, isGood: Bool) throws {
        let walk = Self.walk(seconds: seconds)
        let isRefused = (try? ReplayTimes(pace, keeps: true, recorded: walk)) == nil
        #expect(isRefused != isGood)
        _ = try ReplayTimes(pace, keeps: false, recorded: walk)
    }

    @Test("A replay that lets people run says so, if the times could be kept")
    func advice() throws {
        func advice(_ pace: ReplayTimes.Pace, _ seconds: Int, keeps: Bool = false) throws -> String?
        {
            let walk = Self.walk(seconds: seconds)
            return try ReplayTimes(pace, keeps: keeps, recorded: walk).advice(recorded: walk)
        }
        #expect(try advice(.times(10), 600)?.contains("10.0 times as fast") == true)
        #expect(try advice(.perSecond(1), 600)?.contains("4.0 times as fast") == true)
        #expect(try advice(.times(10), 600, keeps: true) == nil)
        #expect(try advice(.times(1), 600) == nil)
        #expect(try advice(.perSecond(0.25), 600) == nil)
        // A month can't be kept, nor can scans of one moment run.
        #expect(try advice(.perSecond(40), 2_600_000) == nil)
        #expect(try advice(.perSecond(40), 0) == nil)
    }

    @Test("A scan is sent with its time, and with the time of sending by the same clock")
    func sent() async throws {
        let bodies = Mutex<[[UInt8]]>([])
        let route = Route(
            .post, "/v1/scans",
            handler: .task { request in
                bodies.withLock { $0.append(request.body) }
                return HTTPResponse(status: 202)
            })
        let recorded = [0, 4, 20].map { Self.time($0) }
        try await withServices([route]) { services in
            for keeps in [true, false] {
                let sender = ScanSender(
                    services: services,
                    times: try ReplayTimes(.perSecond(1_000), keeps: keeps, recorded: recorded),
                    watch: nil, note: { _ in })
                for at in recorded {
                    var scan = ScanSubmission(at: at, receivedAt: at)
                    scan.content.steps = 1
                    await sender.send(ReplayedScan(scan: scan))
                }
                #expect(await sender.outcome().accepted.count == recorded.count)
            }
        }
        let scans = try bodies.withLock(\.self).map {
            try SubmissionDecoder(.file).decodeOne($0, receivedAt: Self.start)
        }
        try #require(scans.count == 6)
        // Times have milliseconds on the wire.
        #expect(scans[1].at.milliseconds - scans[0].at.milliseconds == 4_000)
        #expect(scans[2].at.milliseconds - scans[0].at.milliseconds == 20_000)
        for scan in scans[3...] { #expect(scan.at == scan.sentAt) }
        for (earlier, later) in zip(scans, scans.dropFirst()) {
            let (first, second) = (try #require(earlier.sentAt), try #require(later.sentAt))
            #expect(first <= second)
        }
    }
}
