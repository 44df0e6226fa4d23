import Events
import Positioning
import ServiceHost
import Testing

@testable import Locator

/// Only the positioner changes the state, so a scan that it missed or got twice shows in every
/// later position.
@Suite("The memory of positioners", .serialized)
struct PositionerMemoryTests {
    /// One scan of a device, in seconds after the start.
    static func scan(
        _ device: Int, _ number: Int, at seconds: Int, arrived: Int
    ) -> ScanRecorded {
        let start = LocatorBench.start
        return ScanRecorded(
            id: EventID(high: UInt64(device), low: UInt64(number)), site: LocatorBench.site,
            device: DeviceID("d-\(device)"), scanner: ScannerID("d-\(device)"),
            at: Timestamp(microseconds: start + Int64(seconds) * 1_000_000),
            receivedAt: Timestamp(microseconds: start + Int64(arrived) * 1_000_000))
    }

    /// Forty scans of each of six devices, one after the other. Each eighth is late, and each ninth
    /// is older than the one before it.
    private static let scans: [ScanRecorded] = (1...40).flatMap { number in
        (1...6).map { device in
            let at = 1_000 + number * 10
            if number % 8 == 0 { return scan(device, number, at: at - 900, arrived: at) }
            if number % 9 == 0 { return scan(device, number, at: at - 25, arrived: at) }
            return scan(device, number, at: at, arrived: at)
        }
    }

    /// The count of a locator that never stops. A scan that does not move the device counts only
    /// itself.
    private static func expectedCount(_ number: Int) -> Double {
        let moving = (1...number).count { $0 % 8 != 0 && $0 % 9 != 0 }
        return Double(number % 8 != 0 && number % 9 != 0 ? moving : moving + 1)
    }

    /// Scans whose position is not the expected one.
    private static func wrong(_ positions: [PositionEstimated]) -> [EventID] {
        positions.filter { position in
            let number = Int(position.scan.low)
            return position.x != expectedCount(number) || position.late != (number % 8 == 0)
        }.map(\.scan)
    }

    @Test(
        "is the same with locators that stop and take over as with one that never stops",
        arguments: LocatorBench.Kind.available)
    func takenOver(_ kind: LocatorBench.Kind) async throws {
        let bench = try await LocatorBench(kind)
        defer { bench.stop() }
        let total = Self.scans.count
        let third = total / 3
        for part in 0..<3 {
            try await bench.append(Array(Self.scans[(part * third)..<((part + 1) * third)]))
            // The locator stops anywhere within the scans, often with uncommitted work.
            let wanted = part < 2 ? part * third + third / 2 : total
            try await bench.locate(with: [CountingPositioner()]) { $0.count >= wanted }
        }
        let positions = try await bench.positions()
        #expect(positions.count == total)
        #expect(Set(positions.map(\.scan)).count == total)
        #expect(Self.wrong(positions) == [])
    }

    @Test("is the same with two locators at once, one of which leaves")
    func shared() async throws {
        let bench = try await LocatorBench(.memory)
        defer { bench.stop() }
        let total = Self.scans.count
        async let first: Void = bench.locate(with: [CountingPositioner()]) { $0.count > 60 }
        async let second: Void = bench.locate(with: [CountingPositioner()]) { $0.count >= total }
        for start in stride(from: 0, to: total, by: 30) {
            try await bench.append(Array(Self.scans[start..<min(start + 30, total)]))
        }
        _ = try await (first, second)
        let positions = try await bench.positions()
        #expect(positions.count == total)
        #expect(Self.wrong(positions) == [])
    }
}
