import Events
import Geometry
import Site
import Testing

@testable import Simulation

@Suite("SimulatedWalk") struct SimulatedWalkTests {
    static let building = SimulatedBuilding.make(seed: 1)
    static let start = Timestamp(milliseconds: 1_795_248_000_000)

    static func walk(
        seed: UInt64 = 7, device: String = "walker-1", seconds: Double = 1_200
    ) -> SimulatedWalk {
        SimulatedWalk(
            in: building, seed: seed, device: DeviceID(device), start: start,
            durationSeconds: seconds)
    }

    @Test(
        "Walkers stay inside the room that the true place names", arguments: 0..<10 as Range<UInt64>
    )
    func inside(seed: UInt64) throws {
        let rooms = Dictionary(
            uniqueKeysWithValues: Self.building.document.rooms.map { ($0.id, $0) })
        for step in Self.walk(seed: seed) {
            let room = try #require(rooms[step.truth.room])
            #expect(room.floor == step.truth.floor)
            let (low, high) = (room.outline.corners[0], room.outline.corners[2])
            // A door lies on the edge of both rooms, up to rounding.
            #expect(step.truth.x >= low.x - 1e-9 && step.truth.x <= high.x + 1e-9)
            #expect(step.truth.y >= low.y - 1e-9 && step.truth.y <= high.y + 1e-9)
        }
    }

    @Test("A barometer changes nothing of a walk but the air pressure")
    func barometer() throws {
        let device = DeviceID("walker-1")
        let walk = SimulatedWalk(
            in: Self.building, seed: 7, device: device, start: Self.start, durationSeconds: 1_200,
            barometer: SimulatedBarometer(seed: 7, device: device))
        var count = 0
        for (with, without) in zip(walk, Self.walk()) {
            let pressure = try #require(with.scan.pressureHectopascals)
            #expect((975...1_045).contains(pressure))
            var same = with.scan
            same.pressureHectopascals = nil
            #expect(same == without.scan && with.truth == without.truth)
            count += 1
        }
        #expect(count == Array(Self.walk()).count)
    }

    @Test("Air pressure falls by 0.48 hPa a storey, and follows the weather")
    func airPressure() {
        let device = DeviceID("walker-1")
        func pressures(height: Double, weather: Double) -> [Double] {
            var barometer = SimulatedBarometer(
                seed: 7, device: device, weatherPerHour: weather)
            return (0..<900).map {
                barometer.hectopascals(atHeight: height, seconds: Double($0) * 4)
            }
        }
        // Noise, gusts and hands are the same in each run.
        let calm = pressures(height: 0, weather: 0)
        for (low, high) in zip(calm, pressures(height: 4, weather: 0)) {
            #expect(abs(low - high - 0.48) < 0.02)
        }
        let windy = pressures(height: 0, weather: -2)
        #expect(abs(calm[0] - windy[0]) < 0.002)
        #expect(abs(calm[899] - windy[899] - 2) < 0.01)
        let mean = calm.reduce(0, +) / 900
        let deviation = (calm.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 900).squareRoot()
        #expect(deviation > 0.05 && deviation < 0.12)
    }

    @Test("People walk at most 1.5 m/s and change floors only by stairs and lifts")
    func pace() {
        var changes = 0
        for seed in 0..<20 as Range<UInt64> {
            var last: SimulatedScan?
            for step in Self.walk(seed: seed) {
                if let last {
                    let deltaX = step.truth.x - last.truth.x
                    let deltaY = step.truth.y - last.truth.y
                    let seconds = Double(step.scan.at - last.scan.at) / 1e6
                    #expect(
                        (deltaX * deltaX + deltaY * deltaY).squareRoot() <= 1.5 * seconds + 0.01)
                    if step.truth.floor != last.truth.floor {
                        changes += 1
                        #expect(
                            step.truth.room.text.hasSuffix("S")
                                || step.truth.room.text.hasSuffix("L"))
                    }
                }
                last = step
            }
        }
        #expect(changes > 10)
    }

    @Test("A scan comes every 4 s and has several readings in whole dBm of -92 or more")
    func scans() {
        let steps = Array(Self.walk())
        #expect(steps.count == 300)
        for (step, next) in zip(steps, steps.dropFirst()) {
            #expect(abs((next.scan.at - step.scan.at) - 4_000_000) <= 1_000)
        }
        let readings = steps.flatMap(\.scan.wifi)
        #expect(readings.allSatisfy { (-92...0).contains($0.rssi) })
        #expect(readings.contains { $0.rssi < -88 })
        #expect((5...40).contains(readings.count / steps.count))
        #expect(steps.allSatisfy { !$0.scan.wifi.isEmpty })
        #expect(Set(steps.map(\.scan.id)).count == steps.count)
    }

    @Test("A walk depends only on its seed and device")
    func determinism() {
        let walk = Array(Self.walk())
        #expect(Array(Self.walk()) == walk)
        #expect(Array(Self.walk(seed: 8)) != walk)
        let other = Array(Self.walk(device: "walker-2"))
        #expect(other.map(\.truth) != walk.map(\.truth))
    }

    @Test("A device's offset is within 5 dB and differs between devices")
    func offsets() {
        let offsets = (0..<200).map { Self.walk(device: "d\($0)").deviceOffsetDecibels }
        #expect(offsets.allSatisfy { abs($0) <= 5 })
        // A uniform distribution in -5...5 has the deviation 5 / sqrt 3.
        #expect(abs(Moments(offsets).deviation - 2.89) < 0.4)
    }

    @Test("The model is frozen: this seed always gave these readings")
    func golden() throws {
        let first = try #require(Self.walk(seconds: 4).first { _ in true })
        #expect(first.truth.room.text == "0.N02")
        let readings = first.scan.wifi.map { "\($0.bssid.value & 0xFF):\($0.rssi)" }
        #expect(
            readings.joined(separator: " ")
                == "9:-66 10:-76 11:-76 12:-77 14:-62 15:-64 16:-74 17:-80 19:-80 29:-74 32:-89 "
                + "34:-82 35:-79 36:-92")
    }
}

@Suite("SimulatedSurvey") struct SimulatedSurveyTests {
    @Test("A survey stands on a 2 m grid of every storey, four scans a point, 4 s apart")
    func grid() {
        let survey = SimulatedSurvey(
            of: SimulatedWalkTests.building, seed: 3, start: SimulatedWalkTests.start)
        var floors: [FloorID: Int] = [:]
        var count = 0
        var last: Timestamp?
        for record in survey {
            guard case .metres(let floor, let x, let y) = record.place else {
                Issue.record("not in metres")
                return
            }
            floors[floor, default: 0] += 1
            count += 1
            #expect(x.truncatingRemainder(dividingBy: 2) == 1)
            #expect(y.truncatingRemainder(dividingBy: 2) == 1)
            #expect(FloorPlan.house.room(at: PlanPoint(x: x, y: y)) != nil)
            if let last { #expect(record.scan.at - last == 4_000_000) }
            last = record.scan.at
        }
        #expect(count == survey.count)
        #expect(Set(floors.values).count == 1)
        // There are about 2,200 square metres of floor at four a point, more or less by chance at
        // the edges.
        #expect((500...600).contains(count / 4 / 3))
    }
}
