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

/// The training of one network.
///
/// Numbers that are added to one sum are added one after the other, in the order of readings,
/// units or floors. Only sums that are independent are computed side by side. So the weights are
/// those of the plain form in the tests, bit for bit.
private struct FloorTraining {
    private let style: FloorNetwork.Style
    private let floors: Int
    private let examples: DisturbedExamples
    private var random: SplitMix64

    /// A row of units for each transmitter.
    private var input: FloorWeights
    /// One row of units.
    private var inputBias: FloorWeights
    /// A row of units for each floor.
    private var output: FloorWeights
    /// The floors row by row.
    private var outputBias: FloorWeights
    /// The weights of `output`, as rows of floors for each unit.
    private var outputByUnit: [FloorLanes]

    /// The transmitters of the batch so far, and room for one more.
    private var touched: [Int32]
    private var touchedCount = 0
    private var isTouched: [Bool]
    /// The example's units that are not dropped, and room for one more.
    private var active = [(unit: Int, number: Float)](
        repeating: (0, 0), count: FloorNetwork.hidden + 1)
    /// The floors row by row: logarithms, probabilities, and then their errors.
    private var errors: [FloorLanes]

    init(_ surveys: SurveyReadings, _ style: FloorNetwork.Style, seed: UInt64) {
        let hidden = FloorNetwork.hidden
        let (inputs, floors) = (surveys.map.transmitters.count, surveys.map.floors.count)
        var random = SplitMix64(seed: seed)
        let width = 1 / Float(hidden).squareRoot()
        input = FloorWeights(
            FloorLanes.rows((0..<inputs * hidden).map { _ in 0.3 * random.normal() }))
        let outputs = (0..<hidden * floors).map { _ in width * random.normal() }
        output = FloorWeights(
            (0..<floors).flatMap { floor in
                FloorLanes.rows((0..<hidden).map { outputs[$0 * floors + floor] })
            })
        inputBias = FloorWeights([FloorLanes()])
        errors = FloorLanes.rows([Float](repeating: 0, count: floors))
        outputBias = FloorWeights(errors)
        touched = [Int32](repeating: 0, count: inputs + 1)
        isTouched = [Bool](repeating: false, count: inputs)
        outputByUnit = [FloorLanes](repeating: FloorLanes(), count: hidden * errors.count)
        examples = DisturbedExamples(surveys, style)
        self.style = style
        self.floors = floors
        self.random = random
    }

    var network: FloorNetwork {
        let output = output.rows.numbers
        return FloorNetwork(
            style: style, floors: floors, minimum: examples.minimum, input: input.rows.numbers,
            inputBias: inputBias.rows.numbers,
            output: (0..<FloorNetwork.hidden).flatMap { unit in
                (0..<floors).map { output[$0 * FloorNetwork.hidden + unit] }
            },
            outputBias: Array(outputBias.rows.numbers[..<floors]))
    }

    mutating func run() {
        let count = examples.count
        let epochs = min(max(FloorNetwork.lessons / max(1, examples.readings), 5), 60)
        let batches = max(1, count / FloorNetwork.batch)
        var order = Array(0..<count)
        var step = 0
        for _ in 0..<epochs {
            random.shuffle(&order)
            for batch in 0..<batches {
                let first = batch * FloorNetwork.batch
                let last = min(first + FloorNetwork.batch, count)
                orderOutputByUnit()
                for example in order[first..<last] { learn(example) }
                step += 1
                let rest = 1 - Float(step) / Float(epochs * batches + 1)
                descend(rate: FloorNetwork.rate * rest, examples: last - first)
            }
        }
    }

    private mutating func orderOutputByUnit() {
        let width = errors.count * FloorNetwork.hidden
        outputByUnit.withNumbers { columns in
            output.rows.withUnsafeBufferPointer { rows in
                rows.withMemoryRebound(to: Float.self) { rows in
                    for floor in 0..<floors {
                        let row = floor * FloorNetwork.hidden
                        for unit in 0..<FloorNetwork.hidden {
                            columns[unit * width + floor] = rows[row + unit]
                        }
                    }
                }
            }
        }
    }

    /// Adds the gradients of one example to those of the batch.
    private mutating func learn(_ example: Int) {
        let received = examples.disturb(example, &random)
        guard received > 0 else { return }
        var units = hiddenUnits(received)
        let (mask, kept) = dropOut(&units)
        units *= mask
        findErrors(kept, floor: examples.floors[example])
        backpropagate(units, mask, received)
    }

