import Events
import Geometry
import Site
import Testing

@Suite struct BeaconTableTests {
    private static let uuid = EventID(high: 1, low: 2)
    private static let other = EventID(high: 3, low: 4)

    /// The major that is sent, the one that is meant, and the battery.
    private static let batteries: [(UInt16, UInt16, Int?)] = [
        (0x5001, 1, 80), (0x6401, 1, 100), (0xFF07, 7, nil),
    ]

    private static func beacon(
        _ id: String, uuid: EventID? = uuid, _ major: Int? = nil, _ minor: Int? = nil,
        address: UInt64? = nil, byte: BatteryByte? = nil
    ) -> SiteBeacon {
        SiteBeacon(
            id: BeaconID(id), floor: FloorID("0"), point: [0, 0], uuid: uuid, major: major,
            minor: minor, address: address.map { HardwareAddress(value: $0) }, batteryByte: byte)
    }

    private static func document(_ beacons: [SiteBeacon]) -> SiteDocument {
        SiteDocument(
            name: "", originLatitude: 0, originLongitude: 0, bearingDegrees: 0,
            buildings: [BuildingRecord(id: BuildingID("a"), name: "", timeZone: "Etc/UTC")],
            floors: [
                FloorRecord(
                    id: FloorID("0"), building: BuildingID("a"), ordinal: 0, level: "0")
            ], beacons: beacons)
    }

    @Test("The battery is taken out of the major of every beacon of the UUID, known or not")
    func battery() {
        let document = Self.document([
            Self.beacon("a", 1, 1), Self.beacon("b", 1, 2, byte: .high),
            Self.beacon("c", 1, 3, byte: .low), Self.beacon("d", uuid: Self.other, 1, 1),
        ])
        let table = BeaconTable(document)
        for (sent, major, percent) in Self.batteries {
            var reading = BluetoothReading(
                uuid: Self.uuid, major: sent, minor: 9, rssi: -60)
            #expect(table.removeBattery(from: &reading) == percent)
            #expect(reading.major == major)
        }
        var reading = BluetoothReading(uuid: Self.other, major: 0x5001, minor: 1, rssi: -60)
        #expect(table.removeBattery(from: &reading) == nil && reading.major == 0x5001)
        #expect(BatteryByte.low.split(0x0132) == (1, 50))
    }

    @Test("A record has a battery if it is of one beacon, and its UUID has one")
    func records() {
        let address = Self.beacon("address", uuid: nil, address: 5)
        let records = [
            (Self.beacon("both", 1, 2), true), (address, true), (Self.beacon("any"), false),
            (Self.beacon("any-minor", 1), false), (Self.beacon("any-major", nil, 2), false),
            (Self.beacon("any", address: 6), false),
            (Self.beacon("other", uuid: Self.other, 1, 2), false),
        ]
        let table = BeaconTable(Self.document([Self.beacon("stating", 1, 1, byte: .high)]))
        for (record, expected) in records {
            #expect(table.hasBattery(record) == expected, "\(record.id)")
        }
        #expect(!BeaconTable(Self.document([address])).hasBattery(address))
    }

    @Test("The most specific record of a reading counts, and the first of two alike")
    func specific() {
        let document = Self.document([
            Self.beacon("any"), Self.beacon("major", 1), Self.beacon("minor", nil, 2),
            Self.beacon("both", 1, 2), Self.beacon("again", 1, 2),
            Self.beacon("address", uuid: nil, address: 5),
        ])
        let table = BeaconTable(document)
        func found(_ uuid: EventID?, _ major: UInt16?, _ minor: UInt16?) -> String? {
            let reading = BluetoothReading(
                uuid: uuid, major: major, minor: minor, address: HardwareAddress(value: 5),
                rssi: -60)
            return table.beacon(reading).map { document.beacons[$0].id.text }
        }
        #expect(found(Self.uuid, 1, 2) == "both")
        #expect(found(Self.uuid, 3, 2) == "minor")
        #expect(found(Self.uuid, 1, 3) == "major")
        #expect(found(Self.uuid, 3, 3) == "any")
        #expect(found(Self.other, 1, 2) == "address")
        #expect(found(nil, nil, nil) == "address")
    }

    @Test("A building's part of the radio map depends on where UUIDs have the battery alone")
    func parts() {
        func part(_ beacons: [SiteBeacon]) -> SiteDocument? {
            Self.document(beacons).surveyed([BuildingID("a")])[BuildingID("a")]
        }
        let plain = part([])
        #expect(part([Self.beacon("a", 1, 1)]) == plain)
        let stated = part([Self.beacon("a", 1, 1), Self.beacon("b", 1, 2, byte: .high)])
        #expect(stated != plain)
        #expect(part([Self.beacon("c", 7, 7, byte: .high)]) == stated)
        #expect(part([Self.beacon("c", 7, 7, byte: .low)]) != stated)
    }
}
