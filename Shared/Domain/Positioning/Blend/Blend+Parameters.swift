import Glibc

extension Blend: AdjustablePositioner {
    /// A number of a choice that has a parameter of the positioner.
    private struct Field {
        var name: String
        var range: ClosedRange<Double>
        var value: WritableKeyPath<BlendChoice, Double>
    }

    private static var fields: [Field] {
        let powers = RadiusModel.powerRange
        return [
            Field(name: "offset-usual", range: -20...20, value: \.settings.offset.usual),
            Field(name: "offset-trust", range: 0...1, value: \.settings.offset.trust),
            Field(name: "temperature", range: 0.001...1, value: \.settings.temperature),
            Field(name: "likelihood", range: 0...1, value: \.settings.likelihood),
            Field(name: "floor-likelihood", range: 0...1, value: \.settings.floorLikelihood),
            Field(name: "floor-networks", range: 0...1, value: \.settings.floorNetworks),
            Field(name: "neighbour-share", range: 0...1, value: \.settings.neighbourShare),
            Field(name: "gaussian-share", range: 0...1, value: \.settings.gaussianShare),
            Field(name: "gaussian-temper", range: 0.001...1, value: \.settings.gaussianTemper),
            Field(name: "ridge-share", range: 0...1, value: \.settings.ridgeShare),
            Field(name: "spread-power", range: powers, value: \.radii.powers.x),
            Field(name: "distance-power", range: powers, value: \.radii.powers.y),
            Field(name: "disagreement-power", range: powers, value: \.radii.powers.z),
            Field(name: "factor68", range: 0...10_000, value: \.radii.factor68),
            Field(name: "factor95", range: 0...10_000, value: \.radii.factor95),
            Field(name: "farthest-misfit", range: 0...1, value: \.farthestMisfit),
        ]
    }

    private static var exponentFields: [(name: String, value: WritableKeyPath<BlendChoice, Int>)] {
        [
            ("exponent", \.settings.exponent), ("floor-exponent", \.settings.floorExponent),
            ("neighbour-exponent", \.settings.neighbourExponent),
        ]
    }

    private static let exponents: [String] = AnchorDistances.exponents.map { "\($0)" }

    public var parameters: [PositionerParameter] {
        let exponents = Self.exponents.joined(separator: " | ")
        return Self.exponentFields.map { PositionerParameter(name: $0.name, values: exponents) }
            + Self.fields.map {
                PositionerParameter(
                    name: $0.name, values: "\($0.range.lowerBound) to \($0.range.upperBound)")
            }
    }

    public func adjusted(_ values: [String: String]) -> (any Positioner)? {
        var choice = self.choice
        for (parameter, text) in values {
            if let field = Self.exponentFields.first(where: { $0.name == parameter }) {
                guard let exponent = Self.exponents.firstIndex(of: text) else { return nil }
                choice[keyPath: field.value] = exponent
            } else {
                guard let field = Self.fields.first(where: { $0.name == parameter }),
                    let number = Double(text), field.range.contains(number)
                else { return nil }
                choice[keyPath: field.value] = number
            }
        }
        var adjusted = self
        adjusted.name = Self.name("blend", values)
        adjusted.choice = choice
        return adjusted
    }

    /// The choice as text that `PositionerRegistry` accepts; reading it gives the same choice.
    static func text(_ choice: BlendChoice) -> String {
        "blend:" + values(choice).joined(separator: ",")
    }

    /// Each parameter with its value. A limit that limits nothing is left out: older locators don't
    /// know it.
    static func values(_ choice: BlendChoice) -> [String] {
        let isLimited = choice.farthestMisfit < Familiarity.noLimit
        return exponentFields.map { "\($0.name)=\(Self.exponents[choice[keyPath: $0.value]])" }
            + fields.filter { isLimited || $0.value != \.farthestMisfit }
            .map { "\($0.name)=\(choice[keyPath: $0.value])" }
    }
}
