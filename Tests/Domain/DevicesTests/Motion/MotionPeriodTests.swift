import Devices
import Events
import Testing

@Suite("MotionPeriod")
struct MotionPeriodTests {
    @Test(
        "Each period begins at the bound that its source gives",
        arguments: [
            (0.0, MotionPeriod.still), (19.9, .still), (20, .slow), (79.9, .slow), (80, .moderate),
            (119.9, .moderate), (120, .fast), (1e9, .fast),
        ])
    func bounds(stepsPerMinute: Double, period: MotionPeriod) {
        #expect(MotionPeriod(stepsPerMinute: stepsPerMinute) == period)
    }

    @Test("A period does not flap at a bound, and follows a clear change at once")
    func hysteresis() {
        var period = MotionPeriod.moderate
        for cadence in [119.0, 121, 118, 123, 117, 124.9] {
            period = period.next(stepsPerMinute: cadence)
            #expect(period == .moderate)
        }
        #expect(period.next(stepsPerMinute: 126) == .fast)
        #expect(MotionPeriod.fast.next(stepsPerMinute: 116) == .fast)
        #expect(MotionPeriod.fast.next(stepsPerMinute: 114) == .moderate)
        #expect(MotionPeriod.still.next(stepsPerMinute: 122) == .moderate)
        #expect(MotionPeriod.fast.next(stepsPerMinute: 30) == .slow)
        #expect(MotionPeriod.fast.next(stepsPerMinute: 0) == .still)
    }

    @Test("A scan's period comes from its steps and their time, otherwise from its speed")
    func scans() {
        func period(_ steps: Int?, _ seconds: Double?, _ speed: Double?) -> MotionPeriod? {
            MotionPeriod(
                steps: steps, secondsSinceScanBefore: seconds, speedMetresPerSecond: speed)
        }
        #expect(period(nil, 5, nil) == nil)
        #expect(period(4, nil, nil) == nil)
        #expect(period(4, 0, nil) == nil)
        #expect(period(0, 5, 1.2) == .still)
        #expect(period(5, 5, nil) == .slow)
        #expect(period(9, 5, nil) == .moderate)
        #expect(period(11, 5, 0) == .fast)
        #expect(period(9, nil, 1.2) == .moderate)
        #expect(period(nil, nil, 0.1) == .still)
        #expect(period(nil, nil, 2) == .fast)
    }

    @Test("A simulated walk goes through the periods of its paces")
    func walk() {
        var walk = SimulatedSteps(seed: 3)
        var expected: [(until: Int64, period: MotionPeriod)] = []
        func end() -> Int64 { walk.samples.last?.atMicroseconds ?? 0 }
        walk.stand(seconds: 5)
        expected.append((end(), .still))
        walk.walk(steps: 12, stepsPerSecond: 1)
        expected.append((end(), .slow))
        walk.walk(steps: 20, stepsPerSecond: 1.7)
        expected.append((end(), .moderate))
        walk.walk(steps: 25, stepsPerSecond: 2.4)
        expected.append((end(), .fast))
        walk.stand(seconds: 5)
        expected.append((end(), .still))

        var detector = StepDetector()
        var cadence = StepCadence()
        var changes: [MotionPeriod] = [.still]
        var right = 0
        for sample in walk.samples {
            for step in detector.add(sample) { cadence.add(stepAtMicroseconds: step) }
            let period = cadence.update(atMicroseconds: sample.atMicroseconds)
            if changes.last != period { changes.append(period) }
            let truth = expected.first { sample.atMicroseconds <= $0.until }?.period
            if truth == period { right += 1 }
        }
        // Between fast and still, the growing pause looks like slower periods.
        #expect(changes.prefix(4) == [.still, .slow, .moderate, .fast])
        #expect(changes.last == .still)
        #expect(Double(right) / Double(walk.samples.count) > 0.75)
    }

    @Test("A pause alone ends a walk, and steps out of order start a new one")
    func pause() {
        var cadence = StepCadence()
        for step in 0..<10 { cadence.add(stepAtMicroseconds: Int64(step) * 500_000) }
        #expect(cadence.stepsPerMinute(atMicroseconds: 4_500_000) == 120)
        #expect(cadence.stepsPerMinute(atMicroseconds: 6_500_000) == 30)
        #expect(cadence.stepsPerMinute(atMicroseconds: 7_600_000) == 0)
        cadence.add(stepAtMicroseconds: 9_000_000)
        cadence.add(stepAtMicroseconds: 8_000_000)
        #expect(cadence.stepsPerMinute(atMicroseconds: 8_000_000) == 20)
        for _ in 0..<1_000 { cadence.add(stepAtMicroseconds: 1) }
        for step in 0..<1_000 { cadence.add(stepAtMicroseconds: Int64(step) + 2) }
        #expect(cadence.stepsPerMinute(atMicroseconds: 1_002).isFinite)
    }
}
