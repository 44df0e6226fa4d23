import Events
import Geometry
import SampleSites
import SeededRandomness
import Testing

@testable import Positioning

@Suite("The density of surveys") struct SurveyDensityTests {
    /// Compares each survey with all others.
    private static func areDense(_ map: RadioMap) -> [Bool] {
        map.floors.indices.map { floor in
            let own = map.fingerprints.filter { Int($0.floor) == floor }
            let close = own.filter { one in
                own.contains { other in
                    one.walk == other.walk && one.point != other.point
                        && one.point.distance(to: other.point) < 1
                }
            }
            return 2 * close.count > own.count
        }
    }

    @Test("is that of each walk, compared pair by pair", arguments: 0..<40)
    func pairs(seed: Int) {
        var random = SeededRandom(seed: seed)
        let walks = Int.random(in: 1...12, using: &random)
        let surveys = (0..<Int.random(in: 1...60, using: &random)).map { number in
            var scan = SampleSite.scan(number, wifi: [], seconds: number)
            scan.scanner = ScannerID("s-\(Int.random(in: 0..<walks, using: &random))")
            let isFirst = Int.random(in: 0..<4, using: &random) == 0
            return SurveyRecorded(
                scan: scan,
                place: .metres(
                    floor: isFirst ? SampleSite.first : SampleSite.ground,
                    x: Double(Int.random(in: 0...60, using: &random)) / 3,
                    y: Double(Int.random(in: 0...6, using: &random)) / 2))
        }
        let map = RadioMapBuilder.build(surveys, site: SampleSite.index).map
        #expect(map.areDense() == Self.areDense(map))
    }

    @Test("is the same where many points lie in few squares", arguments: 0..<20)
    func clusters(seed: Int) {
        var random = SeededRandom(seed: seed)
        var map = RandomMap.dense(&random)
        // Points are within or without a metre of others in the squares beside theirs.
        let middles = (0..<4).map { _ in
            Point(
                x: Double(Int.random(in: -4...4, using: &random)) / 4,
                y: Double(Int.random(in: -4...4, using: &random)) / 4)
        }
        let step = [0, 1e-9, 0.01, 0.25][seed % 4]
        for index in map.fingerprints.indices {
            let middle = middles[Int.random(in: 0..<middles.count, using: &random)]
            map.fingerprints[index].point = Point(
                x: middle.x + step * Double(Int.random(in: -1...1, using: &random)),
                y: middle.y + step * Double(Int.random(in: -1...1, using: &random)))
            map.fingerprints[index].walk = Int32(index % (1 + seed % 3))
        }
        #expect(map.areDense() == Self.areDense(map))
    }

    @Test("A survey each half metre is dense; many walks over the same ground are not")
    func walks() {
        var random = SeededRandom(seed: 1)
        #expect(RandomMap.dense(&random).areDense() == [true])
        #expect(SampleSite.map.areDense() == [false, false])
        var dense = RandomMap.dense(&random)
        for index in dense.fingerprints.indices {
            dense.fingerprints[index].walk = Int32(index % 4)
        }
        #expect(dense.areDense() == [false])
    }
}
