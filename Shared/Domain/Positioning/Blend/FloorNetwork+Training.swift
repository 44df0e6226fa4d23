import Glibc
import Numbers

extension FloorNetwork {
    /// Trains a network. Equal fingerprints and seeds give equal networks on one kind of processor.
    ///
    /// - Parameter surveys: the readings to learn from.
    init(_ surveys: SurveyReadings, style: Style, seed: UInt64) {
        var training = FloorTraining(surveys, style, seed: seed)
        training.run()
        self = training.network
    }
}

/// The training of one network: examples, gradients and their history.
private struct FloorTraining {
    private(set) var network: FloorNetwork

    private struct Gradient {
        var sums: [Float]
        var history: [Float]

        init(_ count: Int) {
            sums = [Float](repeating: 0, count: count)
            history = [Float](repeating: 0.01, count: count)
        }
    }

    /// Examples side by side: example `i` has the readings from `start[i]` up to `start[i + 1]`.
    private var start: [Int] = [0]
    private var transmitters: [Int32] = []
    private var levels: [Float] = []
    private var floors: [Int] = []

    private var random: SplitMix64
    private var input: Gradient
    private var inputBias: Gradient
    private var output: Gradient
    private var outputBias: Gradient
    private var touched: [Int32] = []
    private var isTouched: [Bool]

    init(_ surveys: SurveyReadings, _ style: FloorNetwork.Style, seed: UInt64) {
        let map = surveys.map
        let hidden = FloorNetwork.hidden
        var random = SplitMix64(seed: seed)
        var own: [NumberedReading] = []
        for fingerprint in surveys.fingerprints {
            surveys.readings(of: fingerprint, into: &own)
            transmitters += own.map(\.transmitter)
            levels += own.map(\.rssi)
            start.append(levels.count)
            floors.append(Int(map.fingerprints[Int(fingerprint)].floor))
        }
        let (inputs, outputs) = (map.transmitters.count, map.floors.count)
        input = Gradient(inputs * hidden)
        inputBias = Gradient(hidden)
        output = Gradient(hidden * outputs)
        outputBias = Gradient(outputs)
        isTouched = [Bool](repeating: false, count: inputs)
        let width = 1 / Float(hidden).squareRoot()
        network = FloorNetwork(
            style: style, floors: outputs, minimum: (levels.min() ?? -100) - 1,
            input: (0..<inputs * hidden).map { _ in 0.3 * random.normal() },
            inputBias: [Float](repeating: 0, count: hidden),
            output: (0..<hidden * outputs).map { _ in width * random.normal() },
            outputBias: [Float](repeating: 0, count: outputs))
        self.random = random
    }

    mutating func run() {
        let count = floors.count
        let epochs = min(max(FloorNetwork.lessons / max(1, levels.count), 5), 60)
        let batches = max(1, count / FloorNetwork.batch)
        var order = Array(0..<count)
        var step = 0
        for _ in 0..<epochs {
            random.shuffle(&order)
            for batch in 0..<batches {
                let first = batch * FloorNetwork.batch
                let last = min(first + FloorNetwork.batch, count)
                for example in order[first..<last] { learn(example) }
                step += 1
                let rest = 1 - Float(step) / Float(epochs * batches + 1)
                descend(rate: FloorNetwork.rate * rest, examples: last - first)
            }
        }
    }

    /// Adds the gradient of one example to the sums.
    private mutating func learn(_ example: Int) {
        let hidden = FloorNetwork.hidden
        let heard = disturbed(example)
        guard !heard.isEmpty else { return }
        var units = network.inputBias
        for (transmitter, _) in heard where !isTouched[transmitter] {
            isTouched[transmitter] = true
            touched.append(Int32(transmitter))
        }
        // Without checks of bounds these loops work on several units at once.
        units.withUnsafeMutableBufferPointer { units in
            network.input.withUnsafeBufferPointer { input in
                for (transmitter, strength) in heard {
                    let row = transmitter * hidden
                    for unit in 0..<hidden { units[unit] += strength * input[row + unit] }
                }
            }
        }
        let kept = Float(1 / (1 - FloorNetwork.dropout))
        var mask = [Float](repeating: 0, count: hidden)
        for unit in 0..<hidden where units[unit] > 0 && random.share() >= FloorNetwork.dropout {
            mask[unit] = kept
        }
        for unit in 0..<hidden { units[unit] *= mask[unit] }
        var errors = network.outputBias
        let floors = network.floors
        for unit in 0..<hidden where mask[unit] > 0 {
            for floor in 0..<floors {
                errors[floor] += units[unit] * network.output[unit * floors + floor]
            }
        }
        softmax(&errors)
        errors[self.floors[example]] -= 1
        backpropagate(errors, units, mask, heard)
    }

