import EventLog
import Events
import ServiceHost
import ServiceRuntime
import Smoothing
import Testing
import Wire

@testable import Locator

@Suite("The processor that smooths positions") struct SmoothingTests {
    /// A log in memory, and PostgreSQL's where it can be started.
    private static let kinds = LocatorBench.Kind.available.filter { $0 != .kafka }
    /// Silence changes nothing by these, however slow the machine is.
    private static let patient = SmoothingRules(allowanceMicroseconds: 3_600_000_000)
    private static let devices = (0..<6).map { DeviceID("d\($0)") }

    private static func moment(_ second: Int) -> Timestamp {
        Timestamp(microseconds: LocatorBench.start + Int64(second) * 1_000_000)
    }

    /// One position of each device.
    private static func positions(at second: Int) -> [PositionEstimated] {
        devices.enumerated().map { number, device in
            let low = UInt64(second * 100 + number)
            var position = PositionEstimated(
                id: EventID(high: 5, low: low), scan: EventID(high: 4, low: low),
                at: moment(second), locatedAt: moment(second), device: device,
                site: LocatorBench.site, siteVersion: 1,
                state: second % 7 == 3 ? .lost : .located, late: false, positioner: "auto",
                radioMapVersion: 1)
            guard position.state != .lost else { return position }
            (position.building, position.floor) = (BuildingID("house"), FloorID("ground"))
            (position.x, position.y) = (Double(second % 11 + number), Double(second % 5))
            (position.radius68, position.radius95) = (2, 5)
            return position
        }
    }

    private static func smoothing(
        _ host: ServiceHost.Host, _ rules: SmoothingRules
    ) -> PositionSmoothing {
        PositionSmoothing(
            rules: rules, erased: host.erased, clock: host.clock, metrics: MetricsRegistry(),
            onUnexpected: { Issue.record("\($0)") })
    }

    /// Runs a processor of its own until there are so many smoothed positions, then stops it.
    private func smooth(
        _ bench: LocatorBench, _ rules: SmoothingRules = patient, until count: Int
    ) async throws {
        let host = try bench.host()
        let processor = Self.smoothing(host, rules).processor(
            host.log, host.deadLetters(of: PositionSmoothing.group, source: "/test"),
            host.notices)
        let work = Task { try? await processor.run() }
        let deadline = ContinuousClock.now + .seconds(60)
        while try await bench.records(of: Topic.positionsSmoothed.name).count < count,
            .now < deadline
        {
            try await Task.sleep(for: .milliseconds(50))
        }
        work.cancel()
        await work.value
        await host.log.close()
    }

    private func append(_ seconds: Range<Int>, _ bench: LocatorBench) async throws {
        let host = try bench.host()
        for second in seconds {
            try await host.log.append(
                Self.positions(at: second * 3).map { $0.record(source: "/test") })
        }
        await host.log.close()
    }

    /// The smoothed positions that follow from the log, by their ids.
    private func expected(_ bench: LocatorBench) async throws -> [String: [UInt8]] {
        var tables: [Int: SmoothingTable] = [:]
        var values: [String: [UInt8]] = [:]
        for record in try await bench.records(of: Topic.positions.name) {
            let moment = Timestamp(microseconds: record.appendedAtMicroseconds)
            var table = tables.removeValue(forKey: record.partition) ?? SmoothingTable(Self.patient)
            let passed = table.pass(to: moment)
            let added = table.add(try PositionEstimated(record: record), appendedAt: moment)
            for var position in passed + added {
                position.id = EventID(smoothingOf: position.id)
                values[position.id.description] = position.json
            }
            tables[record.partition] = table
        }
        return values
    }

    @Test("gives each position once, the same as without an interruption", arguments: kinds)
    func takeover(_ kind: LocatorBench.Kind) async throws {
        let bench = try await LocatorBench(kind)
        defer { bench.stop() }
        try await append(0..<10, bench)
        try await smooth(bench, until: 20)
        try await append(10..<30, bench)
        try await smooth(bench, until: 60)
        let expected = try await expected(bench)
        #expect(expected.count == 6 * 25)
        try await smooth(bench, until: expected.count)
        let records = try await bench.records(of: Topic.positionsSmoothed.name)
        #expect(records.count == expected.count)
        var found: [String: [UInt8]] = [:]
        for record in records {
            found[try PositionEstimated(record: record).id.description] = record.value
        }
        #expect(found == expected)
    }

    @Test("gives the last positions after a silence, and appends nothing to their topic")
    func silence() async throws {
        let bench = try await LocatorBench(.memory)
        defer { bench.stop() }
        try await append(0..<1, bench)
        let soon = SmoothingRules(
            smoother: PositionSmoother(lagMicroseconds: 1), allowanceMicroseconds: 0)
        try await smooth(bench, soon, until: Self.devices.count)
        let given = try await bench.records(of: Topic.positionsSmoothed.name)
        #expect(given.count == Self.devices.count)
        #expect(try await bench.records(of: Topic.positions.name).count == Self.devices.count)
    }

    /// Works on records as the processor does, and returns the outputs.
    private func work(
        _ smoothing: PositionSmoothing, _ table: inout SmoothingTable,
        _ records: [(LogRecord, second: Int)]
    ) -> ProcessorOutputs {
        smoothing.work(
            &table,
            records.enumerated().map { number, record in
                StoredRecord(
                    topic: Topic.positions.name, partition: 1, offset: Int64(number),
                    appendedAtMicroseconds: Self.moment(record.second).microseconds,
                    key: record.0.key, value: record.0.value, headers: record.0.headers)
            })
    }

