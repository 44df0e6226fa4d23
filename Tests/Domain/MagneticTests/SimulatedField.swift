import Events
import Geometry
import Glibc
import SeededRandomness

/// The magnetic field in a building: that of the Earth and that of steel.
///
/// The Earth magnetises columns and beams, and each of them bends the field around it like a
/// dipole. They stand in an irregular grid, with moments drawn from the seed. No figure comes from
/// the matcher.
struct SimulatedField {
    private struct Dipole {
        var x: Double
        var y: Double
        /// Metres above the device.
        var z: Double
        var moment: MagneticField
    }

    /// The Earth's field in microtesla, as east, north and up; about that of London.
    private static let earth = MagneticField(x: 0, y: 19.5, z: -45)
    private var dipoles: [Dipole] = []

    /// Makes the steel of a floor of this width and depth in metres.
    init(seed: Int, width: Double, depth: Double, spacing: Double = 3.5) {
        var random = SeededRandom(seed: seed)
        func draw(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
        for column in stride(from: -spacing, through: width + spacing, by: spacing) {
            for row in stride(from: -spacing, through: depth + spacing, by: spacing) {
                // The strength at one metre in microtesla: from a thin rod beside a door to a
                // column of the frame.
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

    /// The same floor after the steel within some metres of a place was exchanged for that of
    /// another floor of the same size.
    func exchanged(for other: Self, at place: Point, within metres: Double) -> Self {
        var changed = self
        for index in dipoles.indices
        where place.distance(to: Point(x: dipoles[index].x, y: dipoles[index].y)) <= metres {
            changed.dipoles[index] = other.dipoles[index]
        }
        return changed
    }

    /// The field as east, north and up, in microtesla.
    func at(_ x: Double, _ y: Double) -> MagneticField {
        var field = Self.earth
        for dipole in dipoles {
            let (dx, dy, dz) = (x - dipole.x, y - dipole.y, -dipole.z)
            // A column is not a point: inside it the field grows no further.
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
