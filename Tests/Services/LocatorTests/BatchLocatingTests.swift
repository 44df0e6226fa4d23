import Devices
import EventLog
import Events
import Positioning
import Testing
import Wire

@testable import Locator

@Suite("A batch of a partition") struct BatchLocatingTests {
    private func key(_ record: LogRecord) -> String { String(decoding: record.key, as: UTF8.self) }

    @Test("A scan gives a position and the state of its device, which is read back as it was")
    func state() throws {
        var bench = try BatchBench(CountingPositioner())
        let scans = (1...3).map { PositionerMemoryTests.scan(1, $0, at: 10 * $0, arrived: 10 * $0) }
        let outputs = bench.locate(BatchBench.stored(scans)).records
        #expect(outputs.count { $0.topic == Topic.positions.name } == 3)
        let state = outputs.filter { $0.topic == Topic.locatorState.name }
        #expect(Set(state.map(key)) == ["seen/0", "small/d-1/states", "small/d-1/visits"])
        var restored = DeviceTable()
        for record in state {
            let isRead = restored.restore(BatchBench.stored(record))
            #expect(isRead)
        }
        #expect(Parts(restored) == Parts(bench.devices))
        #expect(restored.seen.count == 3)
        #expect(restored.isVisited)
    }

    @Test(
        "Unreadable state is reported, and state of a later release is left alone")
    func unreadable() {
        func restore(_ key: String, _ value: [UInt8]?) -> Bool {
            var devices = DeviceTable()
            let record = LogRecord(
                topic: Topic.locatorState.name, key: Array(key.utf8), value: value)
            let isRead = devices.restore(BatchBench.stored(record))
            #expect(devices.devices.isEmpty)
            return isRead
        }
        for key in [
            "small/d/0", "small/d/states", "small/d/visits", "small/d/groups", "seen/0",
        ] {
            #expect(!restore(key, [99]))
            #expect(restore(key, nil))
        }
        #expect(restore("seen/later", [99]))
        #expect(restore("small/d/later", [99]))
        #expect(restore("small", [99]))
    }

    @Test("A device that is idle for a day is forgotten with all of its state")
    func idle() throws {
        var bench = try BatchBench(CountingPositioner())
        let dayLater = 10 + 24 * 3_600 + 1
        let scans = [
            PositionerMemoryTests.scan(1, 1, at: 10, arrived: 10),
            PositionerMemoryTests.scan(2, 1, at: dayLater, arrived: dayLater),
        ]
        let first = bench.locate(BatchBench.stored([scans[0]])).records
        #expect(first.count { $0.topic == Topic.locatorState.name } == 3)
        #expect(first.contains { key($0) == "seen/0" })
        let second = bench.locate(BatchBench.stored([scans[1]])).records
        let tombstones = second.filter { $0.value == nil }.map(key)
        #expect(Set(tombstones) == ["seen/0", "small/d-1/states", "small/d-1/visits"])
        #expect(bench.devices.devices.keys.map(\.device) == [DeviceID("d-2")])
        // Reading the part and then its tombstone leaves nothing.
        var restored = DeviceTable()
        for record in first + second where record.topic == Topic.locatorState.name {
            let isRead = restored.restore(BatchBench.stored(record))
            #expect(isRead)
        }
        #expect(Parts(restored) == Parts(bench.devices))
    }

    @Test("What was located after the last segment is read back from the positions")
    func positions() throws {
        var bench = try BatchBench(CountingPositioner())
        let scans = (1...30).map {
            PositionerMemoryTests.scan(1, $0, at: 50 * $0, arrived: 50 * $0)
        }
        var outputs: [LogRecord] = []
        for scan in scans {
            outputs += bench.locate(BatchBench.stored([scan])).records
        }
        // One at the start, and then one in five minutes.
        let segments = outputs.filter { key($0).hasPrefix("seen/") }
        #expect(segments.count == 5)
        var restored = DeviceTable()
        for record in outputs where record.topic == Topic.locatorState.name {
            let isRead = restored.restore(BatchBench.stored(record))
            #expect(isRead)
        }
        #expect(restored.seen.count < 30)
        for record in outputs where record.topic == Topic.positions.name {
            let isRead = restored.restoreLocated(BatchBench.stored(record))
            #expect(isRead)
        }
        #expect(restored.seen.count == 30)
        bench.devices = restored
        let again = bench.locate(BatchBench.stored(scans)).records
        #expect(again.allSatisfy { $0.topic != Topic.positions.name })
        var record = BatchBench.stored(outputs[0])
        record.value = [99]
        let isRead = restored.restoreLocated(record)
        #expect(!isRead)
    }

    /// The parts of devices that are stored with each change.
    private struct Parts: Hashable {
        let memory: [DeviceKey: PositionerMemory]
        let visits: [DeviceKey: DeviceVisits]

        init(_ table: DeviceTable) {
            memory = table.devices.mapValues(\.memory)
            visits = table.devices.mapValues(\.visits)
        }
    }

    @Test("The tombstones of a device that a batch forgets come after its other records")
    func forgotten() throws {
        var bench = try BatchBench(CountingPositioner())
        let dayLater = 10 + 24 * 3_600 + 1
        let outputs = bench.locate(
            BatchBench.stored([
                PositionerMemoryTests.scan(1, 1, at: 10, arrived: 10),
                PositionerMemoryTests.scan(2, 1, at: dayLater, arrived: dayLater),
            ])
        ).records
        let ofFirst = outputs.filter { key($0).hasPrefix("small/d-1/") }
            .filter { $0.topic == Topic.locatorState.name }
        #expect(Set(ofFirst.map(key)) == ["small/d-1/states", "small/d-1/visits"])
        #expect(ofFirst.allSatisfy { $0.value == nil })
    }

    @Test(
        "A scan that was put back counts as late and moves nothing, whatever its own time is"
    )
    func putBack() throws {
        var bench = try BatchBench(RoomPositioner())
        let scan = PositionerMemoryTests.scan(1, 1, at: 10, arrived: 10)
        var record = scan.record(source: "/test")
        PutBack.append(scan.receivedAt, to: &record.headers)
        let outputs = bench.locate([
            BatchBench.stored(record, atMicroseconds: scan.receivedAt.microseconds + 1)
        ])
        let positions = try outputs.records.filter { $0.topic == Topic.positions.name }
            .map { try PositionEstimated(json: $0.value ?? []) }
        #expect(positions.map(\.late) == [true])
        #expect(!bench.devices.isVisited)
    }

    @Test("A scan whose id was located with other content is set aside, as its sender's fault")
    func conflict() throws {
        var bench = try BatchBench(RoomPositioner())
        let scan = PositionerMemoryTests.scan(1, 1, at: 10, arrived: 10)
        var other = scan
        other.steps = 3
        let outputs = bench.locate(BatchBench.stored([scan, scan, other]))
        #expect(outputs.records.count { $0.topic == Topic.positions.name } == 1)
        #expect(outputs.setAside.map(\.code) == ["id-conflict"])
    }
}
