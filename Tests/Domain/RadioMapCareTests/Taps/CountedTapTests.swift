import Events
import Geometry
import SeededRandomness
import Site
import Testing

@testable import RadioMapCare

@Suite("Taps that count") struct CountedTapTests {
    private static let site = SimulatedMap.site
    private static let floor = site.document.floors[0].id
    private static let scan = SimulatedMap.surveys[0].scan

    private static func random(_ seed: UInt64) -> [TapRecorded] {
        var random = SeededRandom(seed: seed)
        return (0..<300).map { number in
            var tap = TapBench.tap(
                scan, number,
                at: .metres(
                    floor: floor, x: Double.random(in: 0...12, using: &random),
                    y: Double.random(in: 0...12, using: &random)),
                author: "author-\(Int.random(in: 0...5, using: &random))")
            tap.scan.receivedAt = TapBench.later.advanced(
                byMicroseconds: Int64.random(in: 0...(3 * 86_400_000_000), using: &random))
            return tap
        }.shuffled(using: &random)
    }

    @Test(
        "are of each author the first at a place on a day, as a slow twin finds",
        arguments: 0..<8)
    func first(seed: UInt64) {
        let taps = Self.random(seed)
        func key(_ tap: TapRecorded) -> [String] {
            guard case .metres(_, let x, let y) = tap.place else { return [] }
            let day = tap.scan.receivedAt.microseconds / 86_400_000_000
            return [tap.author, "\(Int(x / 4))", "\(Int(y / 4))", "\(day)"]
        }
        let twin = taps.filter { tap in
            !taps.contains {
                key($0) == key(tap)
                    && ($0.scan.receivedAt, $0.scan.id) < (tap.scan.receivedAt, tap.scan.id)
            }
        }
        let counted = CountedTap.all(taps, site: Self.site).map(\.tap)
        #expect(Set(counted) == Set(twin) && counted.count == twin.count)
        #expect(counted.map(\.scan.receivedAt) == counted.map(\.scan.receivedAt).sorted())
    }

    @Test("are not those at places that the site does not have, and no more than can be compared")
    func bounded() {
        let nowhere = TapBench.tap(
            Self.scan, 0, at: .location(LocationID("moon")), author: "one")
        #expect(CountedTap.all([nowhere], site: Self.site).isEmpty)
        let many = (0..<(CountedTap.most + 10)).map { number in
            TapBench.tap(
                Self.scan, number, at: .metres(floor: Self.floor, x: 1, y: 1),
                author: "author-\(number)")
        }
        let counted = CountedTap.all(many, site: Self.site)
        #expect(counted.count == CountedTap.most)
        #expect(counted.last?.tap.author == "author-\(CountedTap.most + 9)")
    }

    @Test("of one author, however many there are, leave out nobody else's")
    func turns() {
        let once = TapBench.tap(
            Self.scan, 0, at: .metres(floor: Self.floor, x: 1, y: 1), author: "once")
        let often = (1...(CountedTap.most + 10)).map { number in
            TapBench.tap(
                Self.scan, number,
                at: .metres(floor: Self.floor, x: Double(number) * 4, y: 1), author: "often")
        }
        let counted = CountedTap.all([once] + often, site: Self.site)
        #expect(counted.count == CountedTap.most && counted.first?.tap == once)
        #expect(counted.last?.tap == often.last)
        #expect(counted.map(\.tap.scan.receivedAt) == counted.map(\.tap.scan.receivedAt).sorted())
    }
}
