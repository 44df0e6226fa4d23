extension NearestNeighbours: AdjustablePositioner {
    public var parameters: [PositionerParameter] {
        [
            PositionerParameter(
                name: "distance", values: SignalDistance.allCases.map(\.rawValue).list),
            PositionerParameter(
                name: "exponent", values: "0.1 to 10, for powed; by default the radio map chooses"
            ),
            PositionerParameter(name: "k", values: "1 to 1000"),
            PositionerParameter(
                name: "representation", values: Representation.allCases.map(\.rawValue).list),
            PositionerParameter(
                name: "weighting", values: Weighting.allCases.map(\.rawValue).list),
        ]
    }

    private enum Representation: String, CaseIterable {
        case raw, positive, exponential, powed
    }

    public func adjusted(_ values: [String: String]) -> (any Positioner)? {
        var adjusted = self
        var representation = Representation.powed
        var exponent: Double?
        for (parameter, text) in values {
            switch parameter {
            case "distance":
                guard let distance = SignalDistance(rawValue: text) else { return nil }
                adjusted.distance = distance
            case "exponent":
                guard let number = Double(text), (0.1...10).contains(number) else { return nil }
                exponent = number
            case "k":
                guard let count = Int(text), (1...1_000).contains(count) else { return nil }
                adjusted.neighbourCount = count
            case "representation":
                guard let known = Representation(rawValue: text) else { return nil }
                representation = known
            case "weighting":
                guard let weighting = Weighting(rawValue: text) else { return nil }
                adjusted.weighting = weighting
            default: return nil
            }
        }
        // An exponent is an error without powed strengths, because it would have no effect.
        guard exponent == nil || representation == .powed else { return nil }
        switch representation {
        case .raw: adjusted.representations = [.raw]
        case .positive: adjusted.representations = [.positive]
        case .exponential: adjusted.representations = [.exponential]
        case .powed: adjusted.representations = Self.powed(exponent)
        }
        adjusted.name = Self.name("knn", values)
        return adjusted
    }
}

extension [String] {
    fileprivate var list: String { joined(separator: " | ") }
}
