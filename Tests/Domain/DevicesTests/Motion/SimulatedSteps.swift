import Devices
import Glibc
import SeededRandomness

/// A walk as an accelerometer in a pocket would measure it. It does not use the detector's
/// constants. It has a bounce with its second harmonic, noise, a hand that turns the device, and
/// uneven steps.
struct SimulatedSteps {
    var samples: [AccelerometerSample] = []
    var steps: [Int64] = []
    private var random: SeededRandom
    private var now: Int64 = 1_000_000_000

    init(seed: Int) { random = SeededRandom(seed: seed) }

    mutating func stand(seconds: Double) {
        let end = now + Int64(seconds * 1e6)
        while now < end { append(bounce: 0) }
    }

    mutating func walk(steps count: Int, stepsPerSecond: Double, strength: Double = 2.2) {
        for _ in 0..<count {
            let period = 1e6 / stepsPerSecond * Double.random(in: 0.93...1.07, using: &random)
            let begin = now
            while Double(now - begin) < period {
                let phase = 2 * Double.pi * Double(now - begin) / period
                append(bounce: strength * (sin(phase) + 0.3 * sin(2 * phase + 0.5)))
            }
            steps.append(begin + Int64(period / 4))
        }
    }

    private mutating func append(bounce: Double) {
        let turn = Double(now) / 9e6
        let strength = 9.81 + bounce
        func noise() -> Double { Double.random(in: -0.25...0.25, using: &random) }
        samples.append(
            AccelerometerSample(
                atMicroseconds: now, x: strength * sin(turn) * 0.6 + noise(),
                y: strength * cos(turn) * 0.6 + noise(), z: strength * 0.8 + noise()))
        now += Int64.random(in: 14_000...26_000, using: &random)
    }
}
