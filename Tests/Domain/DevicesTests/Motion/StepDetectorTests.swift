import Devices
import SeededRandomness
import Testing

@Suite("StepDetector")
struct StepDetectorTests {
    private func detect(_ samples: [AccelerometerSample]) -> [Int64] {
        var detector = StepDetector()
        return samples.flatMap { detector.add($0) }
    }

    @Test(
        "It counts the steps of walks at any pace, with an error of two at most", arguments: 0..<12)
    func walks(seed: Int) {
        var walk = SimulatedSteps(seed: seed)
        walk.stand(seconds: 3)
        walk.walk(steps: 30, stepsPerSecond: 1.1 + Double(seed) * 0.1)
        walk.stand(seconds: 2)
        walk.walk(steps: 25, stepsPerSecond: 1.9)
        let found = detect(walk.samples)
        #expect(abs(found.count - 55) <= 2)
        // Each found step must be near a true one.
        for step in found {
            #expect(walk.steps.contains { abs($0 - step) < 350_000 })
        }
    }

    @Test("It finds no step in a device that lies still or is turned in the hand", arguments: 0..<4)
    func rests(seed: Int) {
        var rest = SimulatedSteps(seed: seed)
        rest.stand(seconds: 60)
        #expect(detect(rest.samples).isEmpty)
    }

    @Test("It agrees with a detector that gets the complete recording at once", arguments: 0..<20)
    func slow(seed: Int) {
        var walk = SimulatedSteps(seed: 100 + seed)
        var random = SeededRandom(seed: seed)
        for _ in 0..<3 {
            walk.stand(seconds: .random(in: 0...2, using: &random))
            walk.walk(
                steps: 8, stepsPerSecond: .random(in: 0.7...2.6, using: &random),
                strength: .random(in: 0.4...4, using: &random))
        }
        #expect(detect(walk.samples) == SlowStepDetector.steps(walk.samples))
    }

    @Test("Samples that are no number, too strong, late or repeated do not change the steps")
    func garbage() {
        var walk = SimulatedSteps(seed: 5)
        walk.walk(steps: 20, stepsPerSecond: 1.8)
        var spoilt: [AccelerometerSample] = []
        for (index, sample) in walk.samples.enumerated() {
            spoilt.append(sample)
            let at = sample.atMicroseconds
            switch index % 5 {
            case 0: spoilt.append(AccelerometerSample(atMicroseconds: at, x: .nan, y: 0, z: 0))
            case 1: spoilt.append(AccelerometerSample(atMicroseconds: at, x: .infinity, y: 0, z: 0))
            case 2: spoilt.append(AccelerometerSample(atMicroseconds: at, x: 1e200, y: 0, z: 0))
            case 3:
                spoilt.append(AccelerometerSample(atMicroseconds: at - 500_000, x: 20, y: 0, z: 0))
            default: spoilt.append(sample)
            }
        }
        #expect(detect(spoilt) == detect(walk.samples))
    }

    @Test("It starts again after a gap, after a change of the clock, and at the ends of time")
    func gaps() {
        var walk = SimulatedSteps(seed: 6)
        walk.walk(steps: 20, stepsPerSecond: 1.8)
        let alone = detect(walk.samples)
        for shift: Int64 in [60_000_000, -60_000_000_000] {
            let shifted = walk.samples.map { sample in
                var sample = sample
                sample.atMicroseconds += shift
                return sample
            }
            #expect(detect(walk.samples + shifted) == alone + alone.map { $0 + shift })
        }
        let ends = [Int64.min, .max, .max, .min, 0, .max - 1, .max].map {
            AccelerometerSample(atMicroseconds: $0, x: 0, y: 0, z: 9.81)
        }
        #expect(detect(ends).isEmpty)
    }
}
