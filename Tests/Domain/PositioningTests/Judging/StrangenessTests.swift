import Events
import Geometry
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite struct StrangenessTests {
    @Test("A floor's gaps are those that a search through the site finds", arguments: 0..<8)
    func gaps(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        var document = SampleSite.index.document
        (document.buildings, document.floors) = ([], [])
        (document.rooms, document.locations) = ([], [])
        var surveyed: [FloorID] = []
        for building in 0..<3 {
            let id = BuildingID("b\(building)")
            document.buildings.append(
                BuildingRecord(id: id, name: "B", timeZone: "Europe/London"))
            for storey in 0..<3 {
                let floor = FloorID("b\(building)-\(storey)")
                document.floors.append(
                    FloorRecord(id: floor, building: id, ordinal: storey, level: "\(storey)"))
                if Int.random(in: 0..<9, using: &random) < 7 { surveyed.append(floor) }
                guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
                document.beacons.append(
                    SiteBeacon(
                        id: BeaconID("beacon-\(floor)"), floor: floor, point: Point(x: 1, y: 1),
                        uuid: EventID(high: 1, low: 1), major: building, minor: storey,
                        isDisabled: Bool.random(using: &random)))
            }
        }
        let site = try SiteIndex(document)
        let surveys = surveyed.enumerated().map { number, floor in
            SurveyRecorded(
                scan: SampleSite.scan(
                    number, wifi: [WiFiReading(bssid: HardwareAddress(value: 1), rssi: -50)]),
                place: .metres(floor: floor, x: 1, y: 1))
        }
        let map = RadioMapBuilder.build(surveys, site: site).map
        let gaps = SurveyGaps(map, site: site)

        func isGap(_ floor: FloorRecord) -> Bool {
            !surveyed.contains(floor.id)
                && !document.beacons.contains { $0.floor == floor.id && !$0.isDisabled }
        }
        func floors(of building: BuildingID) -> [FloorRecord] {
            document.floors.filter { $0.building == building }
        }
        let hasBuildings = document.buildings.contains { building in
            let own = floors(of: building.id)
            return own.contains(where: isGap) && !own.contains { surveyed.contains($0.id) }
        }
        #expect(gaps.hasBuildings == hasBuildings)
        #expect(map.floors.count == surveyed.count)
        for (number, floor) in map.floors.enumerated() {
            let building = document.floors.first { $0.id == floor }!.building
            let expected =
                floors(of: building).contains(where: isGap) ? 0.5 : hasBuildings ? 0.75 : 1
            #expect(gaps.limitShares[number] == expected)
        }
    }

    @Test("The better a scan fits, the more certain it is", arguments: 0..<20)
    func order(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let limit = Double.random(in: 0.3...0.9, using: &random)
        let misfits = (0..<50).map { _ in Double.random(in: 0...1, using: &random) }.sorted()
        let complete = SurveyGaps(
            RadioMapBuilder.build(SampleSite.surveys, site: SampleSite.index).map,
            site: SampleSite.index)
        let ground = SampleSite.surveys.filter { survey in
            guard case .metres(let floor, _, _) = survey.place else { return false }
            return floor == SampleSite.ground
        }
        let half = SurveyGaps(
            RadioMapBuilder.build(ground, site: SampleSite.index).map, site: SampleSite.index)
        var last = 0.0
        for misfit in misfits {
            let usual = Strangeness(misfit: misfit, limit: limit, gaps: complete, floor: 0)
            let careful = Strangeness(misfit: misfit, limit: limit, gaps: half, floor: 0)
            #expect(usual.isStrange == (misfit > limit) && usual.isDoubtful == usual.isStrange)
            #expect(careful.isStrange == usual.isStrange)
            #expect(careful.isDoubtful == (misfit > limit / 2))
            #expect(careful.reachShare >= usual.reachShare && usual.reachShare >= last)
            #expect(usual.reachShare == 0 || usual.isStrange)
            #expect(usual.leastRadius95 == 0)
            #expect(careful.leastRadius95 == (careful.isDoubtful ? SurveyGaps.metres : 0))
            #expect(!usual.isStrange || misfit < Familiarity.fullMisfit || usual.reachShare == 1)
            last = usual.reachShare
        }
    }
}
