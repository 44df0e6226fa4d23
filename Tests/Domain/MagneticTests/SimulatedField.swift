import Events
import Glibc
import SeededRandomness

/// The magnetic field in a building: the Earth's, and that of steel.
///
/// The Earth magnetises columns and beams, each of which bends the field about it as a dipole does.
/// They stand in a jittered grid, with moments drawn by the seed. Nothing of it is taken from the
/// matcher.
struct SimulatedField {
    private struct Dipole {
        var x: Double
        var y: Double
        /// Above the device.
        var z: Double
        var moment: MagneticField
    }

    /// Microtesla, east, north and up; about what London has.
    private static let earth = MagneticField(x: 0, y: 19.5, z: -45)
    private var dipoles: [Dipole] = []

    /// Steel of a floor of so many metres by so many.
    init(seed: Int, width: Double, depth: Double, spacing: Double = 3.5) {
        var random = SeededRandom(seed: seed)
        func draw(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
        for column in stride(from: -spacing, through: width + spacing, by: spacing) {
            for row in stride(from: -spacing, through: depth + spacing, by: spacing) {
                // Microtesla at one metre: a thin rod beside a door, or a column of the frame.
                let strength = draw(5...40)
                dipoles.append(
                    Dipole(
                        x: column + draw(-1...1), y: row + draw(-1...1), z: draw(-1.2...1.5),
                        moment: MagneticField(
                            x: strength * draw(-0.6...0.6), y: strength * draw(-0.6...0.6),
                            z: strength * draw(-1...1))))
            }
        }
    }

    /// East, north and up, in microtesla.
    func at(_ x: Double, _ y: Double) -> MagneticField {
        var field = Self.earth
        for dipole in dipoles {
            let (dx, dy, dz) = (x - dipole.x, y - dipole.y, -dipole.z)
            // A column is no point: within its thickness the field grows no more.
            let square = max(dx * dx + dy * dy + dz * dz, 1)
            guard square < 100 else { continue }
            let cube = square * square.squareRoot()
            let moment = dipole.moment
            let inner = 3 * (moment.x * dx + moment.y * dy + moment.z * dz) / square
            field.x += (inner * dx - moment.x) / cube
            field.y += (inner * dy - moment.y) / cube
            field.z += (inner * dz - moment.z) / cube
        }
        return field
    }
}