    /// Lets time pass without records, and returns the outputs.
    private func wait(
        _ seconds: Int, _ smoothing: PositionSmoothing, _ table: inout SmoothingTable
    ) -> [LogRecord] {
        var records: [LogRecord] = []
        for _ in 0..<seconds {
            records += smoothing.pass(&table, in: 1, for: .seconds(1)).records
        }
        return records
    }

    @Test("counts a silence, not a standstill, and passes an erasure on with tombstones")
    func silenceAndErasure() async throws {
        let host = try await LocatorBench(.memory).host()
        let smoothing = Self.smoothing(host, SmoothingRules())
        var table = SmoothingTable()
        let position = Self.positions(at: 0)[0]
        let first = work(smoothing, &table, [(position.record(source: "/test"), 0)])
        #expect(first.records.map(\.topic) == [Topic.smoothingWindows.name])
        #expect(smoothing.pass(&table, in: 1, for: .seconds(3_600)).records.isEmpty)
        #expect(wait(16, smoothing, &table).isEmpty)
        let given = wait(1, smoothing, &table)
        let smoothed = try #require(given.first { $0.topic == Topic.positionsSmoothed.name })
        #expect(smoothed.key == position.recordKey)
        let erased = DeviceErased(
            id: EventID(high: 7, low: 7), site: position.site, device: position.device,
            at: Self.moment(22)
        ).record(topic: Topic.positions.name, source: "/test")
        let outputs = work(smoothing, &table, [(erased, 22)]).records
        #expect(outputs.map(\.topic) == [Topic.positionsSmoothed, .smoothingWindows].map(\.name))
        #expect(outputs.last?.value == nil)
        #expect(
            outputs.last?.key
                == SmoothingStateKey.bytes(
                    SmoothingPlace(DeviceKey(position.site, position.device), position.id)))
        // A scan of before comes again while the erasure is known.
        host.erased.replace(
            with: ErasedDevices([
                DeviceErased(
                    id: EventID(high: 7, low: 7), site: position.site, device: position.device,
                    at: Self.moment(22))
            ]))
        let late =
            work(smoothing, &table, [(position.record(source: "/test"), 23)]).records
            + wait(20, smoothing, &table)
        #expect(!late.contains { $0.topic == Topic.positionsSmoothed.name })
    }

    @Test("empties the windows of a smoother that is switched off", arguments: kinds)
    func switchedOff(_ kind: LocatorBench.Kind) async throws {
        let bench = try await LocatorBench(kind)
        defer { bench.stop() }
        let host = try bench.host()
        let smoothing = Self.smoothing(host, Self.patient)
        var table = SmoothingTable()
        for second in 0..<2 {
            let records = Self.positions(at: second).map { ($0.record(source: "/test"), second) }
            try await host.log.append(work(smoothing, &table, records).records)
        }
        #expect(try await windows(bench).count == 2 * Self.devices.count)
        try await SmoothingWindows(log: host.log).empty()
        #expect(try await windows(bench).isEmpty)
        let ends = try await host.log.readableEnds(of: Topic.smoothingWindows.name)
        try await SmoothingWindows(log: host.log).empty()
        #expect(try await host.log.readableEnds(of: Topic.smoothingWindows.name) == ends)
        await host.log.close()
    }

    @Test("leaves a group that goes on near the end, unless a process still smooths")
    func movedOn() async throws {
        let bench = try await LocatorBench(.memory)
        defer { bench.stop() }
        let host = try bench.host()
        let windows = SmoothingWindows(log: host.log)
        let (group, topic) = (PositionSmoothing.group, Topic.positions.name)
        try await append(0..<7, bench)
        try await windows.moveOn()
        // Who switches it on for the first time begins at the start.
        #expect(try await host.log.lastCommitted(group: group, topics: [topic]).isEmpty)
        try await smooth(bench, until: 1)
        try await append(7..<9, bench)
        let member = try await host.log.join(group: group, topics: [topic])
        try await windows.moveOn()
        await member.close()
        let ends = try await host.log.readableEnds(of: topic)
        func committed() async throws -> [Int64] {
            try await host.log.lastCommitted(group: group, topics: [topic])
                .sorted { $0.key.partition < $1.key.partition }.map(\.value)
        }
        #expect(try await committed() != ends)
        try await windows.moveOn()
        #expect(try await committed() == ends)
        await host.log.close()
    }

    @Test("forgets a window of days ago, when nobody knows any more who was erased")
    func oldWindow() async throws {
        let host = try await LocatorBench(.memory).host()
        let smoothing = Self.smoothing(host, SmoothingRules())
        let position = Self.positions(at: 0)[0]
        let place = SmoothingPlace(DeviceKey(position.site, position.device), position.id)
        func restored(_ appendedAt: Timestamp) -> Int {
            let entry = SmoothingEntry(position, appendedAt: appendedAt)
            var table = SmoothingTable()
            smoothing.restore(
                &table,
                StoredRecord(
                    topic: Topic.smoothingWindows.name, partition: 1, offset: 0,
                    appendedAtMicroseconds: appendedAt.microseconds,
                    key: SmoothingStateKey.bytes(place), value: SmoothingStateCodec.encode(entry),
                    headers: LogHeaders()))
            return table.pass(for: 21_000_000).count
        }
        let now = host.clock.now
        #expect(restored(now) == 1)
        #expect(
            restored(now.advanced(byMicroseconds: -PositionSmoothing.oldestMicroseconds - 1)) == 0)
    }

    /// The keys of the positions that a process would restore.
    private func windows(_ bench: LocatorBench) async throws -> Set<[UInt8]> {
        var keys: Set<[UInt8]> = []
        for record in try await bench.records(of: Topic.smoothingWindows.name) {
            guard let key = record.key else { continue }
            if record.value == nil { keys.remove(key) } else { keys.insert(key) }
        }
        return keys
    }
}
