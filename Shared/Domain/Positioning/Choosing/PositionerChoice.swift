/// The positioner that locates a radio map's own scans best.
public struct PositionerChoice: Hashable, Sendable {
    /// As the registry takes it, with all parameters: nothing has to be tried again.
    public var positioner: String
    /// Metres in cross-validation; nil for a map that is too small to choose.
    public var meanErrorMetres: Double?
    /// The share of right floors in cross-validation.
    public var floorHit: Double?

    /// Tries them all, which takes seconds for a large map. Equal maps choose alike.
    public init(for map: RadioMap) {
        guard !map.fingerprints.isEmpty else {
            // All that is known is where access points hang.
            positioner = Trilateration().name
            return
        }
        guard let choice = BlendChoice(for: map) else {
            positioner = NearestNeighbours().name
            return
        }
        if let cost = choice.cost, CellRegression.suits(map),
            let cells = CellRegression.trial(map, CrossValidation(map, seed: BlendChoice.seed)),
            cells.cost < cost
        {
            positioner = CellRegression().name
            meanErrorMetres = cells.cost
            floorHit = cells.floorHit
            return
        }
        positioner = Blend.text(choice)
        meanErrorMetres = choice.cost
        floorHit = choice.floorHit
    }
}
