import Events
import Geometry
import Glibc
import SeededRandomness

/// A person with a device in the hand on a line through a field: the true places, and the values
/// that the device measures.
struct SimulatedWalker {
    struct Moment {
        var sample: MagneticSample
        var place: Point
        /// Metres from the line's first point, also when the walk goes backward.
        var arc: Double
    }

    /// The range of paces in metres a second; a new one is drawn every few seconds.
    var paces: ClosedRange<Double> = 0.6...1.7
    /// The probability that a new pace is a stop.
    var stops = 0.0
    /// The range of metres to the side of the line; one value is kept for the walk.
    var aside: ClosedRange<Double> = -0.3...0.3
    /// Microtesla on each axis, kept for the walk: the part of the device's own magnetism that
    /// calibration has left.
    var bias = 0.7
    var noise = 0.8
    var periodMilliseconds = 50
    var hasGravity = true

    /// The length of a step in metres at one metre a second; at a higher pace steps are longer.
    var stepMetres: ClosedRange<Double> = 0.5...0.75

    /// Walks from one end of the line to the other. It returns the moments and the times of steps;
    /// one step in thirty is missed.
    func walk(
        _ line: [Point], backward: Bool = false, through field: SimulatedField, seed: Int
    ) -> (moments: [Moment], steps: [Int]) {
        var random = SeededRandom(seed: seed)
        func draw(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
        let length = zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        let offAxis = draw(aside)
        let own = MagneticField(x: draw(-bias...bias), y: draw(-bias...bias), z: draw(-bias...bias))
        let grip = draw(-0.5...0.5)
        var (turn, pace, target, until) = (draw(-3...3), draw(paces), 0.0, 0)
        var (walked, now) = (0.0, 1_000)
        let step = draw(stepMetres)
        var (phase, steps) = (0.0, [Int]())
        var moments: [Moment] = []
        while walked <= length {
            if now >= until {
                target = draw(0...1) < stops ? 0 : draw(paces)
                until = now + Int(draw(2_000...6_000))
            }
            pace += (target - pace) * 0.1
            turn += draw(-0.08...0.08)
            let tilt = 0.35 + grip + 0.12 * sin(2 * .pi * phase)
            let arc = backward ? length - walked : walked
            let (place, heading) = Self.place(line, arc, offAxis)
            func sensed(_ vector: MagneticField, _ own: MagneticField) -> MagneticField {
                let seen = turned(vector, heading + turn, tilt)
                func blur() -> Double { draw(-noise...noise) * 1.7 }
                return MagneticField(
                    x: seen.x + own.x + blur(), y: seen.y + own.y + blur(),
                    z: seen.z + own.z + blur())
            }
            let gravity = MagneticField(x: 0, y: 0, z: -9.81)
            moments.append(
                Moment(
                    sample: MagneticSample(
                        atMilliseconds: now, field: sensed(field.at(place.x, place.y), own),
                        gravity: hasGravity
                            ? sensed(gravity, MagneticField(x: 0, y: 0, z: 0)) : nil),
                    place: place, arc: arc))
            let metres = pace * Double(periodMilliseconds) / 1_000
            walked += metres
            let before = phase
            phase += metres / (step * (0.7 + 0.3 * pace))
            if Int(phase) > Int(before), draw(0...1) > 1.0 / 30 { steps.append(now) }
            now += periodMilliseconds
        }
        return (moments, steps)
    }

    /// The place at a distance along the line and to its side, and the direction of the line there.
    private static func place(
        _ line: [Point], _ arc: Double, _ aside: Double
    ) -> (Point, Double) {
        var left = arc
        for (from, to) in zip(line, line.dropFirst()) {
            let metres = from.distance(to: to)
            if left <= metres || to == line.last {
                let (ux, uy) = ((to.x - from.x) / metres, (to.y - from.y) / metres)
                let place = Point(
                    x: from.x + ux * left - uy * aside, y: from.y + uy * left + ux * aside)
                return (place, atan2(uy, ux))
            }
            left -= metres
        }
        return (line[0], 0)
    }

    /// Converts a vector of the world to the device's axes: turned around the vertical, then
    /// tilted.
    private func turned(_ vector: MagneticField, _ yaw: Double, _ tilt: Double) -> MagneticField {
        let x = cos(yaw) * vector.x + sin(yaw) * vector.y
        let y = cos(yaw) * vector.y - sin(yaw) * vector.x
        return MagneticField(
            x: x, y: cos(tilt) * y + sin(tilt) * vector.z, z: cos(tilt) * vector.z - sin(tilt) * y)
    }
}
