import Glibc
import Numbers

/// A small neural network that recognises the floor. Strengths feed 32 rectified units, which feed
/// one output for each floor. It is trained on the map's own fingerprints, disturbed differently
/// each time. So it learns the features that survive other telephones and missing transmitters.
///
/// It is trained with Adagrad (Duchi, Hazan and Singer 2011) and dropout (Srivastava et al. 2014).
/// All figures were found by leaving out telephones of the training part of UJIIndoorLoc.
struct FloorNetwork: Sendable {
    /// How strengths are scaled and disturbed.
    struct Style: Sendable {
        /// Whether strengths are divided by their sum, otherwise by the root of the sum of their
        /// squares.
        var dividesBySum: Bool
        /// The total, in the same norm, to which strengths are scaled.
        var total: Float
        /// The deviation of the noise added to readings in training, in dB.
        var noise: Float

        static let both = [
            Style(dividesBySum: true, total: 5, noise: 6),
            Style(dividesBySum: false, total: 3, noise: 3),
        ]
    }

    static let hidden = 32
    static let exponent: Float = 1.5
    /// dB; the largest offset that a fingerprint gets in training, in either direction.
    static let mostOffset: Float = 4
    /// The largest share of readings that is dropped in training.
    static let mostLost = 0.5
    static let dropout = 0.3
    static let batch = 16
    static let rate: Float = 0.05
    static let decay: Float = 1e-5
    /// The number of readings to learn from in total; each fingerprint is used 5 to 60 times.
    static let lessons = 5_400_000

    let style: Style
    let floors: Int
    let minimum: Float
    var input: [Float]
    var inputBias: [Float]
    var output: [Float]
    var outputBias: [Float]

    /// Computes the logarithm of each floor's probability.
    ///
    /// - Parameter readings: readings of the map's transmitters.
    func logarithms(_ readings: [NumberedReading], into logarithms: inout [Float]) {
        let hidden = Self.hidden
        var units = inputBias
        let scale = scale(of: readings)
        input.withUnsafeBufferPointer { input in
            for reading in readings {
                let strength = strength(reading.rssi) * scale
                guard strength > 0 else { continue }
                let row = Int(reading.transmitter) * hidden
                for unit in 0..<hidden { units[unit] += strength * input[row + unit] }
            }
        }
        logarithms.removeAll(keepingCapacity: true)
        logarithms += outputBias
        for unit in 0..<hidden where units[unit] > 0 {
            for floor in 0..<floors {
                logarithms[floor] += units[unit] * output[unit * floors + floor]
            }
        }
        normalise(&logarithms)
    }

    private func scale(of readings: [NumberedReading]) -> Float {
        let sum = readings.reduce(Float(0)) { sum, reading in
            let strength = strength(reading.rssi)
            return sum + (style.dividesBySum ? strength : strength * strength)
        }
        return Self.scale(sum, style)
    }

    @inline(__always)
    static func scale(_ sum: Float, _ style: Style) -> Float {
        guard sum > 0 else { return 0 }
        return style.total / (style.dividesBySum ? sum : sum.squareRoot())
    }

    private func strength(_ rssi: Float) -> Float { Self.strength(rssi, minimum: minimum) }

    @inline(__always)
    static func strength(_ rssi: Float, minimum: Float) -> Float {
        let share = (min(rssi, 0) - minimum) / -minimum
        // The compiler takes several roots at once only where none can be negative.
        let root = share.magnitude.squareRoot()
        return share > 0 ? share * root : 0
    }

    private func normalise(_ values: inout [Float]) {
        guard let most = values.max() else { return }
        let sum = values.reduce(Float(0)) { $0 + exp($1 - most) }
        let logarithm = most + log(sum)
        for index in values.indices { values[index] -= logarithm }
    }
}
