import Glibc
import Numbers

/// A small neural network that tells floors apart: strengths to 32 rectified units to one output
/// for each floor. It is trained on the map's own fingerprints, each time another way disturbed, so
/// that it learns what survives other telephones and missing transmitters.
///
/// Trained with Adagrad (Duchi, Hazan and Singer 2011) and dropout (Srivastava et al. 2014). All
/// figures were found by leaving out telephones of the training part of UJIIndoorLoc.
struct FloorNetwork: Sendable {
    /// How strengths are scaled and disturbed.
    struct Style: Sendable {
        /// Strengths are divided by their sum, else by the root of the sum of their squares.
        var dividesBySum: Bool
        /// What they come to after that.
        var total: Float
        /// dB.
        var noise: Float

        static let both = [
            Style(dividesBySum: true, total: 5, noise: 6),
            Style(dividesBySum: false, total: 3, noise: 3),
        ]
    }

    static let hidden = 32
    static let exponent: Float = 1.5
    /// dB; each fingerprint each time gets an offset of at most this size.
    static let mostOffset: Float = 4
    /// Of the readings, at most this share is lost.
    static let mostLost = 0.5
    static let dropout = 0.3
    static let batch = 16
    static let rate: Float = 0.05
    static let decay: Float = 1e-5
    /// Readings to learn from in all; each fingerprint is seen 5 to 60 times.
    static let lessons = 5_400_000

    let style: Style
    let floors: Int
    let minimum: Float
    var input: [Float]
    var inputBias: [Float]
    var output: [Float]
    var outputBias: [Float]

    /// One number for each floor: the logarithm of its probability.
    ///
    /// - Parameter readings: of transmitters of the map.
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

    @inline(__always)
    func strength(_ rssi: Float) -> Float {
        let share = (min(rssi, 0) - minimum) / -minimum
        // share^1.5
        return share > 0 ? share * share.squareRoot() : 0
    }

    private func normalise(_ values: inout [Float]) {
        guard let most = values.max() else { return }
        let sum = values.reduce(Float(0)) { $0 + exp($1 - most) }
        let logarithm = most + log(sum)
        for index in values.indices { values[index] -= logarithm }
    }
}
