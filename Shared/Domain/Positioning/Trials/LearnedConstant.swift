public import Site

/// The one radius that a radio map's own trials teach for all scans of a positioner, by the
/// procedure that fits `RadiusModel`. Radii that recognise good estimates must do better.
public enum LearnedConstant {
    /// The radius with 95 %, in metres; nil for a map with too few trials. The positioner is
    /// prepared for each part of the map, so it should have nothing to choose. Thinned parts do not
    /// count, because they have fewer surveys than the map.
    public static func radius95(
        of positioner: any Positioner, on map: RadioMap, site: SiteIndex
    ) -> Double? {
        let (all, isDisturbed) = HeldOutTrials.folds(of: map)
        let folds = all.filter { !$0.isThinned }
        let outcomes = folds.flatMap { fold in
            zip(fold.queries, HeldOutTrials.trials(positioner, on: map, site: site, fold))
                .compactMap(outcome)
        }
        // Copies of surveys are no queries, so only a part that tries copies has none.
        return radius95(
            outcomes, knownPlacesUntried: folds.contains(where: \.queries.isEmpty),
            isDisturbed: isDisturbed)
    }

    /// Nil for too few outcomes. All of them have the same evidence, so no power has any effect.
    static func radius95(
        _ outcomes: [RadiusModel.Outcome], knownPlacesUntried: Bool, isDisturbed: Bool
    ) -> Double? {
        guard outcomes.count >= LeaveOutTrials.fewestOutcomes else { return nil }
        let model = RadiusModel(
            outcomes, knownPlacesUntried: knownPlacesUntried, isDisturbed: isDisturbed)
        return model.factor95 * model.scale(evidence)
    }

    /// The evidence of every outcome.
    static let evidence = RadiusModel.Evidence(spread: 0, distance: 0.95, disagreement: 0)

    private static func outcome(
        _ query: HeldOutTrials.Query, _ trial: HeldOutTrial
    ) -> RadiusModel.Outcome? {
        trial.error.map {
            RadiusModel.Outcome(
                error: $0, evidence: evidence, isNewPlace: query.kind == .newPlace)
        }
    }
}
