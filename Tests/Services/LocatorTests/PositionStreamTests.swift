import EventLog
import Events
import HTTP
import SeededRandomness
import ServiceHost
import Testing
import Wire

@testable import Locator

/// The events that a client received from a stream.
private struct Received {
    var numbers: [Int] = []
    var lastID: String?

    /// Reads complete events; comments are ignored.
    mutating func read(_ chunk: [UInt8]) {
        for event in String(decoding: chunk, as: UTF8.self).split(separator: "\n\n") {
            for line in event.split(separator: "\n") {
                if line.hasPrefix("id: ") { lastID = String(line.dropFirst(4)) }
                if line.hasPrefix("data: ") {
                    numbers.append(Int(line.dropFirst(6).prefix { $0 != " " }) ?? -1)
                }
            }
        }
    }
}

@Suite("Streams of positions", .serialized, .timeLimit(.minutes(2)))
struct PositionStreamTests {
    private static let site = LocatorBench.site.text

    /// Runs a hub on an empty log.
    private func withHub(
        _ source: StreamSource = .positions, streams: Int = 1_000, ofToken: Int = 1_000,
        recent: Int = 4_096,
        _ body: (StreamHub, EventStream, any EventLog) async throws -> Void
    ) async throws {
        let bench = try await LocatorBench(.memory)
        let host = try bench.host()
        var limits = StreamHub.Limits(streams: streams, streamsOfToken: ofToken)
        limits.recentRecords = recent
        let hub = StreamHub(source, log: host.log, notices: host.notices, limits: limits)
        let running = Task { await hub.run() }
        let deadline = ContinuousClock.now + .seconds(30)
        while (try? hub.position()) == nil, .now < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
        do {
            try await body(hub, EventStream(hub: hub), host.log)
        } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        await running.value
        await host.log.close()
    }

    /// A record with the number first and then this many bytes; the device is the number's last
    /// digit.
    private static func record(_ number: Int, bytes: Int = 0, site: String = site) -> LogRecord {
        LogRecord(
            topic: Topic.positions.name, key: Array("\(site)/d\(number % 10)".utf8),
            value: Array("\(number) \(String(repeating: "x", count: bytes))".utf8))
    }

    private func open(
        _ stream: EventStream, device: Int? = nil, since: Timestamp? = nil,
        from id: String? = nil,
        token: String = "t"
    ) async throws -> @Sendable () async throws -> [UInt8]? {
        let response = try await stream.response(
            StreamTopic(site: Self.site, device: device.map { "d\($0)" }), token: token,
            since: since, lastEventID: id)
        guard case .pulled(let next) = response.body else {
            Issue.record("a stream is pulled")
            return { nil }
        }
        // The first chunk is the greeting; the second one begins the stream.
        _ = try await next()
        return next
    }

    private func read(
        _ next: @Sendable () async throws -> [UInt8]?, _ received: inout Received, until count: Int
    ) async throws {
        while received.numbers.count < count, let chunk = try await next() { received.read(chunk) }
    }

