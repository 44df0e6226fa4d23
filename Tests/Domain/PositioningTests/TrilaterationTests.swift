import Events
import Geometry
import Glibc
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

    @Test("Strength that hardly changes does not lead the search away without end")
    func faintSlope() throws {
        let readings = (0..<40).map { number in
            (point: Point(x: Double(number), y: 0), rssi: -60 - 0.001 * Double(number))
        }
        let found = try #require(FittedPathLoss(readings))
        #expect(found.point.distance(to: Point(x: 20, y: 0)) < 1_700)
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
            let answer = try #require(
                search.answer(scan, on: Int32(ground), from: Point(x: Double(x), y: 3)))
            let place = try #require(twin.locate(scan).place)
            #expect(place.floor == SampleSite.ground)
            #expect(answer.point.distance(to: place.point) < 0.5)
        }
        let readings = SampleSite.readings(at: Point(x: 6, y: 3), floor: SampleSite.ground)
        let few = RadioScan(SampleSite.scan(2, wifi: Array(readings.prefix(2))))
        let start = Point(x: 6, y: 3)
        #expect(search.answer(few, on: Int32(ground), from: start) == nil)
        // All transmitters at the limit of hearing are met nowhere in the building.
        let faint = readings.map { WiFiReading(bssid: $0.bssid, rssi: -120) }
        let far = search.answer(
            RadioScan(SampleSite.scan(3, wifi: faint)), on: Int32(ground), from: start)
        #expect(far.map { $0.point.distance(to: start) < 40 } ?? true)
    }

    /// Surveys and scans of two floors. Ten transmitters stand anywhere in the building, and a
    /// ceiling takes 20 dB.
    private struct Rooms {
        var random: SeededRandom
        var places: [Point] = []

        init(seed: Int) {
            random = SeededRandom(seed: seed)
            places = (0..<10).map { _ in place() }
        }

        mutating func place() -> Point {
            Point(
                x: Double.random(in: 0...20, using: &random),
                y: Double.random(in: 0...6, using: &random))
        }

        mutating func readings(at point: Point, isFirst: Bool) -> [WiFiReading] {
            places.indices.compactMap { number in
                let ceiling = number.isMultiple(of: 2) == isFirst ? 0.0 : 20
                let mean = -40 - 30 * log10(FittedPathLoss.distance(places[number], point))
                let rssi = mean - ceiling + Double.random(in: -4...4, using: &random)
                guard rssi > -92 else { return nil }
                return WiFiReading(
                    bssid: HardwareAddress(value: UInt64(number + 1)), rssi: Int(rssi))
            }
        }

        mutating func map() -> RadioMap {
            var surveys: [SurveyRecorded] = []
            for number in 0..<60 {
                let isFirst = number.isMultiple(of: 3)
                let point = place()
                let wifi = readings(at: point, isFirst: isFirst)
                surveys.append(
                    SurveyRecorded(
                        scan: SampleSite.scan(number, wifi: wifi, seconds: number * 120),
                        place: .metres(
                            floor: isFirst ? SampleSite.first : SampleSite.ground,
                            x: point.x, y: point.y)))
            }
            return RadioMapBuilder.build(surveys, site: SampleSite.index).map
        }
    }

    @Test("On each floor it finds what a descent by this floor's surveys finds", arguments: 0..<5)
    func eachFloor(seed: Int) {
        var rooms = Rooms(seed: 400 + seed)
        let map = rooms.map()
        let search = FloorTrilateration(map)
        var found = 0
        for number in 0..<40 {
            let start = rooms.place()
            let wifi = rooms.readings(at: rooms.place(), isFirst: number.isMultiple(of: 2))
            let scan = RadioScan(SampleSite.scan(number, wifi: wifi))
            for floor in map.floors.indices {
                let answer = search.answer(scan, on: Int32(floor), from: start)
                let problem = Multilateration(heard: Self.slowlyHeard(scan, map, floor))
                let slow = problem.answer(from: start).flatMap { Self.isOpen($0) ? nil : $0 }
                #expect((answer == nil) == (slow == nil))
                guard let answer, let slow else { continue }
                found += 1
                #expect(answer.point.distance(to: slow.point) < 1e-6)
                #expect(answer.cost <= problem.cost(start, offset: 0))
            }
        }
        #expect(found > 20)
    }

    private static func isOpen(_ answer: Multilateration.Answer) -> Bool {
        (answer.covariance.xx + answer.covariance.yy).squareRoot() > 10
    }

    /// The readings whose transmitter has a path loss by the surveys of this floor alone.
    private static func slowlyHeard(
        _ scan: RadioScan, _ map: RadioMap, _ floor: Int
    ) -> [(loss: FittedPathLoss, rssi: Double)] {
        var heard: [(loss: FittedPathLoss, rssi: Double)] = []
        for reading in scan.readings {
            guard let number = map.transmitters.firstIndex(of: reading.transmitter) else {
                continue
            }
            var readings: [(point: Point, rssi: Double)] = []
            for (index, fingerprint) in map.fingerprints.enumerated() {
                guard fingerprint.floor == Int32(floor), let rssi = map.dense(index)[number]
                else { continue }
                readings.append((fingerprint.point, rssi))
            }
            if let loss = FittedPathLoss(readings) { heard.append((loss, Double(reading.rssi))) }
        }
        return heard
    }

    @Test("Candidates have the answer's place, covariance and rooms", arguments: 0..<10)
    func candidates(seed: Int) {
        var random = SeededRandom(seed: 500 + seed)
        func drawn(_ range: ClosedRange<Double>) -> Double {
            Double.random(in: range, using: &random)
        }
        let (xx, yy) = (drawn(0.5...9), drawn(0.5...9))
        let answer = Multilateration.Answer(
            point: Point(x: drawn(3...17), y: drawn(1...5)), offset: 0, cost: 0,
            covariance: Estimate.Covariance(
                xx: xx, xy: drawn(-0.9...0.9) * (xx * yy).squareRoot(), yy: yy))
        let map = SampleSite.map
        let site = SampleSite.index
        var all: [Candidate] = []
        answer.addCandidates(on: 0, weight: 0.75, of: map, site: site, to: &all)
        func sum(_ value: (Candidate) -> Double) -> Double {
            all.reduce(0) { $0 + $1.weight * value($1) / 0.75 }
        }
        #expect(abs(sum { _ in 1 } - 1) < 1e-9)
        #expect(abs(sum { $0.point.x } - answer.point.x) < 1e-9)
        #expect(abs(sum { $0.point.y } - answer.point.y) < 1e-9)
        func apart(_ one: Candidate) -> (x: Double, y: Double) {
            (one.point.x - answer.point.x, one.point.y - answer.point.y)
        }
        #expect(abs(sum { apart($0).x * apart($0).x } - answer.covariance.xx) < 1e-9)
        #expect(abs(sum { apart($0).x * apart($0).y } - answer.covariance.xy) < 1e-9)
        #expect(abs(sum { apart($0).y * apart($0).y } - answer.covariance.yy) < 1e-9)
        for one in all {
            let room = site.floorIndex(map.floors[0]).flatMap { site.room(at: one.point, on: $0) }
            let known = room.map { site.room($0).id }.flatMap { map.rooms.firstIndex(of: $0) }
            #expect(one.room == Int32(known ?? -1))
        }
    }
}
