import Beacons
import Devices
import Events
import Geometry
import Positioning
import SeededRandomness
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import Locator

@Suite(
    "Beacons in the locator", .serialized,
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct BeaconStateTests {
    private static let region = EventID(high: 0xF782_6DA6_4FA2_4E98, low: 0x8024_BC5B_71E0_893E)

    private static func positioner() throws -> any Positioner {
        func beacon(_ group: Int, _ minor: Int) -> BeaconRecord {
            BeaconRecord(
                major: UInt16(group), minor: UInt16(minor),
                place: .absolute(x: Double(6 * group + 2 * minor), y: 4))
        }
        let groups = (0..<3).map { group in
            BeaconGroupRecord(
                id: BeaconGroupID("g\(group)"), beacons: (0..<3).map { beacon(group, $0) })
        }
        let document = BeaconDocument(
            name: "Hall", uuid: region, floor: FloorID("ground"),
            map: BeaconMapRecord(width: 20, height: 8, unitsPerMetre: 1), groups: groups)
        let map = try BeaconMap(document)
        return try #require(
            BeaconsPositioner(map: map, documentHash: 7)?
                .adjusted(["smoothing": "kalman"]))
    }

    /// Five devices that hear some of the beacons every second; one of them is late now and then.
    private static let scans: [ScanRecorded] = {
        var random = SeededRandom(seed: 3)
        let start = LocatorBench.start
        return (0..<60).flatMap { number in
            (0..<5).map { device in
                let at = Timestamp(microseconds: start + Int64(number) * 1_000_000)
                let isLate = device == 1 && number % 7 == 6
                var scan = ScanRecorded(
                    id: EventID(high: UInt64(device), low: UInt64(number)), site: LocatorBench.site,
                    device: DeviceID("d-\(device)"), scanner: ScannerID("d-\(device)"),
                    at: isLate ? at.advanced(byMicroseconds: -400_000_000) : at, receivedAt: at)
                scan.ble = (0..<9).filter { _ in Bool.random(using: &random) }.map { beacon in
                    BluetoothReading(
                        uuid: region, major: UInt16(beacon / 3), minor: UInt16(beacon % 3),
                        rssi: Int.random(in: -90 ... -50, using: &random), txPower: -59)
                }
                return scan
            }
        }
    }()

    @Test("Locators that take over give the positions of one pass that nobody stops")
    func takenOver() async throws {
        let bench = try await LocatorBench(.postgres)
        defer { bench.stop() }
        let total = Self.scans.count
        let third = total / 3
        for part in 0..<3 {
            try await bench.append(Array(Self.scans[(part * third)..<((part + 1) * third)]))
            let wanted = part < 2 ? part * third + third / 2 : total
            try await bench.locate(with: [try Self.positioner()]) { $0.count >= wanted }
        }
        let positions = try await bench.positions()
        #expect(positions.count == total)
        let site = try SiteIndex(LocatorBench.document)
        let prepared = try Self.positioner().prepare(.empty, site: site)
        var devices: [DeviceID: LocatedDevice] = [:]
        var scratch = PositionerScratch()
        var expected: [EventID: Estimate] = [:]
        for scan in Self.scans {
            expected[scan.id] =
                devices[scan.device, default: LocatedDevice()]
                .locate(scan, by: prepared, scratch: &scratch).estimate
        }
        #expect(positions.contains { $0.state == .located && $0.room != nil })
        for position in positions {
            let estimate = try #require(expected[position.scan])
            #expect(position.state == estimate.state && position.room == estimate.place?.room)
            // Written to the millimetre.
            #expect(abs((position.x ?? 0) - (estimate.place?.point.x ?? 0)) < 0.000_6)
            #expect(abs((position.y ?? 0) - (estimate.place?.point.y ?? 0)) < 0.000_6)
        }
    }
}
