import Events
import Positioning
import Testing
import Wire

@testable import FingerprintBuilder

@Suite("Measurements and access points by their ids") struct MeasurementTests {
    private static let survey = EventID(high: 0x0193_0000_0000_7000, low: 0x8000_0000_0000_0001)

    @Test(
        "An access point's id has dots in a path, or is an address alone",
        arguments: [
            ("wifi.00:62:EC:fd:ec:50", "wifi/00:62:ec:fd:ec:50"),
            ("00:62:ec:fd:ec:50", "wifi/00:62:ec:fd:ec:50"),
            ("ble.00:62:ec:fd:ec:50", "ble/00:62:ec:fd:ec:50"),
            ("node.hall.7", "node/hall.7"),
            (
                "beacon.F7826DA6-4FA2-4E98-8024-BC5B71E0893E.80.3",
                "beacon/f7826da6-4fa2-4e98-8024-bc5b71e0893e/80/3"
            ),
            ("", nil), ("wifi.", nil), ("beacon.80", nil), ("radio.1", nil),
        ])
    func path(segment: String, id: String?) {
        #expect(AccessPointPath.id(segment) == id)
    }

    @Test("Every sender of a scan is found again by the id that its list shows")
    func everySender() throws {
        for heard in Heard.all(Self.scan) {
            let id = heard.transmitter.description
            #expect(AccessPointPath.id(id.split(separator: "/").joined(separator: ".")) == id)
        }
    }

    @Test(
        "A measurement's id is read as it was written, and no other text is one",
        arguments: [
            "", "x.1", "\(survey)", "\(survey).", "\(survey).-1", "\(survey).01", "\(survey).1.2",
        ])
    func identity(wrong: String) {
        let id = MeasurementID(survey: Self.survey, number: 4)
        #expect(MeasurementID(id.description) == id)
        #expect(MeasurementID(wrong) == nil)
    }

    @Test("Readings keep their numbers when a list begins later or has one sender only")
    func numbers() {
        let survey = SurveyRecorded(scan: Self.scan, place: .location(LocationID("a-1")))
        let all = ListedMeasurement.all(survey, from: 0)
        #expect(all.map(\.id.number) == [0, 1, 2, 3])
        #expect(ListedMeasurement.all(survey, from: 2).map(\.id.number) == [2, 3])
        let one = ListedMeasurement.all(survey, from: 0) { $0 == "node/hall.7" }
        #expect(one.map(\.id.number) == [3])
    }

    private static var scan: ScanRecorded {
        let address = HardwareAddress(value: 0x0062_ECFD_EC50)
        let content = ScanContent(
            wifi: [WiFiReading(bssid: address, rssi: -60)],
            ble: [
                BluetoothReading(uuid: survey, major: 80, minor: 3, rssi: -70),
                BluetoothReading(address: address, rssi: -80),
            ], heardBy: [NodeReading(scanner: ScannerID("hall.7"), rssi: -50)])
        let at = Timestamp(microseconds: 0)
        return ScanRecorded(
            id: survey, site: SiteID("small"), device: DeviceID("pi-1"),
            scanner: ScannerID("pi-1"), at: at, receivedAt: at, content: content)
    }
}
