import Events
import Geometry
import Positioning
import Privacy
import SampleSites
import ServiceBench
import ServiceHost
import Site
import Testing
import Wire

@testable import ScanIngest

/// Keys of pseudonyms change daily, and rules drop what is not the site's. Neither may touch what a
/// radio map is made of.
@Suite("A building that was surveyed on day one, with the rules on") struct RuledMonthTests {
    private static let day: Int64 = 86_400_000_000
    private static let beacon = EventID(high: 3, low: 4)

    /// The access points of the sample site are numbered from 1.
    private static let index: SiteIndex = {
        var document = SampleSite.index.document
        document.accessPoints = AccessPointRules(allow: [.prefix(0, count: 3)])
        document.beacons = [
            SiteBeacon(
                id: BeaconID("b"), floor: SampleSite.ground, point: [1, 1], uuid: beacon, major: 1,
                minor: 1)
        ]
        return try! SiteIndex(document)
    }()

    /// All that a telephone hears there: the site's own, hotspots of that day's visitors and their
    /// telephones.
    private static func content(
        at point: Point, floor: FloorID, day number: Int64, dots: inout UInt64
    ) -> ScanContent {
        dots += 1
        let stranger = HardwareAddress(value: 0x0200_0000_0000 + UInt64(number) << 16 + dots)
        return ScanContent(
            wifi: SampleSite.readings(at: point, floor: floor)
                + [WiFiReading(bssid: stranger, ssid: "Anna's iPhone", rssi: -30)],
            ble: [
                BluetoothReading(uuid: beacon, major: 1, minor: 1, address: stranger, rssi: -60),
                BluetoothReading(uuid: EventID(high: 9, low: dots), rssi: -40),
                BluetoothReading(address: stranger, rssi: -40),
            ])
    }

    private func stored(
        _ content: ScanContent, _ privacy: ScanPrivacy, at moment: Timestamp
    ) throws -> ScanRecorded {
        let scan = ScanRecorded(
            id: EventID(high: 5, low: UInt64(moment.microseconds)), site: SampleSite.id,
            device: DeviceID("phone"), scanner: ScannerID("phone"), at: moment,
            receivedAt: moment, content: content)
        return try privacy.stored(scan, at: PublishedSite(version: 1, index: Self.index))
    }

    @Test("is located by on day thirty")
    func thirtiethDay() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        var dots: UInt64 = 0
        var moment = ServiceBench.start
        var surveys: [SurveyRecorded] = []
        for survey in SampleSite.surveys {
            guard case .metres(let floor, let x, let y) = survey.place else { continue }
            moment = moment.advanced(byMicroseconds: 60_000_000)
            let heard = Self.content(
                at: Point(x: x, y: y), floor: floor, day: 1, dots: &dots)
            surveys.append(
                SurveyRecorded(
                    scan: try stored(heard, ingest.privacy, at: moment), place: survey.place))
        }
        #expect(surveys.allSatisfy { $0.scan.wifi.allSatisfy { $0.ssid == nil } })
        #expect(surveys.allSatisfy { $0.scan.ble.map(\.uuid) == [Self.beacon] })
        let map = RadioMapBuilder.build(surveys, site: Self.index).map
        let positioner = NearestNeighbours().prepare(map, site: Self.index)
        // A month later the process, its keys and all visitors are others.
        let later = try await IngestBench()
        later.bench.pass(seconds: 30 * 86_400)
        later.privacy.directory.replace(with: [
            SampleSite.id: SitePrivacy(
                keys: DayKeys(
                    (29...31).map { number in
                        DayKey(
                            begins: ServiceBench.start.advanced(
                                byMicroseconds: Int64(number) * Self.day),
                            ends: ServiceBench.start.advanced(
                                byMicroseconds: Int64(number + 1) * Self.day),
                            secret: [UInt8](repeating: UInt8(number), count: DayKey.secretBytes))
                    }))
        ])
        moment = ServiceBench.start.advanced(byMicroseconds: 30 * Self.day)
        var errors: [Double] = []
        for floor in [SampleSite.ground, SampleSite.first] {
            for x in stride(from: 1.0, to: 20, by: 2) {
                let truth = Point(x: x, y: 3)
                moment = moment.advanced(byMicroseconds: 1_000_000)
                let scan = try stored(
                    Self.content(at: truth, floor: floor, day: 30, dots: &dots), later.privacy,
                    at: moment)
                let place = try #require(positioner.locate(RadioScan(scan)).place)
                #expect(place.floor == floor)
                errors.append(place.point.distance(to: truth))
            }
        }
        #expect(errors.max() ?? .infinity < 2, "\(errors)")
    }
}
