public import Site

/// The weighted mean of the places of four positioners: the blend, `cells`, `gaussian` and
/// trilateration on the blend's floor. Trilateration has its weight only for scans that fit no
/// survey well.
///
/// `ChosenPositioner` chooses the weights and stores them with the map. They are those that locate
/// the map's own scans best when they are left out of it. Without weights it is the blend.
public struct Mixture: Positioner {
    public private(set) var name = "mixture"
    var choice = BlendChoice.fallback

    public init() {}

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        PreparedMixture(map: map, site: site, choice: choice)
    }
}

extension Mixture: AdjustablePositioner {
    private struct Field {
        var name: String
        var range: ClosedRange<Double>
        var value: WritableKeyPath<MixtureShares, Double>
    }

    private static var fields: [Field] {
        [
            Field(name: "cells-part", range: 0...1, value: \.cells),
            Field(name: "gaussian-part", range: 0...1, value: \.gaussian),
            // A temper of 0 would make all places equally probable.
            Field(name: "gaussian-part-temper", range: 0.001...1, value: \.temper),
            Field(name: "trilateration-part", range: 0...1, value: \.trilateration),
            Field(name: "trilateration-distance", range: 0.001...1, value: \.newDistance),
            Field(
                name: "trilateration-reach", range: 0.001...MixtureShares.noReach, value: \.reach),
        ]
    }

    public var parameters: [PositionerParameter] {
        Blend().parameters
            + Self.fields.map {
                PositionerParameter(
                    name: $0.name, values: "\($0.range.lowerBound) to \($0.range.upperBound)")
            }
    }

    public func adjusted(_ values: [String: String]) -> (any Positioner)? {
        var shares = choice.shares
        var blend = Blend()
        blend.choice = choice
        var others = values
        for field in Self.fields {
            guard let text = others.removeValue(forKey: field.name) else { continue }
            guard let number = Double(text), field.range.contains(number) else { return nil }
            shares[keyPath: field.value] = number
        }
        guard let adjusted = blend.adjusted(others) as? Blend,
            shares.cells + shares.gaussian + shares.trilateration <= 1 + 1e-9
        else { return nil }
        var mixture = self
        mixture.name = Self.name("mixture", values)
        mixture.choice = adjusted.choice
        mixture.choice.shares = shares
        return mixture
    }

    /// The choice as text that `PositionerRegistry` accepts; reading it gives the same choice.
    static func text(_ choice: BlendChoice) -> String {
        let isTrilaterated = choice.shares.trilateration > 0
        let used = fields.filter { isTrilaterated || !$0.name.hasPrefix("trilateration") }
        let shares = used.map { "\($0.name)=\(choice.shares[keyPath: $0.value])" }
        return "mixture:" + (Blend.values(choice) + shares).joined(separator: ",")
    }
}
