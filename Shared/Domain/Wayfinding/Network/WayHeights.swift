import Events
import Geometry
import Site

/// The heights between floors, and the lengths of connections that lead up or down.
struct WayHeights: Sendable {
    /// Metres of a step: 17 cm up and 29 cm forward. They satisfy the rule 2 x rise + run = 63 cm
    /// of building codes (Blondel 1675).
    static let stepRise = 0.17
    static let stepRun = 0.29
    /// Metres forward for each metre up. Escalators rise at 30 degrees (EN 115-1, section 5.2.2).
    static let escalatorRun = 1.732

    /// The height of a storey in metres, where nobody has measured it.
    static let storeyMetres = 3.5

    let floors: [FloorRecord]

    struct Climb {
        var rise: Double?
        var metres: Double
        var direction: Int
    }

    /// The climb from one floor to another; outdoors counts as ordinal 0.
    func climb(from start: Level, to end: Level) -> Climb {
        let storeys = ordinal(end) - ordinal(start)
        let rise: Double? =
            if start == end { 0 } else if let low = height(start), let high = height(end) {
                high - low
            } else { nil }
        let metres = rise ?? Double(storeys) * Self.storeyMetres
        return Climb(
            rise: rise, metres: abs(metres), direction: metres > 0 ? 1 : metres < 0 ? -1 : 0)
    }

    func ordinal(_ level: Level) -> Int { level.map { floors[$0.value].ordinal } ?? 0 }

    private func height(_ level: Level) -> Double? {
        guard let level else { return 0 }
        return floors[level.value].heightMetres
    }

    /// Sets the climb of an arc along a connection. Lengthens an arc that is drawn shorter than its
    /// climb allows.
    func measure(_ arc: inout WayArc, _ record: ConnectionRecord, from start: Level, to end: Level)
    {
        var climb = climb(from: start, to: end)
        if start == end, let rise = record.riseMetres, record.stops.count == 2 {
            climb = Climb(
                rise: rise, metres: abs(rise), direction: rise > 0 ? 1 : rise < 0 ? -1 : 0)
        } else if start == end, let slope = record.slope, slope != 0 {
            climb = Climb(
                rise: slope * arc.metres, metres: abs(slope) * arc.metres,
                direction: slope > 0 ? 1 : -1)
        } else if start == end, let leads = record.leads {
            climb.direction = leads == .up ? 1 : -1
            if record.kind == .stairs {
                // Their number of steps is looked at below.
                climb.metres = arc.metres * Self.stepRise / Self.stepRun
                climb.rise = climb.metres * Double(climb.direction)
            }
        }
        if record.kind == .stairs, let steps = record.steps, record.stops.count == 2 {
            let metres = Double(steps) * Self.stepRise
            if climb.rise == nil || start == end {
                climb.metres = metres
                climb.rise = climb.direction == 0 ? nil : metres * Double(climb.direction)
            }
        }
        arc.rise = climb.rise
        arc.climb = climb.metres
        arc.direction = climb.direction
        switch record.kind {
        case .stairs:
            arc.metres = max(arc.metres, climb.metres * Self.stepRun / Self.stepRise)
        case .escalator: arc.metres = max(arc.metres, climb.metres * Self.escalatorRun)
        case .walk, .door, .ramp, .lift, .platformLift: break
        }
    }
}
