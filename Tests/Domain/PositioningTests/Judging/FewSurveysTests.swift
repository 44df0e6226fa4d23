import Events
import Foundation
import Geometry
import SampleSites
import SeededRandomness
import Testing

@testable import Positioning

/// The rule of `FewSurveys`, with everything computed anew from dense rows.
private struct SlowFewSurveys {
    let map: RadioMap

    private func weights(_ row: [Double?]) -> [Double] {
        row.map { $0.map { pow(max(0, ($0 + 105) / 105), M_E) } ?? 0 }
    }

    private func difference(_ first: [Double?], _ second: [Double?]) -> Double {
        let (a, b) = (weights(first), weights(second))
        let apart = zip(a, b).reduce(0) { $0 + abs($1.0 - $1.1) }
        let sum = (a + b).reduce(0, +)
        return sum > 0 ? apart / sum : 1
    }

    private func apart(_ first: Int, _ second: Int) -> Double {
        map.fingerprints[first].point.distance(to: map.fingerprints[second].point)
    }

    private func surveys(on floor: Int32) -> [Int] {
        map.fingerprints.indices.filter { map.fingerprints[$0].floor == floor }
    }

    private func limit(_ floor: Int32) -> Double {
        let own = surveys(on: floor)
        var places: Set<Int32> = []
        for survey in own { places.insert(map.fingerprints[survey].place) }
        guard places.count >= 3 else { return -1 }
        let nearest = own.map { survey in
            own.filter { apart(survey, $0) >= 0.15 }
                .map { difference(map.dense(survey), map.dense($0)) }.min()!
        }.sorted()
        return nearest[Int(ceil(0.9 * Double(nearest.count - 1)))] + 0.1
    }

    private var metres: Double {
        var logarithms: [Double] = []
        var farthest = 0.0
        for first in map.fingerprints.indices {
            for second in map.fingerprints.indices
            where second < first
                && map.fingerprints[first].floor == map.fingerprints[second].floor
                && apart(first, second) >= 0.15
            {
                farthest = max(farthest, apart(first, second))
                let own = difference(map.dense(first), map.dense(second))
                if own >= 0.4, own <= 0.85 { logarithms.append(log(apart(first, second) / own)) }
            }
        }
        guard !logarithms.isEmpty else { return 40 }
        let mean = logarithms.reduce(0, +) / Double(logarithms.count)
        let weight =
            Double(min(logarithms.count, map.fingerprints.count - 1))
            * min(1, farthest * farthest / 225)
        return min(200, max(1, exp((weight * mean + 4 * log(40)) / (weight + 4))))
    }

    func finding(_ scan: RadioScan, _ floor: Int32) -> FewSurveys.Finding? {
        let own = surveys(on: floor)
        guard (1..<80).contains(own.count) else { return nil }
        let least = own.map { difference(map.dense(scan), map.dense($0)) }.min()!
        let isBeyond = least > limit(floor)
        let metres = isBeyond ? max(40, metres) : metres
        var radius68 = exp(3.911) * pow(least + 0.05, 1.252) * pow(metres / 40, 0.945)
        radius68 = max(1, radius68 * (isBeyond ? 1.25 : 1) - 0.5)
        var radius95 = exp(4.714) * pow(least + 0.05, 1.129) * pow(metres / 40, 1.203)
        radius95 = max(2.4477 / 1.5096 * radius68, radius95 * (isBeyond ? 1.4 : 1) - 0.5)
        let share = own.count <= 60 ? 1 : Double(80 - own.count) / 20
        return FewSurveys.Finding(
            radius68: share * radius68, radius95: share * radius95,
            isBeyond: isBeyond && own.count <= 60)
    }
}

@Suite("Few surveys") struct FewSurveysTests {
    @Test("give the radii of the slow rule", arguments: 0..<30)
    func slow(seed: Int) {
        var random = SeededRandom(seed: seed)
        let whole = RandomMap.orderly(
            &random, surveysOfPlace: seed.isMultiple(of: 3) ? 1...5 : 1...1)
        let count = Int.random(in: 1...whole.fingerprints.count, using: &random)
        let kept = whole.fingerprints.indices.shuffled(using: &random).prefix(count).sorted()
        // Pairs of at most so many surveys are compared, so larger maps are no twins.
        let map = whole.part(kept.prefix(FewSurveys.mostCompared).map { Int32($0) })
        let few = FewSurveys(map)
        let twin = SlowFewSurveys(map: map)
        for _ in 0..<20 {
            let scan = RandomMap.orderlyScan(&random)
            for floor in map.floors.indices.map({ Int32($0) }) {
                let found = few.finding(scan, floor: floor)
                let slow = twin.finding(scan, floor)
                #expect((found == nil) == (slow == nil))
                guard let found, let slow else { continue }
                #expect(abs(found.radius68 - slow.radius68) < 1e-6 * slow.radius68)
                #expect(abs(found.radius95 - slow.radius95) < 1e-6 * slow.radius95)
                #expect(found.isBeyond == slow.isBeyond)
            }
        }
    }

    private static func survey(_ number: Int, x: Double, rssi: [Int]) -> SurveyRecorded {
        SurveyRecorded(
            scan: scan(number, rssi), place: .metres(floor: SampleSite.ground, x: x, y: 2))
    }

    private static func scan(_ number: Int, _ rssi: [Int]) -> ScanRecorded {
        let wifi = rssi.enumerated().map { index, rssi in
            WiFiReading(bssid: HardwareAddress(value: UInt64(index + 1)), rssi: rssi)
        }
        return SampleSite.scan(number, wifi: wifi, seconds: number * 600)
    }

    @Test("of one place make no scan certain, and reach beyond it", arguments: [1, 2, 5])
    func onePlace(count: Int) throws {
        let surveys = (0..<count).map { Self.survey($0, x: 4, rssi: [-50, -60, -70, -80]) }
        let map = RadioMapBuilder.build(surveys, site: SampleSite.index).map
        let positioner = ChosenPositioner().prepare(map, site: SampleSite.index)
        for rssi in [[-50, -60, -70, -80], [-90, -60, -85]] {
            let estimate = positioner.locate(RadioScan(Self.scan(99, rssi)))
            let place = try #require(estimate.place)
            #expect(estimate.state == .uncertain)
            #expect(place.radius95 >= FaintHearing.beyondMetres)
            #expect(place.radius68 < place.radius95)
        }
    }

    @Test("apart locate a scan that resembles one, and not one that resembles none")
    func apart() {
        let surveys = [[-40, -60, -80, -90], [-60, -40, -60, -80], [-90, -80, -60, -40]]
            .enumerated().map { Self.survey($0, x: 1 + 8 * Double($0), rssi: $1) }
        let map = RadioMapBuilder.build(surveys, site: SampleSite.index).map
        let positioner = NearestNeighbours().prepare(map, site: SampleSite.index)
        let near = positioner.locate(RadioScan(Self.scan(99, [-42, -60, -79, -90])))
        let far = positioner.locate(RadioScan(Self.scan(99, [-86, -87, -88, -89])))
        #expect(near.state == .located)
        #expect(far.state == .uncertain)
        #expect((near.place?.radius95 ?? 0) < (far.place?.radius95 ?? 0))
    }
}
