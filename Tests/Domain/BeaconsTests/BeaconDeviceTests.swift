import Beacons
import Devices
import Events
import Geometry
import Positioning
import SeededRandomness
import Site
import Testing
import Wire

@Suite("A device among beacons") struct BeaconDeviceTests {
    private static let site = SiteID("small")
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

    /// The scans of five devices that receive some of the beacons every second; one device is late
    /// now and then.
    private static let scans: [ScanRecorded] = {
        var random = SeededRandom(seed: 3)
        let start: Int64 = 1_795_248_000_000_000
        return (0..<60).flatMap { number in
            (0..<5).map { device in
                let at = Timestamp(microseconds: start + Int64(number) * 1_000_000)
                let isLate = device == 1 && number % 7 == 6
                var scan = ScanRecorded(
                    id: EventID(high: UInt64(device), low: UInt64(number)), site: site,
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

    private static func knowledge() throws -> SiteKnowledge {
        let document = SiteDocument(
            name: "Small", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
            buildings: [
                BuildingRecord(id: BuildingID("house"), name: "House", timeZone: "Europe/London")
            ],
            floors: [
                FloorRecord(
                    id: FloorID("ground"), building: BuildingID("house"), ordinal: 0, level: "G")
            ], rooms: [], locations: [])
        return SiteKnowledge(
            SiteSources(site, site: PublishedSite(version: 1, index: try SiteIndex(document))),
            map: .empty,
            positioners: [WorkingPositioner(positioner: try positioner(), option: "beacons")],
            .standard)
    }

    /// The device after it was written to the log and read back.
    private static func storedAndReadBack(_ device: Device) throws -> Device {
        Device(
            times: device.times,
            memory: try PositionerMemoryCodec.decode(PositionerMemoryCodec.encode(device.memory)),
            visits: device.visits)
    }

    @Test("Storing and reading back a device at any scan does not change its positions")
    func storedAnywhere() throws {
        let site = try Self.knowledge()
        let rules = DeviceRules(digests: .standard)
        var random = SeededRandom(seed: 5)
        var (scratch, other) = (DeviceScratch(), DeviceScratch())
        var whole = DeviceTable()
        var stored: [DeviceKey: Device] = [:]
        var isLocated = false
        for scan in Self.scans {
            let key = DeviceKey(scan.site, scan.device)
            var device = stored[key] ?? Device()
            if Bool.random(using: &random), stored[key] != nil {
                device = try Self.storedAndReadBack(device)
            }
            let one = device.decide(
                scan, in: site, by: rules, locatedAt: scan.receivedAt, scratch: &scratch)
            let (expected, _) = whole.decide(
                scan, in: site, by: rules, locatedAt: scan.receivedAt, scratch: &other)
            guard case .located(let two) = expected else {
                Issue.record("scan \(scan.id) is not located")
                continue
            }
            #expect(one.served == two.served)
            isLocated = isLocated || one.served?.state == .located
            _ = device.evolve(one)
            stored[key] = device
        }
        #expect(isLocated)
        #expect(stored == whole.devices)
    }
}
