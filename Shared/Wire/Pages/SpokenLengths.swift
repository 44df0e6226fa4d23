/// How far the words of a spoken way lead, and how long that takes, as route-track.js reckons it:
/// both pages tell the same length.
struct SpokenLengths {
    /// A leg or a step of the answer, with the leg that it begins in.
    private struct Part {
        var leg: Int
        var metres: Double
        var seconds: Double
    }

    /// The metres of all steps. A step that states none, such as stairs, has those of its legs.
    private(set) var metres = 0.0
    /// Where the words lead farther than the legs, the time grows alike.
    private(set) var seconds = 0.0

    /// - Throws: a fault for JSON of another shape.
    init(_ route: FieldReader) throws(WireFault) {
        let legs = try route.elements("legs", Self.part)
        let steps = try route.elements("spoken", Self.part)
        let stated = Dictionary(grouping: steps, by: \.leg).mapValues { parts in
            parts.reduce(0) { $0 + $1.metres }
        }
        var told: [Int: Double] = [:]
        var lengths: [(leg: Int, own: Part, metres: Double)] = []
        for (index, step) in steps.enumerated() {
            let own = Self.sum(of: legs, index, steps)
            let metres = stated[step.leg] ?? 0 > 0 ? step.metres : own.metres
            lengths.append((step.leg, own, metres))
            told[step.leg, default: 0] += metres
        }
        for step in lengths {
            metres += step.metres
            let all = told[step.leg] ?? 0
            let isLonger = step.own.metres > 0.5 && all > step.own.metres
            seconds += isLonger ? step.own.seconds * all / step.own.metres : step.own.seconds
        }
    }

    private static func part(_ value: WireValue) throws(WireFault) -> Part {
        let fields = try FieldReader(value)
        return Part(
            leg: try fields.optional("leg")?.integer(in: 0...1_000_000) ?? 0,
            metres: try fields.optional("distanceMetres")?.number() ?? 0,
            seconds: try fields.optional("seconds")?.number() ?? 0)
    }

    /// The legs that a step leads through: all until the next one begins. The first of the steps
    /// that begin in one leg has them.
    private static func sum(of legs: [Part], _ index: Int, _ steps: [Part]) -> Part {
        let first = steps[index].leg
        var sum = Part(leg: first, metres: 0, seconds: 0)
        if index > 0, steps[index - 1].leg == first { return sum }
        let next = steps.first { $0.leg > first }?.leg ?? legs.count
        for number in legs.indices where number >= first && number < next {
            sum.metres += legs[number].metres
            sum.seconds += legs[number].seconds
        }
        return sum
    }
}
