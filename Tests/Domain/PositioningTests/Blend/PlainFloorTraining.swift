import Glibc
import Numbers

@testable import Positioning

/// Trains a `FloorNetwork` one number after the other, as its documentation describes it.
struct PlainFloorTraining {
    /// Weights with the gradients of a batch and the squares of all slopes.
    private struct Weights {
        var values: [Float]
        var sums: [Float]
        var squares: [Float]

        init(_ values: [Float]) {
            self.values = values
            sums = values.map { _ in 0 }
            squares = values.map { _ in 0.01 }
        }

        mutating func descend(_ index: Int, rate: Float, examples: Int, decay: Float) {
            let slope = sums[index] * (1 / Float(examples)) + decay * values[index]
            squares[index] += slope * slope
            values[index] -= rate * slope / squares[index].squareRoot()
            sums[index] = 0
        }
    }

    private let style: FloorNetwork.Style
    private let units = FloorNetwork.hidden
    private let floors: Int
    private let minimum: Float
    private var examples: [(readings: [NumberedReading], floor: Int)] = []
    private var random: SplitMix64
    /// Unit by unit for each transmitter.
    private var input: Weights
    private var inputBias: Weights
    /// Floor by floor for each unit.
    private var output: Weights
    private var outputBias: Weights
    private var received: Set<Int> = []

    static func network(
        _ surveys: SurveyReadings, _ style: FloorNetwork.Style, seed: UInt64
    ) -> FloorNetwork {
        var training = PlainFloorTraining(surveys, style, seed: seed)
        training.run()
        return FloorNetwork(
            style: style, floors: training.floors, minimum: training.minimum,
            input: training.input.values, inputBias: training.inputBias.values,
            output: training.output.values, outputBias: training.outputBias.values)
    }

    private init(_ surveys: SurveyReadings, _ style: FloorNetwork.Style, seed: UInt64) {
        self.style = style
        let (units, floors) = (units, surveys.map.floors.count)
        self.floors = floors
        for fingerprint in surveys.fingerprints {
            var readings: [NumberedReading] = []
            surveys.readings(of: fingerprint, into: &readings)
            let floor = surveys.map.fingerprints[Int(fingerprint)].floor
            examples.append((readings, Int(floor)))
        }
        minimum = examples.flatMap { $0.readings.map(\.rssi) }.min()! - 1
        var random = SplitMix64(seed: seed)
        let width = 1 / Float(units).squareRoot()
        input = Weights(
            (0..<surveys.map.transmitters.count * units).map { _ in 0.3 * random.normal() })
        inputBias = Weights((0..<units).map { _ in 0 })
        output = Weights((0..<units * floors).map { _ in width * random.normal() })
        outputBias = Weights((0..<floors).map { _ in 0 })
        self.random = random
    }

    private mutating func run() {
        let readings = examples.reduce(0) { $0 + $1.readings.count }
        let epochs = min(max(FloorNetwork.lessons / readings, 5), 60)
        let batches = max(1, examples.count / FloorNetwork.batch)
        var order = Array(examples.indices)
        var step = 0
        for _ in 0..<epochs {
            random.shuffle(&order)
            for batch in 0..<batches {
                let own = order.dropFirst(batch * FloorNetwork.batch).prefix(FloorNetwork.batch)
                for example in own { learn(example) }
                step += 1
                let rest = 1 - Float(step) / Float(epochs * batches + 1)
                descend(rate: FloorNetwork.rate * rest, examples: own.count)
            }
        }
    }

    private mutating func learn(_ example: Int) {
        let strengths = disturbed(examples[example].readings)
        guard !strengths.isEmpty else { return }
        var numbers = inputBias.values
        for (transmitter, strength) in strengths {
            received.insert(transmitter)
            for unit in 0..<units {
                numbers[unit] += strength * input.values[transmitter * units + unit]
            }
        }
        let factor = Float(1 / (1 - FloorNetwork.dropout))
        let factors = numbers.map { number -> Float in
            number > 0 && random.share() >= FloorNetwork.dropout ? factor : 0
        }
        var errors = outputBias.values
        for unit in 0..<units {
            numbers[unit] *= factors[unit]
            for floor in 0..<floors where factors[unit] > 0 {
                errors[floor] += numbers[unit] * output.values[unit * floors + floor]
            }
        }
        let most = errors.max()!
        for floor in 0..<floors { errors[floor] = exp(errors[floor] - most) }
        let sum = errors.reduce(0, +)
        for floor in 0..<floors { errors[floor] /= sum }
        errors[examples[example].floor] -= 1
        addGradients(errors, numbers, factors, strengths)
    }

    private mutating func addGradients(
        _ errors: [Float], _ numbers: [Float], _ factors: [Float], _ strengths: [(Int, Float)]
    ) {
        for floor in 0..<floors { outputBias.sums[floor] += errors[floor] }
        for unit in 0..<units where factors[unit] > 0 {
            var error: Float = 0
            for floor in 0..<floors {
                error += output.values[unit * floors + floor] * errors[floor]
                output.sums[unit * floors + floor] += numbers[unit] * errors[floor]
            }
            error *= factors[unit]
            inputBias.sums[unit] += error
            for (transmitter, strength) in strengths {
                input.sums[transmitter * units + unit] += strength * error
            }
        }
    }

    private mutating func disturbed(_ readings: [NumberedReading]) -> [(Int, Float)] {
        let offset = Float(random.share() * 2 - 1) * FloorNetwork.mostOffset
        let lost = random.share() * FloorNetwork.mostLost
        var strengths: [(transmitter: Int, strength: Float)] = []
        for reading in readings where random.share() >= lost {
            let rssi = reading.rssi + offset + style.noise * random.normal()
            let share = (min(rssi, 0) - minimum) / -minimum
            if share > 0 {
                strengths.append((Int(reading.transmitter), share * share.squareRoot()))
            }
        }
        let norm =
            style.dividesBySum
            ? strengths.reduce(0) { $0 + $1.strength }
            : strengths.reduce(0) { $0 + $1.strength * $1.strength }.squareRoot()
        return strengths.map { ($0.transmitter, $0.strength * (style.total / norm)) }
    }

    private mutating func descend(rate: Float, examples: Int) {
        for transmitter in received {
            for index in transmitter * units..<(transmitter + 1) * units {
                input.descend(index, rate: rate, examples: examples, decay: FloorNetwork.decay)
            }
        }
        received = []
        for index in output.values.indices {
            output.descend(index, rate: rate, examples: examples, decay: FloorNetwork.decay)
        }
        for unit in 0..<units {
            inputBias.descend(unit, rate: rate, examples: examples, decay: 0)
        }
        for floor in 0..<floors {
            outputBias.descend(floor, rate: rate, examples: examples, decay: 0)
        }
    }
}
