import Events
import Testing

@testable import Scanning

@Suite struct AdvertisementTests {
    private let uuid: [UInt8] = [
        0xF7, 0x82, 0x6D, 0xA6, 0x4F, 0xA2, 0x4E, 0x98, 0x80, 0x24, 0xBC, 0x5B, 0x71, 0xE0, 0x89,
        0x3E,
    ]

    @Test("An iBeacon gives its region and its strength at a metre")
    func beacon() throws {
        let bytes = [0x02, 0x15] + uuid + [0, 80, 0, 3, 0xC5]
        let reading = try #require(Advertisement.beacon(makerData: bytes, rssi: -71))
        #expect(reading.uuid == EventID("f7826da6-4fa2-4e98-8024-bc5b71e0893e"))
        #expect(reading.major == 80 && reading.minor == 3)
        #expect(reading.txPower == -59 && reading.rssi == -71 && reading.address == nil)
        #expect(Advertisement.beacon(makerData: Array(bytes.dropLast()), rssi: -71) == nil)
        #expect(Advertisement.beacon(makerData: [0x10] + bytes, rssi: -71) == nil)
    }

    @Test("An Eddystone-UID gives namespace and instance as one id, other frames nothing")
    func eddystone() throws {
        let bytes = [0x00, 0xEE] + uuid + [0, 0]
        let reading = try #require(Advertisement.beacon(serviceData: bytes, rssi: -80))
        #expect(reading.uuid == EventID("f7826da6-4fa2-4e98-8024-bc5b71e0893e"))
        // -18 dBm at 0 metres is -59 dBm at one.
        #expect(reading.txPower == -59)
        #expect(Advertisement.beacon(serviceData: [0x10] + bytes.dropFirst(), rssi: -80) == nil)
    }
}
