import Events
import Positioning
import SampleSites
import Testing

@Suite struct RadioScanTests {
    private let address = HardwareAddress(value: 0x0062_ECFD_EC50)

    @Test("Old readings are left out, and the strongest of several is kept")
    func readings() {
        let scan = SampleSite.scan(
            1,
            wifi: [
                WiFiReading(bssid: address, rssi: -70),
                WiFiReading(bssid: address, rssi: -60, ageMilliseconds: 10_000),
                WiFiReading(bssid: address, rssi: -50, ageMilliseconds: 10_001),
            ])
        let readings = RadioScan(scan).readings
        #expect(readings == [RadioReading(transmitter: .wifi(address), rssi: -60)])
        #expect(readings[0].transmitter.description == "wifi/00:62:ec:fd:ec:50")
    }

    @Test("Beacons, addresses and nodes are transmitters too")
    func kinds() {
        var scan = SampleSite.scan(1, wifi: [])
        let uuid = EventID(high: 1, low: 2)
        scan.ble = [
            BluetoothReading(uuid: uuid, major: 80, minor: 3, rssi: -71),
            BluetoothReading(address: address, rssi: -80),
            BluetoothReading(rssi: -80),
        ]
        scan.heardBy = [NodeReading(scanner: ScannerID("node-7"), rssi: -65)]
        let transmitters = RadioScan(scan).readings.map(\.transmitter)
        #expect(
            transmitters == [
                .beacon(uuid: uuid, major: 80, minor: 3), .bluetooth(address),
                .node(ScannerID("node-7")),
            ])
        #expect(transmitters == transmitters.sorted())
    }

    @Test("A beacon of unknown strength, which iOS states as 0 dBm, locates nothing")
    func unknownStrength() {
        var scan = SampleSite.scan(1, wifi: [])
        let uuid = EventID(high: 1, low: 2)
        scan.ble = [
            BluetoothReading(uuid: uuid, major: 1, minor: 1, rssi: 0),
            BluetoothReading(uuid: uuid, major: 1, minor: 2, rssi: -1),
        ]
        let radio = RadioScan(scan)
        #expect(radio.readings.map(\.transmitter) == [.beacon(uuid: uuid, major: 1, minor: 2)])
        #expect(radio.bluetooth == [scan.ble[1]])
    }
}
