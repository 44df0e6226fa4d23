import Events
import Geometry
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite("Trilateration") struct TrilaterationTests {
    static func losses(_ random: inout SeededRandom) -> [FittedPathLoss] {
        (0..<Int.random(in: 4...12, using: &random)).map { _ in
            FittedPathLoss(
                point: Point(
                    x: Double.random(in: 0...40, using: &random),
                    y: Double.random(in: 0...20, using: &random)),
                level: Double.random(in: -45 ... -35, using: &random),
                exponent: Double.random(in: 1.8...4, using: &random),
                deviation: Double.random(in: 3...8, using: &random))
        }
    }

    @Test("No point of a fine grid fits better than the answer", arguments: 0..<30)
    func grid(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let truth = Point(
            x: Double.random(in: 5...35, using: &random),
            y: Double.random(in: 5...15, using: &random))
        let heard = Self.losses(&random).map { loss in
            (loss: loss, rssi: loss.rssi(at: truth) + Double.random(in: -6...6, using: &random))
        }
        let problem = Multilateration(heard: heard)
        let answer = try #require(problem.answer())
        var best = (cost: Double.infinity, point: truth)
        for x in stride(from: -5.0, through: 45, by: 1) {
            for y in stride(from: -5.0, through: 25, by: 1) {
                for offset in stride(from: -6.0, through: 6, by: 1) {
                    let point = Point(x: x, y: y)
                    let cost = problem.cost(point, offset: offset)
                    if cost < best.cost { best = (cost, point) }
                }
            }
        }
        #expect(answer.cost <= best.cost + 1e-9)
        #expect(answer.covariance.xx > 0 && answer.covariance.yy > 0)
    }

    @Test("Without noise the place is found, and so is the telephone's offset", arguments: 0..<20)
    func exact(seed: Int) throws {
        var random = SeededRandom(seed: 100 + seed)
        let truth = Point(x: 17, y: 9)
        let heard = Self.losses(&random).map { loss in
            (loss: loss, rssi: loss.rssi(at: truth))
        }
        let answer = try #require(Multilateration(heard: heard).answer())
        #expect(answer.point.distance(to: truth) < 0.01)
        #expect(abs(answer.offset) < 0.01)
    }

    @Test(
        "A transmitter's place, level and exponent are found from its readings", arguments: 0..<10
    )
    func fit(seed: Int) throws {
        var random = SeededRandom(seed: 200 + seed)
        let loss = try #require(Self.losses(&random).first)
        let readings = (0..<150).map { _ -> (point: Point, rssi: Double) in
            let point = Point(
                x: Double.random(in: 0...40, using: &random),
                y: Double.random(in: 0...20, using: &random))
            return (point, loss.rssi(at: point) + Double.random(in: -3...3, using: &random))
        }
        let found = try #require(FittedPathLoss(readings))
        #expect(found.point.distance(to: loss.point) < 2)
        #expect(abs(found.exponent - loss.exponent) < 0.6)
        #expect(FittedPathLoss(Array(readings.prefix(5))) == nil)
    }

    @Test("The size of a single wild error makes no difference", arguments: 0..<10)
    func robust(seed: Int) throws {
        var random = SeededRandom(seed: 300 + seed)
        let truth = Point(x: 20, y: 10)
        var heard: [(loss: FittedPathLoss, rssi: Double)] = []
        for _ in 0..<2 {
            heard += Self.losses(&random).map { ($0, $0.rssi(at: truth)) }
        }
        heard[0].rssi -= 35
        let wild = try #require(Multilateration(heard: heard).answer())
        heard[0].rssi -= 50
        let wilder = try #require(Multilateration(heard: heard).answer())
        #expect(wild.point.distance(to: wilder.point) < 0.1)
    }

    @Test("It finds floor and place in the sample site, and is lost without known transmitters")
    func sample() throws {
        let prepared = Trilateration().prepare(SampleSite.map, site: SampleSite.index)
        for (x, y, floor) in [(6.0, 3.0, SampleSite.ground), (13, 2, SampleSite.first)] {
            let wifi = SampleSite.readings(at: Point(x: x, y: y), floor: floor)
            let estimate = prepared.locate(RadioScan(SampleSite.scan(1, wifi: wifi)))
            let place = try #require(estimate.place)
            #expect(place.floor == floor)
            #expect(place.point.distance(to: Point(x: x, y: y)) < 4)
        }
        let strange = [WiFiReading(bssid: HardwareAddress(value: 99), rssi: -50)]
        #expect(prepared.locate(RadioScan(SampleSite.scan(2, wifi: strange))) == .lost)
    }

    @Test("On a stated floor it finds the place that a map of this floor alone gives")
    func statedFloor() throws {
        let map = SampleSite.map
        let ground = try #require(map.floors.firstIndex(of: SampleSite.ground))
        let search = FloorTrilateration(map)
        let alone = map.part(
            map.fingerprints.indices.filter { map.fingerprints[$0].floor == Int32(ground) }
                .map { Int32($0) })
        let twin = Trilateration().prepare(alone, site: SampleSite.index)
        for x in 1...12 {
            let wifi = SampleSite.readings(
                at: Point(x: Double(x), y: 3), floor: SampleSite.ground)
            let scan = RadioScan(SampleSite.scan(1, wifi: wifi))
            let answer = try #require(search.answer(scan, on: Int32(ground)))
            let place = try #require(twin.locate(scan).place)
            #expect(place.floor == SampleSite.ground)
            #expect(answer.point.distance(to: place.point) < 1e-6)
        }
        let readings = SampleSite.readings(at: Point(x: 6, y: 3), floor: SampleSite.ground)
        let few = RadioScan(SampleSite.scan(2, wifi: Array(readings.prefix(2))))
        #expect(search.answer(few, on: Int32(ground)) == nil)
        // All transmitters at the limit of hearing are met nowhere in the building.
        let faint = readings.map { WiFiReading(bssid: $0.bssid, rssi: -120) }
        let far = search.answer(RadioScan(SampleSite.scan(3, wifi: faint)), on: Int32(ground))
        #expect(far.map { $0.point.distance(to: Point(x: 6, y: 3)) < 40 } ?? true)
    }
}