    @Test(
        "Who comes back again and again gets each position once and in order", arguments: 0..<4)
    func comingBack(seed: Int) async throws {
        // With few records kept, most are read again from the log.
        try await withHub(recent: seed % 2 == 0 ? 5 : 4_096) { hub, stream, log in
            let all = 400
            let writing = Task {
                var random = SeededRandom(seed: seed)
                var number = 0
                while number < all {
                    let count = min(all - number, Int.random(in: 1...20, using: &random))
                    try await log.append((number..<(number + count)).map { Self.record($0) })
                    number += count
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...5, using: &random)))
                }
            }
            try await withThrowingTaskGroup(of: [Int].self) { group in
                for device in [Int?.none, 3, 7] {
                    group.addTask {
                        var random = SeededRandom(seed: seed * 100 + (device ?? 0))
                        var received = Received()
                        let wanted = device == nil ? all : all / 10
                        var id = Optional("0.0.0")
                        while received.numbers.count < wanted {
                            let next = try await open(stream, device: device, from: id)
                            let some =
                                received.numbers.count + Int.random(in: 1...90, using: &random)
                            try await read(next, &received, until: min(wanted, some))
                            id = received.lastID ?? id
                        }
                        return received.numbers
                    }
                }
                for try await numbers in group {
                    #expect(Set(numbers).count == numbers.count)
                    // The positions of one device are in order; partitions have no order among each
                    // other.
                    for digit in 0..<10 {
                        let own = numbers.filter { $0 % 10 == digit }
                        #expect(own == own.sorted())
                    }
                }
            }
            try await writing.value
            #expect(hub.count == 0)
        }
    }

    @Test("A client that reads slowly falls behind and misses nothing")
    func slow() async throws {
        try await withHub(recent: 20) { hub, stream, log in
            let next = try await open(stream)
            let probe = Task { try await next() }
            try await log.append([Self.record(0)])
            var received = Received()
            received.read(try await probe.value ?? [])
            // Far more bytes than may wait for one client.
            for start in stride(from: 1, to: 301, by: 50) {
                try await log.append((start..<(start + 50)).map { Self.record($0, bytes: 2_000) })
            }
            while try hub.position().offsets.reduce(0, +) < 301 {
                try await Task.sleep(for: .milliseconds(10))
            }
            try await read(next, &received, until: 301)
            #expect(received.numbers.sorted() == Array(0...300))
        }
    }

    @Test("A stream since a time begins at the first position after it, and then continues")
    func since() async throws {
        try await withHub(recent: 3) { hub, stream, log in
            try await log.append((0..<50).map { Self.record($0) })
            let next = try await open(stream, device: 4, since: Timestamp(microseconds: 0))
            var received = Received()
            try await read(next, &received, until: 5)
            try await log.append((50..<100).map { Self.record($0) })
            try await read(next, &received, until: 10)
            #expect(received.numbers == Array(stride(from: 4, to: 100, by: 10)))
        }
    }

    @Test("Positions of other sites are not sent, even if a site's name begins the same way")
    func otherSites() async throws {
        try await withHub { hub, stream, log in
            let next = try await open(stream)
            let first = Task { try await next() }
            try await log.append([Self.record(1, site: Self.site + "er"), Self.record(2)])
            var received = Received()
            received.read(try await first.value ?? [])
            #expect(received.numbers == [2])
        }
    }

    @Test("The stream of groups names their events, and has no visits of zones")
    func groups() async throws {
        let (site, device) = (LocatorBench.site, DeviceID("d1"))
        let at = Timestamp(microseconds: LocatorBench.start)
        let entered = GroupEntered(
            visit: EventID(high: 1, low: 1), site: site, device: device,
            group: BeaconGroupID("hall"), floor: FloorID("ground"), entered: at)
        let started = VisitStarted(
            visit: EventID(high: 1, low: 2), site: site, device: device,
            zone: Zone(.room, ZoneID("a")), entered: at, confidence: 1)
        // The second time it is read again from the log.
        for recent in [4_096, 1] {
            try await withHub(.groups, recent: recent) { hub, stream, log in
                try await log.append([
                    entered.record(source: "/test"), started.record(source: "/test"),
                    entered.record(source: "/test"), started.record(source: "/test"),
                ])
                let next = try await open(stream, device: 1, since: Timestamp(microseconds: 0))
                var text = ""
                while text.matches(of: /event:/).count < 2, let chunk = try await next() {
                    text += String(decoding: chunk, as: UTF8.self)
                }
                #expect(text.matches(of: /event: group-entered/).count == 2)
                #expect(text.contains("hall") && !text.contains("confidence"))
            }
        }
    }

    @Test("The stream of batteries has those of its site, and none that were removed")
    func batteries() async throws {
        let at = Timestamp(microseconds: LocatorBench.start)
        func level(_ beacon: String, _ percent: Int, of site: String) -> BeaconBatteryReported {
            BeaconBatteryReported(
                site: SiteID(site), beacon: BeaconID(beacon), percent: percent, at: at)
        }
        let records = [
            level("door", 80, of: Self.site).record(source: "/test"),
            level("door", 50, of: "elsewhere").record(source: "/test"),
            level("door", 80, of: Self.site).tombstone,
            level("hall", 15, of: Self.site).record(source: "/test"),
        ]
        // The second time they are read again from the log.
        for recent in [4_096, 1] {
            try await withHub(.batteries, recent: recent) { hub, stream, log in
                try await log.append(records)
                while try hub.position().offsets.reduce(0, +) < records.count {
                    try await Task.sleep(for: .milliseconds(10))
                }
                let next = try await open(stream, since: Timestamp(microseconds: 0))
                var text = ""
                while text.matches(of: /event:/).count < 2, let chunk = try await next() {
                    text += String(decoding: chunk, as: UTF8.self)
                }
                #expect(text.matches(of: /event: beacon-battery-reported\n/).count == 2)
                #expect(text.contains("door") && text.contains("hall"))
                #expect(!text.contains("elsewhere"))
            }
        }
    }

    @Test("Reading on without an event sends a comment with the place to come back to")
    func quietReading() async throws {
        let (site, device) = (LocatorBench.site, DeviceID("d1"))
        let at = Timestamp(microseconds: LocatorBench.start)
        let started = VisitStarted(
            visit: EventID(high: 1, low: 2), site: site, device: device,
            zone: Zone(.room, ZoneID("a")), entered: at, confidence: 1
        ).record(source: "/test")
        let entered = GroupEntered(
            visit: EventID(high: 1, low: 1), site: site, device: device,
            group: BeaconGroupID("hall"), floor: FloorID("ground"), entered: at
        ).record(source: "/test")
        // The hub keeps only the last event, so all visits of zones are read again from the log.
        try await withHub(.groups, recent: 1) { hub, stream, log in
            try await log.append(Array(repeating: started, count: 1_200) + [entered, entered])
            while try hub.position().offsets.reduce(0, +) < 1_202 {
                try await Task.sleep(for: .milliseconds(10))
            }
            let next = try await open(stream, since: Timestamp(microseconds: 0))
            for _ in 0..<15 { hub.tick() }
            let quiet = String(decoding: try await next() ?? [], as: UTF8.self)
            let id = try #require(quiet.wholeMatch(of: /id: ([0-9.]+)\n: keep-alive\n\n/)?.1)
            let place = try #require(StreamVector(String(id)))
            #expect((1...1_200).contains(place.offsets.reduce(0, +)))
            // Nothing is due now, so the next bytes are events, here and for a client that returns.
            let other = try await open(stream, from: place.text)
            for follow in [next, other] {
                var text = ""
                while text.matches(of: /event:/).count < 2, let chunk = try await follow() {
                    text += String(decoding: chunk, as: UTF8.self)
                }
                #expect(text.matches(of: /event: group-entered/).count == 2)
                #expect(!text.contains("keep-alive"))
            }
        }
    }

    @Test("Streams of positions and of groups have one limit together")
    func together() async throws {
        let bench = try await LocatorBench(.memory)
        let host = try bench.host()
        let limits = StreamHub.Limits(streams: 2, streamsOfToken: 1)
        let places = StreamPlaces(limits)
        let hubs = [StreamSource.positions, .groups].map {
            StreamHub($0, log: host.log, notices: host.notices, limits: limits, places: places)
        }
        let topic = StreamTopic(site: Self.site, device: nil)
        let first = try hubs[0].enter(topic, token: "t")
        #expect(throws: Problem.self) { try hubs[1].enter(topic, token: "t") }
        _ = try hubs[1].enter(topic, token: "u")
        #expect(throws: Problem.self) { try hubs[0].enter(topic, token: "v") }
        hubs[0].leave(first)
        _ = try hubs[1].enter(topic, token: "t")
        await host.log.close()
    }

    @Test("One token and all together have limits of streams; a stream that ends makes room")
    func limits() async throws {
        try await withHub(streams: 3, ofToken: 2) { hub, stream, log in
            var streams = [try await open(stream), try await open(stream)]
            await #expect { _ = try await open(stream) } throws: { ($0 as? Problem)?.status == 429 }
            streams.append(try await open(stream, token: "u"))
            await #expect { _ = try await open(stream, token: "v") } throws: {
                ($0 as? Problem)?.code == "too-many-streams"
            }
            streams.removeFirst()
            #expect(hub.count == 2)
            _ = try await open(stream)
            await #expect { _ = try await open(stream, from: "x") } throws: {
                ($0 as? Problem)?.code == "event-id-malformed"
            }
            withExtendedLifetime(streams) {}
        }
    }

    @Test("A quiet stream is kept alive")
    func keepAlive() async throws {
        try await withHub { hub, stream, log in
            let next = try await open(stream)
            let chunk = Task { try await next() }
            while !chunk.isCancelled {
                for _ in 0..<15 { hub.tick() }
                try await Task.sleep(for: .milliseconds(5))
                if let text = hub.count == 1 ? try await chunk.value : nil {
                    #expect(String(decoding: text, as: UTF8.self) == ": keep-alive\n\n")
                    break
                }
            }
        }
    }

    @Test("A client that reads nothing while it has a turn loses it")
    func stalled() async throws {
        let turns = Turns(atOnce: 1, ofOneAtOnce: 1, waiting: 10)
        let slow = StreamSubscription(StreamTopic(site: Self.site, device: nil), token: "a")
        slow.hold(try await turns.acquire(for: "a"))
        let other = Task { try await turns.acquire(for: "b") }
        slow.asked()
        for _ in 0..<100 { slow.passSecond() }
        #expect(!slow.hasEnded, "it waits for us")
        slow.answered()
        for _ in 0..<StreamSubscription.mostSecondsUnasked { slow.passSecond() }
        #expect(!slow.hasEnded)
        slow.passSecond()
        #expect(slow.hasEnded)
        _ = try await other.value
    }

    @Test("A vector is read as it was written, and no other text is a vector")
    func vectors() {
        #expect(StreamVector("0.5.9223372036854775807")?.text == "0.5.9223372036854775807")
        for wrong in ["", ".", "1.", "-1.2", "1.9223372036854775808", "a", "1 .2"] {
            #expect(StreamVector(wrong) == nil, "\(wrong)")
        }
    }
}

