import Events
import Geometry
import Glibc
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite struct FamiliarityTests {
    @Test("The misfit is the Sorensen distance with unknown transmitters", arguments: 0..<4)
    func misfit(seed: Int) {
        var random = SeededRandom(seed: seed)
        let scan = (0..<9).map { _ in Double.random(in: 0...1, using: &random) }
        // The survey received the first six, with the same strength in sum.
        let known = 6
        let strength = scan.prefix(known).reduce(0, +)
        var survey = (0..<known).map { _ in Double.random(in: 0...1, using: &random) }
        let sum = survey.reduce(0, +)
        survey = survey.map { $0 * strength / sum }
        func distance(_ scan: some Sequence<Double>, _ survey: [Double]) -> Double {
            let pairs = Array(zip(scan, survey))
            let gaps = pairs.reduce(0) { $0 + abs($1.0 - $1.1) }
            return gaps / pairs.reduce(0) { $0 + $1.0 + $1.1 }
        }
        let share = strength / scan.reduce(0, +)
        let near = distance(scan.prefix(known), survey)
        let all = Familiarity.misfit(distance: near, knownShare: share, unknownPower: 1)
        #expect(abs(all - distance(scan, survey + [0, 0, 0])) < 1e-9)
        let none = Familiarity.misfit(distance: near, knownShare: share, unknownPower: 0)
        #expect(abs(none - near) < 1e-9)
        let misfit = Familiarity.misfit(distance: near, knownShare: share)
        #expect(none < misfit && misfit < all)
        #expect(Familiarity.misfit(distance: 0, knownShare: 0) == 1)
    }

    @Test("Two of a hundred usual scans are strange, and none where few were tried")
    func limit() {
        let misfits = (1...100).map { Double($0) / 200 }
        let limit = Familiarity.limit([misfits])
        #expect(Familiarity.limit([Array(misfits.prefix(40)) + [0.99]]) < 0.5)
        #expect((1...2).contains(misfits.count { $0 > limit }))
        #expect(Familiarity.limit([[0.1], [0.2]]) == Familiarity.noLimit)
    }

    @Test("A part whose scans are all strange does not move the limit of the others")
    func limitOfParts() {
        let usual = (0..<4).map { part in (1...50).map { Double($0 + part) / 200 } }
        let alone = Familiarity.limit(usual)
        #expect(abs(alone - Familiarity.limit(usual + [Array(repeating: 0.9, count: 50)])) < 0.02)
        // Two parts can't tell which of them is the usual one, nor can a few scans.
        let strange = (1...50).map { _ in 0.9 }
        #expect(Familiarity.limit([usual[0], strange]) == 0.9)
        #expect(Familiarity.limit(usual.map { Array($0.prefix(20)) } + [strange]) == 0.9)
    }

    @Test("Scans of a building that nobody surveyed are hardly ever located", arguments: 0..<3)
    func otherBuilding(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let campus = Campus(&random)
        let map = campus.map(&random)
        let choice = PositionerChoice(for: map).positioner
        let site = try Campus.site()
        let prepared = ChosenPositioner.following(choice).prepare(map, site: site)
        let home = (0..<300).map { _ in campus.scan(in: 0...40, &random) }
        let away = (0..<300).map { _ in campus.scan(in: 100...140, &random) }
        let located = home.count { prepared.locate($0.scan).state == .located }
        #expect(located > 276)
        let wrong = away.count { prepared.locate($0.scan).state == .located }
        #expect(wrong <= 3)
        let honest = away.count { point, scan in
            guard let place = prepared.locate(scan).place else { return true }
            return place.point.distance(to: point) <= place.radius95
        }
        #expect(honest > 240)
        // Where the site has the other building, less is certain.
        let whole = try Campus.site(hasOther: true)
        let careful = ChosenPositioner.following(choice).prepare(map, site: whole)
        let kept = home.count { careful.locate($0.scan).state == .located }
        #expect((150...located).contains(kept))
        #expect(away.count { careful.locate($0.scan).state == .located } <= wrong)
        for (_, scan) in away {
            let (near, far) = (prepared.locate(scan).place, careful.locate(scan).place)
            #expect(near?.point == far?.point)
            #expect((near?.radius95 ?? 0) <= (far?.radius95 ?? 0))
            #expect(far.map { $0.radius95 >= SurveyGaps.metres } ?? true)
        }
    }

    @Test("Telephones in people's pockets make no scan strange", arguments: 0..<3)
    func people(seed: Int) {
        var random = SeededRandom(seed: seed)
        let campus = Campus(&random)
        let map = campus.map(&random)
        let choice = PositionerChoice(for: map).positioner
        let prepared = ChosenPositioner.following(choice).prepare(map, site: SampleSite.index)
        for _ in 0..<100 {
            let scan = campus.scan(in: 0...40, &random).scan
            let people = (0..<20).map { number in
                RadioReading(
                    transmitter: .bluetooth(HardwareAddress(value: UInt64(1_000 + number))),
                    rssi: -45)
            }
            let crowded = RadioScan(readings: scan.readings + people, at: scan.at)
            #expect(prepared.locate(crowded) == prepared.locate(scan))
        }
    }

    @Test("Only what a survey could have brought into the map counts as unknown")
    func counted() throws {
        func wifi(_ number: UInt64) -> Transmitter { .wifi(HardwareAddress(value: number)) }
        let beacon = Transmitter.beacon(uuid: EventID(high: 1, low: 1), major: 1, minor: 1)
        let other = Transmitter.bluetooth(HardwareAddress(value: 9))
        func share(
            _ transmitters: [Transmitter], _ map: [Transmitter],
            _ rules: AccessPointRules = AccessPointRules()
        ) -> Double? {
            Familiarity(map, rules: rules)?.knownShare(of: transmitters) {
                ($0, map.contains($0), -50)
            }
        }
        let known = [wifi(1), wifi(2)]
        #expect(share(known, known) == 1)
        #expect(share(known + [wifi(3), wifi(4)], known) == 0.5)
        #expect(share(known + [other, beacon], known) == 1)
        let address = AccessPointRules.Rule.address(HardwareAddress(value: 3))
        #expect(share(known + [wifi(3)], known, AccessPointRules(deny: [address])) == 1)
        #expect(share(known + [wifi(4)], known, AccessPointRules(allow: [address])) == 1)
        // A map with beacons says nothing of a telephone without Bluetooth, nor one of beacons
        // alone or of other Bluetooth senders of anybody.
        #expect(share(known, known + [beacon]) == nil)
        #expect(share(known + [beacon], known + [beacon]) == 1)
        #expect(share([beacon], known + [beacon]) == nil)
        #expect(Familiarity([beacon]) == nil)
        #expect(Familiarity(known + [other]) == nil)
    }

    @Test("A track's radii are no smaller than those of its strange scan")
    func track() throws {
        var random = SeededRandom(seed: 5)
        let campus = Campus(&random)
        let map = campus.map(&random)
        let chosen = ChosenPositioner.following(PositionerChoice(for: map).positioner)
        let site = try Campus.site()
        let alone = chosen.prepare(map, site: site)
        let track = Track(over: chosen).prepare(map, site: site)
        var state = PositionerState.empty
        var scratch = PositionerScratch()
        var compared = 0
        for second in 0..<30 {
            let x = second < 10 ? 20.0...22 : 100...140
            let scan = RadioScan(
                readings: campus.scan(in: x, &random).scan.readings,
                at: Timestamp(microseconds: Int64(second) * 4_000_000))
            let estimate: Estimate
            (estimate, state) = track.locate(scan, state: state, seed: 0, scratch: &scratch)
            let own = alone.locate(scan)
            guard second >= 10, own.state == .uncertain, let radius = own.place?.radius95,
                let place = estimate.place
            else { continue }
            compared += 1
            #expect(estimate.state == .uncertain)
            #expect(place.radius95 >= radius)
        }
        #expect(compared > 5)
    }

    /// Two buildings of 40 by 10 metres, 60 metres apart, with 20 access points each.
    private struct Campus {
        private let accessPoints: [Point]

        /// A site of the first building's ground floor, which is surveyed.
        static func site(hasOther: Bool = false) throws -> SiteIndex {
            var document = SampleSite.index.document
            document.floors.removeAll { $0.id != SampleSite.ground }
            document.rooms.removeAll { $0.floor != SampleSite.ground }
            if hasOther {
                let other = BuildingID("other")
                document.buildings.append(
                    BuildingRecord(id: other, name: "Other", timeZone: "Europe/London"))
                document.floors.append(
                    FloorRecord(id: FloorID("other"), building: other, ordinal: 0, level: "G"))
            }
            return try SiteIndex(document)
        }

        init(_ random: inout SeededRandom) {
            accessPoints = (0..<40).map { number in
                Point(
                    x: Double.random(in: 0...40, using: &random) + (number < 20 ? 0 : 100),
                    y: Double.random(in: 0...10, using: &random))
            }
        }

        private func readings(at point: Point, _ random: inout SeededRandom) -> [RadioReading] {
            accessPoints.enumerated().compactMap { number, place in
                let loss = 35 * log10(max(1, place.distance(to: point)))
                let draws = (0..<4).reduce(0) { sum, _ in
                    sum + Double.random(in: -1...1, using: &random)
                }
                let level = -38 - loss + 3.5 * draws
                guard level > -95 else { return nil }
                return RadioReading(
                    transmitter: .wifi(HardwareAddress(value: UInt64(number + 1))),
                    rssi: Int8(level))
            }
        }

        func scan(
            in x: ClosedRange<Double>, _ random: inout SeededRandom
        ) -> (point: Point, scan: RadioScan) {
            let point = Point(
                x: Double.random(in: x, using: &random),
                y: Double.random(in: 0...10, using: &random))
            let readings = readings(at: point, &random)
            return (point, RadioScan(readings: readings, at: Timestamp(microseconds: 0)))
        }

        /// Two surveys every two metres of the first building.
        func map(_ random: inout SeededRandom) -> RadioMap {
            var surveys: [SurveyRecorded] = []
            for x in stride(from: 1.0, to: 40, by: 2) {
                for y in stride(from: 1.0, to: 10, by: 2) {
                    for _ in 0..<2 {
                        let wifi = readings(at: Point(x: x, y: y), &random).map { reading in
                            guard case .wifi(let address) = reading.transmitter else {
                                preconditionFailure()
                            }
                            return WiFiReading(bssid: address, rssi: Int(reading.rssi))
                        }
                        let number = surveys.count
                        surveys.append(
                            SurveyRecorded(
                                scan: SampleSite.scan(number, wifi: wifi, seconds: number * 4),
                                place: .metres(floor: SampleSite.ground, x: x, y: y)))
                    }
                }
            }
            return RadioMapBuilder.build(surveys, site: SampleSite.index).map
        }
    }
}