    private mutating func hiddenUnits(_ received: Int) -> FloorLanes {
        let (transmitters, strengths) = (examples.transmitters, examples.strengths)
        var (units, count) = (inputBias.rows[0], touchedCount)
        touched.withUnsafeMutableBufferPointer { touched in
            isTouched.withUnsafeMutableBufferPointer { isTouched in
                input.rows.withUnsafeBufferPointer { rows in
                    for index in 0..<received {
                        let transmitter = Int(transmitters[index])
                        // Without a branch, which the processor would often guess wrongly.
                        touched[count] = transmitters[index]
                        count += isTouched[transmitter] ? 0 : 1
                        isTouched[transmitter] = true
                        units.add(rows[transmitter], times: strengths[index])
                    }
                }
            }
        }
        touchedCount = count
        return units
    }

    /// Draws the units that are kept, among those that are positive.
    ///
    /// - Returns: the factor of each unit, and the number of units in `active`.
    private mutating func dropOut(_ units: inout FloorLanes) -> (mask: FloorLanes, kept: Int) {
        let factor = Float(1 / (1 - FloorNetwork.dropout))
        var mask = FloorLanes()
        var kept = 0
        active.withUnsafeMutableBufferPointer { active in
            units.withNumbers { units in
                var positive = 0
                for unit in 0..<FloorNetwork.hidden {
                    active[positive] = (unit, units[unit] * factor)
                    positive += units[unit] > 0 ? 1 : 0
                }
                for index in 0..<positive {
                    active[kept] = active[index]
                    kept += random.share() >= FloorNetwork.dropout ? 1 : 0
                }
            }
            mask.withNumbers { mask in
                for index in 0..<kept { mask[active[index].unit] = factor }
            }
        }
        return (mask, kept)
    }

    /// Computes the floors' probabilities, and subtracts 1 from the true one's.
    private mutating func findErrors(_ kept: Int, floor: Int) {
        let count = errors.count
        outputByUnit.withUnsafeBufferPointer { weights in
            for row in 0..<count {
                var sums = outputBias.rows[row]
                for (unit, number) in active[..<kept] {
                    sums.add(weights[unit * count + row], times: number)
                }
                errors[row] = sums
            }
        }
        let floors = floors
        errors.withNumbers { numbers in
            let numbers = UnsafeMutableBufferPointer(rebasing: numbers[..<floors])
            let most = numbers.max() ?? 0
            var sum: Float = 0
            for index in numbers.indices {
                numbers[index] = exp(numbers[index] - most)
                sum += numbers[index]
            }
            for index in numbers.indices { numbers[index] /= sum }
            numbers[floor] -= 1
        }
    }

    private mutating func backpropagate(
        _ units: FloorLanes, _ mask: FloorLanes, _ received: Int
    ) {
        let floors = floors
        var unitErrors = FloorLanes()
        errors.withNumbers { errors in
            output.rows.withUnsafeBufferPointer { rows in
                for floor in 0..<floors { unitErrors.add(rows[floor], times: errors[floor]) }
            }
            output.learn { sums in
                for floor in 0..<floors { sums[floor].add(units, times: errors[floor]) }
            }
        }
        unitErrors *= mask
        outputBias.learn { sums in
            for row in errors.indices { sums[row] += errors[row] }
        }
        inputBias.learn { $0[0] += unitErrors }
        let (transmitters, strengths) = (examples.transmitters, examples.strengths)
        input.learn { sums in
            for index in 0..<received {
                sums[Int(transmitters[index])].add(unitErrors, times: strengths[index])
            }
        }
    }

    /// Moves the weights against the gradients of the batch.
    private mutating func descend(rate: Float, examples: Int) {
        let unbiased = FloorWeights.Step(
            rate: rate, share: 1 / Float(examples), decay: FloorNetwork.decay)
        var bias = unbiased
        bias.decay = 0
        let rows = touched[..<touchedCount]
        input.descend(unbiased, rows: rows)
        for row in rows { isTouched[Int(row)] = false }
        touchedCount = 0
        inputBias.descend(bias, rows: 0..<1)
        output.descend(unbiased, rows: 0..<Int32(floors))
        outputBias.descend(bias, rows: 0..<Int32(errors.count))
    }
}
