import Events
import Geometry
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite struct StrangenessTests {
    /// Three buildings of five floors, most of which are surveyed, and some of which have a beacon.
    private static func buildings(
        _ random: inout SeededRandom
    ) -> (document: SiteDocument, surveyed: [FloorID]) {
        var document = SampleSite.index.document
        (document.buildings, document.floors) = ([], [])
        (document.rooms, document.locations) = ([], [])
        var surveyed: [FloorID] = []
        for building in 0..<3 {
            let id = BuildingID("b\(building)")
            document.buildings.append(
                BuildingRecord(id: id, name: "B", timeZone: "Europe/London"))
            var ordinal = -2
            for storey in 0..<5 {
                let floor = FloorID("b\(building)-\(storey)")
                // Some numbers are left out.
                ordinal += Int.random(in: 1...2, using: &random)
                document.floors.append(
                    FloorRecord(id: floor, building: id, ordinal: ordinal, level: "\(storey)"))
                if Int.random(in: 0..<9, using: &random) < 7 { surveyed.append(floor) }
                guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
                document.beacons.append(
                    SiteBeacon(
                        id: BeaconID("beacon-\(floor)"), floor: floor, point: Point(x: 1, y: 1),
                        uuid: EventID(high: 1, low: 1), major: building, minor: storey,
                        isDisabled: Bool.random(using: &random)))
            }
        }
        return (document, surveyed)
    }

    @Test("A floor's gaps are those that a search through the site finds", arguments: 0..<8)
    func gaps(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let (document, surveyed) = Self.buildings(&random)
        let mostStoreys = 10
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
            let own = try #require(document.floors.first { $0.id == floor })
            let others = floors(of: own.building)
            let hasGap = others.contains(where: isGap)
            // Going up and down, storey by storey, until the first floor that something tells of.
            let isBeside = [-1, 1].contains { way in
                for step in 1..<mostStoreys {
                    let next = others.first { $0.ordinal == own.ordinal + way * step }
                    if let next { return isGap(next) }
                }
                return false
            }
            let expected = isBeside ? 0.35 : hasGap || hasBuildings ? 0.75 : 1
            #expect(gaps.limitShares[number] == expected)
            #expect(gaps.floorShares[number] == (hasGap ? 0.9 : 0))
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
            #expect(careful.isDoubtful == (misfit > 0.35 * limit))
            #expect(careful.reachShare >= usual.reachShare && usual.reachShare >= last)
            #expect(usual.reachShare == 0 || usual.isStrange)
            #expect(usual.leastRadius95 == 0)
            #expect(careful.leastRadius95 == (careful.isDoubtful ? SurveyGaps.metres : 0))
            #expect(!usual.isUnfitting)
            #expect(careful.isUnfitting == (misfit > 0.35 * limit && misfit > 0.25))
            #expect(!usual.isStrange || misfit < Familiarity.fullMisfit || usual.reachShare == 1)
            last = usual.reachShare
        }
    }

    @Test("Beside an unsurveyed floor, a place with few votes for its floor is uncertain")
    func votes() throws {
        let map = RadioMapBuilder.build(SampleSite.surveys, site: SampleSite.index).map
        let judge = SnapshotJudge(
            map: map, site: SampleSite.index, radii: RadiusCalibration(factor68: 1, factor95: 2))
        let readings = map.transmitters.map { RadioReading(transmitter: $0, rssi: -50) }
        let scan = RadioScan(readings: readings, at: Timestamp(microseconds: 0))
        let candidates = map.fingerprints.prefix(1).map { fingerprint in
            Candidate(
                point: fingerprint.point, floor: fingerprint.floor, room: fingerprint.room,
                weight: 1)
        }
        for percent in stride(from: 30, through: 100, by: 5) {
            for leastPercent in [0, 90] {
                var guess = SnapshotGuess(
                    floor: candidates[0].floor, floorShare: Double(percent) / 100,
                    mean: CandidateMean(candidates, on: candidates[0].floor), scale: 3,
                    overlap: readings.count)
                guess.strangeness.leastFloorShare = Double(leastPercent) / 100
                let estimate = judge.estimate(guess, of: scan)
                #expect((estimate.state == .located) == (percent >= max(50, leastPercent)))
                let radius = try #require(estimate.place?.radius95)
                #expect((radius >= SurveyGaps.metres) == (percent < leastPercent))
            }
        }
    }
}
