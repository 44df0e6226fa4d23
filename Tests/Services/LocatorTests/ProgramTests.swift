import Devices
import EventLog
import Events
import Foundation
import Positioners
import Positioning
import ServiceHost
import ServiceRuntime
import Site
import Testing
import Wire

@testable import Locator

/// A Python program as positioner. It counts a device's scans in its state, and places the device
/// that many metres to the east. It ends without an answer at every 25th query.
@Suite("A program as the locator's positioner", .serialized)
struct ProgramTests {
    private static let program = """
        import json, sys
        sys.stdin.readline()
        print(json.dumps({"ready": True}), flush=True)
        for line in sys.stdin:
            query = json.loads(line)
            if query["query"] % 25 == 0: sys.exit(3)
            count = int(query["state"] or "0") + 1
            place = {"floor": "ground", "x": count, "y": 1, "radius68": 2}
            answer = {"query": query["query"], "estimate": place, "state": str(count)}
            print(json.dumps(answer), flush=True)
        """

    @Test("Each scan has one position, even when the program ends; later scans count on")
    func endsAndGoesOn() async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else {
            print("skipped: a program as positioner, there is no /usr/bin/python3")
            return
        }
        let bench = try await LocatorBench(.memory)
        let option = try PositionerOption("exec:exec /usr/bin/python3 -c '\(Self.program)'")
        let now = Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 * 1e6))
        func scans(_ numbers: Range<Int>) -> [ScanRecorded] {
            numbers.map { number in
                let at = now.advanced(byMicroseconds: Int64(number) * 1_000)
                return ScanRecorded(
                    id: EventID(high: 1, low: UInt64(number)), site: LocatorBench.site,
                    device: DeviceID("d-\(number % 2)"), scanner: ScannerID("s"), at: at,
                    receivedAt: at)
            }
        }
        // Two locators run one after the other, each with a program of its own.
        for part in 0..<2 {
            let numbers = part * 40..<(part + 1) * 40
            try await bench.append(scans(numbers))
            let programs = option.positioner(settings: .serving(), note: { _ in })
            try await bench.locate(with: [programs, CountingPositioner()]) {
                $0.count >= numbers.upperBound
            }
        }
        let positions = try await bench.positions()
        #expect(positions.count == 80)
        #expect(Set(positions.map(\.scan)).count == 80)
        #expect(positions.allSatisfy { $0.positioner == option.name })
        #expect(positions.contains { $0.state == .lost })
        for device in 0..<2 {
            let own = positions.filter { $0.device.text == "d-\(device)" }
                .sorted { $0.scan < $1.scan }
            let counts = own.compactMap(\.x)
            #expect(counts.count > 10)
            // Lost scans did not count, and no count began again.
            #expect(counts == (1...counts.count).map { Double($0) })
        }
        let beside = try await bench.positions(Topic.positionsBeside.name)
        #expect(beside.count == 80)
        #expect(beside.allSatisfy { $0.x == Double($0.scan.low / 2 + 1) })
        #expect(Set(beside.map(\.id)).isDisjoint(with: positions.map(\.id)))
    }

    @Test("A served program that does not start makes the service unready, with the reason")
    func unready() async throws {
        let bench = try await LocatorBench(
            .memory, settings: ["WHEREABOUTS_POSITIONER": "mine=exec:exit 3"])
        let host = try bench.host()
        let site = try #require(host.sites[whole: LocatorBench.site])
        let working = LocatorDefinition.working(
            host, try PositionerSettings(host.configuration))
        let prepared = working[0].positioner.prepare(.empty, site: site.index)
        let check = host.context.health.check("positioner")
        // Each scan that finds no running program may start it again.
        let deadline = ContinuousClock.now + .seconds(60)
        while check.state == .ready, .now < deadline {
            let scan = RadioScan(readings: [], at: Timestamp(microseconds: 0))
            #expect(prepared.locate(scan).state == .lost)
            try await Task.sleep(for: .milliseconds(20))
        }
        guard case .failing(let reason) = check.state else {
            Issue.record("still \(check.state)")
            return
        }
        #expect(reason.contains("exec:exit 3") && reason.contains("status 3"), "\(reason)")
        #expect(!host.context.health.isReady)
        await host.log.close()
    }
}
