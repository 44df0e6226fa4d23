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

    let routes: [[FieldFeature]]
    let states: [State]
    var chances: [State: Double]
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
        var next = Dictionary(uniqueKeysWithValues: states.map { ($0, 0.0) })
        var leaving = 0.0
        for from in states {
            var onRoute = 0.0
            for to in states {
                let chance = moving(from, to, steps)
                next[to]! += chances[from]! * chance
                onRoute += chance
            }
            leaving += chances[from]! * (1 - onRoute)
        }
        var total = 0.0
        for state in states {
            leaving += next[state]! * 0.005
            next[state]! = next[state]! * 0.995 + elsewhere * 0.02 / Double(states.count)
        }
        elsewhere = elsewhere * 0.98 + leaving
        if let feature {
            for state in states {
                next[state]! *= likelihood(feature, routes[state.route][state.cell])
            }
            let one = (2.5 * (2 * Double.pi).squareRoot() / 60).squareRoot()
            elsewhere *= feature.down == nil ? one : one * one
        }
        total = elsewhere + next.values.reduce(0, +)
        chances = next.mapValues { feature == nil ? $0 : $0 / total }
        if feature != nil { elsewhere /= total }
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

    private func likelihood(_ felt: FieldFeature, _ expected: FieldFeature) -> Double {
        func one(_ difference: Double) -> Double {
            (0.01 + 0.99 * exp(-difference * difference / (2 * 2.5 * 2.5))).squareRoot()
        }
        guard let down = felt.down, let expectedDown = expected.down else {
            return one(felt.magnitude - expected.magnitude)
        }
        func level(_ feature: FieldFeature, _ down: Double) -> Double {
            max(0, feature.magnitude * feature.magnitude - down * down).squareRoot()
        }
        return one(level(felt, down) - level(expected, expectedDown)) * one(down - expectedDown)
    }
}
