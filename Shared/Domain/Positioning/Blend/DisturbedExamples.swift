import Numbers

/// The surveys that a `FloorNetwork` learns from, each as another device may receive it.
///
/// It owns memory for one example, which is reused.
final class DisturbedExamples {
    let count: Int
    /// The floor of each example.
    let floors: [Int]
    /// The number of readings of all examples.
    var readings: Int { all.count }
    /// dBm; below all readings.
    let minimum: Float
    private let style: FloorNetwork.Style

    /// Example `i` has the readings from `start[i]` up to `start[i + 1]`.
    private let start: [Int]
    private let all: [NumberedReading]

    /// The transmitters of the current example.
    let transmitters: UnsafeMutableBufferPointer<Int32>
    /// Their scaled strengths.
    let strengths: UnsafeMutableBufferPointer<Float>
    private let radii: UnsafeMutableBufferPointer<Double>
    private let turns: UnsafeMutableBufferPointer<Double>
    private let noise: UnsafeMutableBufferPointer<Float>
    private let highestNoise: UnsafeMutableBufferPointer<Float>

    init(_ surveys: SurveyReadings, _ style: FloorNetwork.Style) {
        self.style = style
        var (start, all, most) = ([0], [NumberedReading](), 0)
        var own: [NumberedReading] = []
        for fingerprint in surveys.fingerprints {
            surveys.readings(of: fingerprint, into: &own)
            all += own
            start.append(all.count)
            most = max(most, own.count)
        }
        let map = surveys.map
        count = surveys.fingerprints.count
        floors = surveys.fingerprints.map { Int(map.fingerprints[Int($0)].floor) }
        // Training does not check its indices again.
        precondition(floors.allSatisfy(map.floors.indices.contains))
        precondition(all.allSatisfy { map.transmitters.indices.contains(Int($0.transmitter)) })
        minimum = (all.map(\.rssi).min() ?? -100) - 1
        self.start = start
        self.all = all
        func memory<Number: Numeric>() -> UnsafeMutableBufferPointer<Number> {
            let memory = UnsafeMutableBufferPointer<Number>.allocate(capacity: most)
            memory.initialize(repeating: 0)
            return memory
        }
        transmitters = memory()
        strengths = memory()
        radii = memory()
        turns = memory()
        noise = memory()
        highestNoise = memory()
    }

    deinit {
        transmitters.deallocate()
        strengths.deallocate()
        radii.deallocate()
        turns.deallocate()
        noise.deallocate()
        highestNoise.deallocate()
    }

    /// Disturbs an example and puts it into `transmitters` and `strengths`.
    ///
    /// - Returns: the number of its readings.
    func disturb(_ example: Int, _ random: inout SplitMix64) -> Int {
        let offset = Float(random.share() * 2 - 1) * FloorNetwork.mostOffset
        let received = drop(random.share() * FloorNetwork.mostLost, of: example, &random)
        NormalNumbers.find(
            UnsafeBufferPointer(rebasing: radii[..<received]),
            UnsafeBufferPointer(rebasing: turns[..<received]),
            into: UnsafeMutableBufferPointer(rebasing: noise[..<received]), highest: highestNoise)
        let (minimum, deviation) = (minimum, style.noise)
        for index in 0..<received {
            strengths[index] = FloorNetwork.strength(
                strengths[index] + offset + deviation * noise[index], minimum: minimum)
        }
        return scale(received)
    }

    /// Drops a share of the readings by chance. The transmitters and levels of the others come into
    /// `transmitters` and `strengths`, and the draws of their noise into `radii` and `turns`.
    private func drop(_ share: Double, of example: Int, _ random: inout SplitMix64) -> Int {
        var received = 0
        for reading in all[start[example]..<start[example + 1]] {
            if random.share() < share { continue }
            transmitters[received] = reading.transmitter
            strengths[received] = reading.rssi
            radii[received] = random.share()
            turns[received] = random.share()
            received += 1
        }
        return received
    }

    /// Scales the strengths to the style's total, and removes those of 0.
    private func scale(_ received: Int) -> Int {
        var sum: Float = 0
        var count = 0
        for index in 0..<received {
            let strength = strengths[index]
            transmitters[count] = transmitters[index]
            strengths[count] = strength
            count += strength > 0 ? 1 : 0
            sum += style.dividesBySum ? strength : strength * strength
        }
        let scale = FloorNetwork.scale(sum, style)
        for index in 0..<count { strengths[index] *= scale }
        return count
    }
}
