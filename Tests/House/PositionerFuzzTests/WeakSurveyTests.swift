import Archive
import Datasets
import Events
import Foundation
import Geometry
import PublicData
import Site
import Testing

@testable import Positioning

/// The case that once crashed the map builder: a data set with surveys of one weak reading each.
@Suite("Weak surveys of a data set") struct WeakSurveyTests {
    @Test("TUT5's map with three surveys of one reading at -93 dBm gets a positioner that works")
    func weakSurveys() throws {
        guard let path = SharedData.path("tut5") else { return }
        let dataset = try DatasetKind.surimi.read(ArchiveReader(path: path))
        let site = try SiteIndex(dataset.document)
        // Distinguishing floors takes a debug build minutes. The long form uses the complete set.
        let isLong = ProcessInfo.processInfo.environment["WHEREABOUTS_FUZZ"] != nil
        let floors = Dictionary(grouping: dataset.surveys) { survey -> FloorID? in
            if case .metres(let floor, _, _) = survey.place { floor } else { nil }
        }
        let largest = floors.values.max { $0.count < $1.count } ?? []
        let surveys = isLong ? dataset.surveys : largest
        let first = try #require(surveys.first)
        // Uses the access point that most surveys received, so that many surveys share almost
        // nothing with these.
        var heard: [HardwareAddress: Int] = [:]
        for survey in surveys {
            for reading in survey.scan.wifi { heard[reading.bssid, default: 0] += 1 }
        }
        let address = try #require(heard.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key)
        let weak = (0..<3).map { number in
            var survey = surveys[number * surveys.count / 3]
            survey.scan.id = EventID(high: .max, low: UInt64(number))
            survey.scan.wifi = [WiFiReading(bssid: address, rssi: -93)]
            return survey
        }
        let map = RadioMapBuilder.build(surveys + weak, site: site).map
        #expect(map.fingerprints.count == surveys.count + 3)
        let choice = PositionerChoice(for: map)
        #expect(choice.meanErrorMetres?.isFinite == true)
        let judge = EstimateJudge(map)
        let plain = RadioMapBuilder.build(surveys, site: site).map
        for (map, name) in [(map, choice.positioner), (plain, choice.positioner), (plain, "knn")] {
            let positioner = ChosenPositioner.following(name).prepare(map, site: site)
            for address in heard.keys {
                for rssi in [-120, -100, -94, -93] {
                    var scan = first.scan
                    scan.wifi = [WiFiReading(bssid: address, rssi: rssi)]
                    let radio = RadioScan(scan)
                    let estimate = positioner.locate(radio)
                    #expect(judge.fault(estimate, of: radio) == nil)
                }
            }
        }
    }
}