    private mutating func backpropagate(
        _ errors: [Float], _ units: [Float], _ mask: [Float], _ heard: [(Int, Float)]
    ) {
        let (hidden, floors) = (FloorNetwork.hidden, network.floors)
        for floor in 0..<floors { outputBias.sums[floor] += errors[floor] }
        var unitErrors = [Float](repeating: 0, count: hidden)
        for unit in 0..<hidden where mask[unit] > 0 {
            var error: Float = 0
            for floor in 0..<floors {
                error += network.output[unit * floors + floor] * errors[floor]
                output.sums[unit * floors + floor] += units[unit] * errors[floor]
            }
            unitErrors[unit] = error * mask[unit]
            inputBias.sums[unit] += unitErrors[unit]
        }
        input.sums.withUnsafeMutableBufferPointer { sums in
            unitErrors.withUnsafeBufferPointer { errors in
                for (transmitter, strength) in heard {
                    let row = transmitter * hidden
                    for unit in 0..<hidden { sums[row + unit] += strength * errors[unit] }
                }
            }
        }
    }

    /// The example as another telephone may receive it: transmitters and scaled strengths.
    private mutating func disturbed(_ example: Int) -> [(Int, Float)] {
        let offset = Float(random.share() * 2 - 1) * FloorNetwork.mostOffset
        let lost = random.share() * FloorNetwork.mostLost
        var heard: [(Int, Float)] = []
        var sum: Float = 0
        for position in start[example]..<start[example + 1] {
            if random.share() < lost { continue }
            let noise = network.style.noise * random.normal()
            let strength = network.strength(levels[position] + offset + noise)
            guard strength > 0 else { continue }
            heard.append((Int(transmitters[position]), strength))
            sum += network.style.dividesBySum ? strength : strength * strength
        }
        let scale = FloorNetwork.scale(sum, network.style)
        for index in heard.indices { heard[index].1 *= scale }
        return heard
    }

    private func softmax(_ values: inout [Float]) {
        let most = values.max() ?? 0
        var sum: Float = 0
        for index in values.indices {
            values[index] = exp(values[index] - most)
            sum += values[index]
        }
        for index in values.indices { values[index] /= sum }
    }

    /// Moves the weights against the summed gradients, and clears them.
    private mutating func descend(rate: Float, examples: Int) {
        let hidden = FloorNetwork.hidden
        let share = 1 / Float(examples)
        for transmitter in touched {
            isTouched[Int(transmitter)] = false
            let row = Int(transmitter) * hidden
            Self.descend(
                &network.input, &input, row..<row + hidden, rate, share, FloorNetwork.decay)
        }
        touched.removeAll(keepingCapacity: true)
        Self.descend(&network.inputBias, &inputBias, 0..<hidden, rate, share, 0)
        Self.descend(
            &network.output, &output, network.output.indices, rate, share, FloorNetwork.decay)
        Self.descend(&network.outputBias, &outputBias, 0..<network.floors, rate, share, 0)
    }

    private static func descend(
        _ weights: inout [Float], _ gradient: inout Gradient, _ range: Range<Int>, _ rate: Float,
        _ share: Float, _ decay: Float
    ) {
        weights.withUnsafeMutableBufferPointer { weights in
            gradient.sums.withUnsafeMutableBufferPointer { sums in
                gradient.history.withUnsafeMutableBufferPointer { history in
                    for index in range {
                        let slope = sums[index] * share + decay * weights[index]
                        sums[index] = 0
                        history[index] += slope * slope
                        weights[index] -= rate * slope / history[index].squareRoot()
                    }
                }
            }
        }
    }
}