@Suite struct TurnsTests {
    @Test("A few callers have turns, each a few at most; the others wait or are refused")
    func turns() async throws {
        let turns = Turns(atOnce: 3, ofOneAtOnce: 2, waiting: 2)
        let first = try await turns.acquire(for: "a")
        let second = try await turns.acquire(for: "a")
        let waiting = Task { try await turns.acquire(for: "a") }
        let other = try await turns.acquire(for: "b")
        let late = Task { try await turns.acquire(for: "b") }
        try await Task.sleep(for: .milliseconds(50))
        await #expect { _ = try await turns.acquire(for: "c") } throws: {
            ($0 as? Problem)?.code == "too-many-at-once"
        }
        other.end()
        other.end()
        _ = try await late.value
        first.end()
        let third = try await waiting.value
        withExtendedLifetime((second, third)) {}
    }

    @Test("A caller that has stopped waiting uses up no turn")
    func cancelled() async throws {
        let turns = Turns(atOnce: 1, ofOneAtOnce: 1, waiting: 10)
        let first = try await turns.acquire(for: "a")
        let gone = Task { try await turns.acquire(for: "b") }
        gone.cancel()
        await #expect(throws: CancellationError.self) { _ = try await gone.value }
        first.end()
        _ = try await turns.acquire(for: "c")
    }
}
