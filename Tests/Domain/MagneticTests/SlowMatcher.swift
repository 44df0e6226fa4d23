import Events
import Glibc

@testable import Magnetic

/// The same results as `MagneticMatcher`, computed state by state with a table of every pair of
/// states. It does not depend on the order of lanes, cells or paces.
struct SlowMatcher {
    struct State: Hashable {
        var route: Int
        var isBackward: Bool
        /// Counted from the route's first point, also for a walker who goes backward.
        var cell: Int
        var pace: Int
    }

    struct Offset {
        var level = 0.0
        var down = 0.0
    }

    let routes: [[FieldFeature]]
    let states: [State]
    var chances: [State: Double]
    /// The offset of each cell, under the cell's state of pace 0.
    var offsets: [State: Offset] = [:]
    var variance = 4.0
    var elsewhere = 0.5

    init(_ routes: [[FieldFeature]]) {
        self.routes = routes
        states = routes.indices.flatMap { route in
            routes[route].indices.flatMap { cell in
                (0..<5).flatMap { pace in
                    [false, true].map {
                        State(route: route, isBackward: $0, cell: cell, pace: pace)
                    }
                }
            }
        }
        chances = Dictionary(uniqueKeysWithValues: states.map { ($0, 0.0) })
        for state in states { chances[state] = 0.5 / Double(states.count) }
    }

    mutating func advance(steps: Double?, _ feature: FieldFeature?) {
        if steps == 0 { return }
        variance += 0.25
        var next = Dictionary(uniqueKeysWithValues: states.map { ($0, 0.0) })
        var sums: [State: Offset] = [:]
        var all = Offset()
        var leaving = 0.0
        for from in states {
            let offset = offsets[cell(from)] ?? Offset()
            var onRoute = 0.0
            for to in states {
                let chance = moving(from, to, steps)
                next[to]! += chances[from]! * chance
                sums[cell(to), default: Offset()].level += chances[from]! * chance * offset.level
                sums[cell(to), default: Offset()].down += chances[from]! * chance * offset.down
                all.level += chances[from]! * chance * offset.level
                all.down += chances[from]! * chance * offset.down
                onRoute += chance
            }
            leaving += chances[from]! * (1 - onRoute)
        }
        let onRoutes = next.values.reduce(0, +)
        let entering = elsewhere * 0.02 / Double(states.count)
        leaving += onRoutes * 0.005
        for state in states { next[state]! = next[state]! * 0.995 + entering }
        elsewhere = elsewhere * 0.98 + leaving
        for (cell, sum) in sums {
            let total = (0..<5).reduce(0) { $0 + next[at(cell, pace: $1)]! }
            offsets[cell] = Offset(
                level: (sum.level * 0.995 + 5 * entering * all.level / onRoutes) / total,
                down: (sum.down * 0.995 + 5 * entering * all.down / onRoutes) / total)
        }
        chances = next
        if let feature { weigh(feature) }
    }

    private mutating func weigh(_ feature: FieldFeature) {
        for cell in Array(offsets.keys) {
            let (chance, offset) = likelihood(
                feature, routes[cell.route][cell.cell], offsets[cell]!)
            offsets[cell] = offset
            for pace in 0..<5 { chances[at(cell, pace: pace)]! *= chance }
        }
        let one = (2.5 * (2 * Double.pi).squareRoot() / 60).squareRoot()
        elsewhere *= feature.down == nil ? one : one * one
        variance = 1 / (1 / variance + 0.5 / 6.25)
        let total = elsewhere + chances.values.reduce(0, +)
        chances = chances.mapValues { $0 / total }
        elsewhere /= total
    }

    private func cell(_ state: State) -> State { at(state, pace: 0) }

    private func at(_ state: State, pace: Int) -> State {
        State(route: state.route, isBackward: state.isBackward, cell: state.cell, pace: pace)
    }

    /// The probability of going from one state to another in a tick, without leaving or joining a
    /// route.
    private func moving(_ from: State, _ to: State, _ steps: Double?) -> Double {
        guard from.route == to.route else { return 0 }
        var chance = paceChange(from.pace, to.pace, steps != nil)
        let cells =
            steps.map { [0.6, 0.8, 1, 1.2, 1.4][to.pace] * min(2, $0) * 0.6 / 0.25 }
            ?? [0, 0.5, 1, 1.5, 2][to.pace]
        let ahead = Double(from.isBackward ? from.cell - to.cell : to.cell - from.cell)
        if ahead == cells.rounded(.down) {
            chance *= 1 - (cells - cells.rounded(.down))
        } else if ahead == cells.rounded(.down) + 1 {
            chance *= cells - cells.rounded(.down)
        } else {
            return 0
        }
        return chance * (from.isBackward == to.isBackward ? 0.998 : 0.002)
    }

    private func paceChange(_ from: Int, _ to: Int, _ knowsSteps: Bool) -> Double {
        let slower = knowsSteps ? [0, 0.02, 0.02, 0.02, 0.02] : [0, 0.002, 0.02, 0.05, 0.1]
        let faster = knowsSteps ? [0.02, 0.02, 0.02, 0.02, 0] : [0.1, 0.05, 0.05, 0.03, 0]
        switch to - from {
        case 0: return 1 - slower[from] - faster[from]
        case 1: return faster[from]
        case -1: return slower[from]
        default: return 0
        }
    }

    private func likelihood(
        _ felt: FieldFeature, _ expected: FieldFeature, _ offset: Offset
    ) -> (Double, Offset) {
        func one(_ difference: Double, _ offset: inout Double) -> Double {
            let left = difference - offset
            let normal =
                0.99 * 2.5 / (6.25 + variance).squareRoot()
                * exp(-left * left / (2 * (6.25 + variance)))
            // The gain of a Kalman filter whose reading has twice the variance.
            offset += variance / (variance + 12.5) * left * normal / (0.01 + normal)
            return (0.01 + normal).squareRoot()
        }
        var offset = offset
        guard let down = felt.down, let expectedDown = expected.down else {
            let chance = one(felt.magnitude - expected.magnitude, &offset.level)
            return (chance, offset)
        }
        func level(_ feature: FieldFeature, _ down: Double) -> Double {
            max(0, feature.magnitude * feature.magnitude - down * down).squareRoot()
        }
        let first = one(level(felt, down) - level(expected, expectedDown), &offset.level)
        return (first * one(down - expectedDown, &offset.down), offset)
    }
}
