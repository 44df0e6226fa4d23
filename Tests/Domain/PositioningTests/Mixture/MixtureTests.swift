import Events
import Geometry
import Glibc
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite struct MixtureTests {
    @Test("The place is the weighted mean of the three places", arguments: 0..<4)
    func weightedMean(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let map = RandomMap.make(&random)
        let site = SampleSite.index
        let temper = PreparedGaussianLikelihood(map: map, site: site).temper
        let text = "mixture:cells-part=0.25,gaussian-part=0.5,gaussian-part-temper=\(temper)"
        let mixture = try PositionerRegistry.standard.positioner(text).prepare(map, site: site)
        let parts: [(Double, any PreparedPositioner)] = [
            (0.25, Blend().prepare(map, site: site)),
            (0.25, CellRegression().prepare(map, site: site)),
            (0.5, GaussianLikelihood().prepare(map, site: site)),
        ]
        var compared = 0
        for _ in 0..<50 {
            let scan = RandomMap.scan(&random)
            let places = parts.map { ($0, $1.locate(scan).place) }
            let mixed = mixture.locate(scan).place
            let floors = Set(places.map(\.1?.floor))
            guard let mixed, floors.count == 1, floors.first == mixed.floor else { continue }
            compared += 1
            let x = places.reduce(0) { $0 + $1.0 * $1.1!.point.x }
            let y = places.reduce(0) { $0 + $1.0 * $1.1!.point.y }
            #expect(mixed.point.distance(to: Point(x: x, y: y)) < 1e-9)
        }
        #expect(compared > 5)
    }

    @Test("Trilateration joins the mean where a scan fits no survey", arguments: 0..<4)
    func trilaterated(seed: Int) throws {
        var random = SeededRandom(seed: 50 + seed)
        let map = RandomMap.make(&random)
        let site = SampleSite.index
        let text = "mixture:trilateration-part=0.5,trilateration-distance=0.9"
        let mixture = try PositionerRegistry.standard.positioner(text).prepare(map, site: site)
        let blend = PreparedBlend(map: map, site: site, choice: .fallback)
        let other = FloorTrilateration(map)
        var scratch = AnchorScratch()
        var moved = 0
        for _ in 0..<100 {
            let scan = RandomMap.scan(&random)
            let guess = blend.guess(scan, scratch: &scratch)
            let answer = guess.flatMap {
                other.answer(scan, on: $0.floor, from: $0.mean.point)
            }
            guard let guess, let answer else { continue }
            let mixed = try #require(mixture.locate(scan).place)
            let share = 0.5 * min(1, max(0, (scratch.leastDistance - 0.45) / 0.45))
            if share > 0 { moved += 1 }
            let own = guess.mean.point
            let point = Point(
                x: own.x + share * (answer.point.x - own.x),
                y: own.y + share * (answer.point.y - own.y))
            #expect(mixed.point.distance(to: point) < 1e-6)
            #expect(mixed.floor == map.floors[Int(guess.floor)])
        }
        #expect(moved > 5)
    }

    @Test("All four parts are mixed as the trials mix them, and as a plain sum", arguments: 0..<4)
    func allParts(seed: Int) throws {
        var random = SeededRandom(seed: 70 + seed)
        let map = RandomMap.make(&random)
        let site = SampleSite.index
        var choice = BlendChoice.fallback
        choice.shares = MixtureShares(
            cells: 0.15, gaussian: 0.2, trilateration: 0.3, temper: 0.5, newDistance: 0.8,
            reach: 3)
        let mixture = PreparedMixture(map: map, site: site, choice: choice)
        let blend = PreparedBlend(map: map, site: site, choice: choice)
        let parts = MixtureParts(map, choice.shares)
        var scratch = PreparedMixture.Scratch()
        var blendScratch = AnchorScratch()
        var partScratch = MixtureParts.Scratch()
        var mixedOfFour = 0
        for _ in 0..<100 {
            let scan = RandomMap.scan(&random)
            let guess = blend.guess(scan, scratch: &blendScratch)
            guard let own = guess else { continue }
            let distance = blendScratch.leastDistance
            let places = PartPlaces(parts, scan, scratch: &partScratch)
            let served = mixture.guess(scan, scratch: &scratch)
            let others = parts.guess(scan, scratch: &partScratch)
            guard let places, let served, let cells = others.cells,
                let gaussian = others.gaussian
            else { continue }
            let place = (floor: own.floor, point: own.mean.point)
            let tried = places.trilaterated(from: place)
                .mixed(place, choice.shares, distance: distance)
            #expect(served.floor == tried.floor)
            #expect(served.mean.point.distance(to: tried.point) < 1e-9)

            let answer = parts.trilateration?.answer(scan, on: own.floor, from: own.mean.point)
            let fourth = Self.drawn(answer?.point ?? own.mean.point, to: own.mean.point)
            let share = answer == nil ? 0 : 0.3 * min(1, max(0, (distance - 0.4) / 0.4))
            if share > 0 { mixedOfFour += 1 }
            let all = [
                (0.65 - share, own.floor, own.mean.point), (0.15, cells.floor, cells.mean.point),
                (0.2, gaussian.floor, gaussian.mean.point),
                (share, own.floor, fourth),
            ]
            var sums: [Int32: (weight: Double, x: Double, y: Double)] = [:]
            for (weight, floor, point) in all {
                let sum = sums[floor] ?? (0, 0, 0)
                sums[floor] = (
                    sum.weight + weight, sum.x + weight * point.x, sum.y + weight * point.y
                )
            }
            let most = sums.values.map(\.weight).max()
            let sum = try #require(sums[served.floor])
            #expect(sum.weight >= (most ?? 0) - 1e-12)
            let plain = Point(x: sum.x / sum.weight, y: sum.y / sum.weight)
            #expect(served.mean.point.distance(to: plain) < 1e-9)
        }
        #expect(mixedOfFour > 5)
    }

    /// The point, or that three metres from the other in its direction, if it lies farther.
    private static func drawn(_ point: Point, to other: Point) -> Point {
        guard other.distance(to: point) > 3 else { return point }
        let angle = atan2(point.y - other.y, point.x - other.x)
        return Point(x: other.x + 3 * cos(angle), y: other.y + 3 * sin(angle))
    }

    @Test("Without weights it is the blend, and a scan of unknown transmitters is lost")
    func blendAlone() {
        var random = SeededRandom(seed: 8)
        let map = RandomMap.make(&random)
        let mixture = Mixture().prepare(map, site: SampleSite.index)
        let blend = Blend().prepare(map, site: SampleSite.index)
        for _ in 0..<20 {
            let scan = RandomMap.scan(&random)
            #expect(mixture.locate(scan).place?.point == blend.locate(scan).place?.point)
            #expect(mixture.locate(scan).place?.radius68 == blend.locate(scan).place?.radius68)
        }
        let stranger = SampleSite.scan(
            2, wifi: [WiFiReading(bssid: HardwareAddress(value: 77), rssi: -50)])
        #expect(mixture.locate(RadioScan(stranger)) == .lost)
        #expect(
            Mixture().prepare(.empty, site: SampleSite.index).locate(RadioScan(stranger)) == .lost)
    }

    @Test(
        "Weights that are no weights are refused",
        arguments: [
            "cells-part=1.5", "cells-part=-0.1", "cells-part=nan", "cells-part=half",
            "cells-part=0.6,gaussian-part=0.6", "gaussian-part=0.6,trilateration-part=0.6",
            "trilateration-part=-0.1", "trilateration-distance=0", "trilateration-reach=0",
            "gaussian-part-temper=0",
        ])
    func refused(values: String) {
        #expect(PositionerRegistry.standard["mixture:\(values)"] == nil)
    }

    @Test("A choice that is written as text is read as the same choice")
    func text() throws {
        var choice = BlendChoice.fallback
        choice.radii.factor68 = 1.7
        for trilateration in [0, 0.25] {
            choice.shares = MixtureShares(
                cells: 0.125, gaussian: 0.3, trilateration: trilateration, temper: 0.0625,
                newDistance: trilateration > 0 ? 0.375 : 1,
                reach: trilateration > 0 ? 4.5 : MixtureShares.noReach)
            let text = Mixture.text(choice)
            // A version without trilateration reads a choice without it.
            #expect(text.contains("trilateration") == (trilateration > 0))
            let read = try PositionerRegistry.standard.positioner(text) as? Mixture
            #expect(read?.choice.shares == choice.shares)
        }
        let read = try PositionerRegistry.standard.positioner(Mixture.text(choice)) as? Mixture
        #expect(read?.choice.settings == choice.settings)
        #expect(read?.choice.radii == choice.radii)
    }
}
