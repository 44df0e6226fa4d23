import Beacons
import Events
import SeededRandomness
import Site
import Testing

@Suite("BeaconTransformer") struct BeaconTransformerTests {
    @Test("The battery is removed from either byte of the major, and nothing else changes")
    func battery() {
        for battery in 0...255 as ClosedRange<UInt16> {
            for major in [0, 1, 80, 255] as [UInt16] {
                let expected = battery <= 100 ? Int(battery) : nil
                let high = BatteryInMajor(byte: .high).transform(ranged(battery * 256 + major, 9))
                let low = BatteryInMajor(byte: .low).transform(ranged(major * 256 + battery, 9))
                var plain = ranged(major, 9)
                plain.batteryPercent = expected
                #expect(high == plain)
                #expect(low == plain)
            }
        }
    }

    @Test("A window is the mean of each beacon's last readings", arguments: 0..<40)
    func window(seed: Int) {
        var random = SeededRandom(seed: seed)
        let size = seed % 7 + 1
        var window = SlidingWindow(readings: size)
        var all: [UInt16: [Double]] = [:]
        for step in 0..<80 {
            let minor = UInt16.random(in: 0...2, using: &random)
            let metres = Double.random(in: 0...20, using: &random)
            all[minor, default: []].append(metres)
            let out = window.transform(
                ranged(1, minor, metres: metres, at: .second(Double(step))))
            let last = all[minor, default: []].suffix(size)
            #expect(abs(out.distanceMetres - last.reduce(0, +) / Double(last.count)) < 1e-9)
        }
    }

    @Test("The default is five readings, and a long silence starts a new window")
    func silence() {
        var window = SlidingWindow()
        #expect(window.readings == 5)
        _ = window.transform(ranged(1, 1, metres: 10))
        #expect(window.transform(ranged(1, 1, metres: 2, at: .second(30))).distanceMetres == 6)
        #expect(window.transform(ranged(1, 1, metres: 3, at: .second(61))).distanceMetres == 3)
    }

    @Test("A flood of made-up beacons does not fill the memory; the newest ones are kept")
    func crowd() {
        var window = SlidingWindow()
        let crowd = BeaconLimits.rememberedBeacons * 2 + 10
        for number in 0..<crowd {
            let beacon = ranged(
                UInt16(number >> 8), UInt16(number & 255), metres: 4,
                at: .second(Double(number) / 1_000))
            _ = window.transform(beacon)
        }
        func again(_ number: Int) -> Double {
            window.transform(
                ranged(
                    UInt16(number >> 8), UInt16(number & 255), metres: 0,
                    at: .second(Double(crowd) / 1_000))
            ).distanceMetres
        }
        // A remembered beacon has the mean of 4 and 0; a forgotten one has 0 alone.
        #expect(again(crowd - 1) == 2)
        #expect(again(0) == 0)
    }

    @Test("Measuring and moving follow the report's formulas")
    func kalman() {
        // Two estimates of equal variance meet in the middle, with half the variance.
        var filter = ScalarKalmanFilter(mean: 10, variance: 8)
        filter.measure(13, variance: 2)
        #expect(abs(filter.mean - 12.4) < 1e-12 && abs(filter.variance - 1.6) < 1e-12)
        filter.move(by: 5, variance: 4)
        #expect(abs(filter.mean - 17.4) < 1e-12 && abs(filter.variance - 5.6) < 1e-12)
    }

    @Test("Levels equal the least-squares estimate from all readings together", arguments: 0..<40)
    func kalmanAgainstAllAtOnce(seed: Int) {
        var random = SeededRandom(seed: seed)
        let readingVariance = Double.random(in: 1...50, using: &random)
        let drift = Double.random(in: 0.1...20, using: &random)
        let loss = PathLoss(exponent: 2.5)
        var smoother = KalmanSmoother(
            pathLoss: loss, readingVariance: readingVariance, driftVariancePerSecond: drift)
        var levels: [Double] = []
        var times: [Double] = []
        for _ in 0..<25 {
            times.append((times.last ?? 0) + Double(Int.random(in: 1...5, using: &random)))
            levels.append(.random(in: -100 ... -40, using: &random))
            let out = smoother.transform(
                ranged(1, 1, metres: 1, rssi: levels[levels.count - 1], at: .second(times.last!)))
            let expected = lastLevel(levels, times, readingVariance, drift)
            #expect(abs(out.rssi - expected) < 1e-6)
            let metres = loss.distanceMetres(attenuationDecibels: -59 - out.rssi)
            #expect(abs(out.distanceMetres - metres) < 1e-9)
        }
    }

    @Test("A late reading counts, but does not change the time of the newest one")
    func lateReading() {
        var smoother = KalmanSmoother(
            pathLoss: PathLoss(), readingVariance: 10, driftVariancePerSecond: 10)
        _ = smoother.transform(ranged(1, 1, rssi: -60, at: .second(100)))
        let late = smoother.transform(ranged(1, 1, rssi: -70, at: .second(90)))
        #expect(abs(late.rssi + 65) < 1e-9)
        // The variance is 5, and 10 more for the second since the newest reading.
        let next = smoother.transform(ranged(1, 1, rssi: -90, at: .second(101)))
        #expect(abs(next.rssi - (-65 - 25 * 15 / 25)) < 1e-9)
    }

    /// The newest level of the sequence that best fits all readings and drifts. It is found by
    /// least squares over the complete sequence, with Gaussian elimination.
    private func lastLevel(
        _ levels: [Double], _ times: [Double], _ variance: Double, _ drift: Double
    ) -> Double {
        let count = levels.count
        var rows = levels.map { level in
            [Double](repeating: 0, count: count) + [level / variance]
        }
        for index in 0..<count { rows[index][index] += 1 / variance }
        for index in 1..<max(1, count) {
            let weight = 1 / (drift * (times[index] - times[index - 1]))
            rows[index][index] += weight
            rows[index - 1][index - 1] += weight
            rows[index][index - 1] -= weight
            rows[index - 1][index] -= weight
        }
        for pivot in 0..<count {
            for row in pivot + 1..<max(pivot + 1, count) {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                for column in pivot...count { rows[row][column] -= factor * rows[pivot][column] }
            }
        }
        return rows[count - 1][count] / rows[count - 1][count - 1]
    }
}
