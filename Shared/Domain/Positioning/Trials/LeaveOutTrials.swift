/// Locates fingerprints of a radio map with the rest of it, to learn how a positioner does at a
/// site before any device has asked.
///
/// A fingerprint is located without its own walk and place; where one walk is most of the map,
/// without its place alone. Otherwise its neighbours in time, which heard the same moment, would
/// answer.
struct LeaveOutTrials {
    /// Fingerprints located at most; the standard error of a 95 % quantile's level is then 1 %.
    static let trials = 500
    /// With fewer answers a site is too small to learn from.
    static let fewestOutcomes = 40
    /// A walk with a larger share of the map cannot be left out whole.
    static let largestWalkShare = 0.2
    /// A wrong floor counts as so many metres: about the height of a storey. It was chosen before
    /// any test part was looked at, and stays so (docs/accuracy.md).
    static let wrongFloorMetres = 4.0

    struct Outcome: Hashable, Sendable {
        /// Metres, along the ground.
        var error: Double
        /// Metres: how far the neighbours lay apart.
        var spread: Double
        var isRightFloor: Bool
    }

    private let map: RadioMap
    private let leavesOutWalks: Bool

    init(map: RadioMap) {
        self.map = map
        var walkSizes: [Int32: Int] = [:]
        for fingerprint in map.fingerprints { walkSizes[fingerprint.walk, default: 0] += 1 }
        let largest = Double(walkSizes.values.max() ?? 0)
        leavesOutWalks = largest <= Self.largestWalkShare * Double(map.fingerprints.count)
    }

    /// The outcomes for fingerprints evenly spread over the map: no chance, so that equal maps give
    /// equal answers. Those that could not be located are left out.
    ///
    /// - Parameter locate: gets a fingerprint and a test of those that it must not use.
    func outcomes(locate: (Int, @escaping (Int) -> Bool) -> Outcome?) -> [Outcome] {
        let count = map.fingerprints.count
        let trials = min(Self.trials, count)
        return (0..<trials).compactMap { trial in
            let own = trial * count / trials
            let left = map.fingerprints[own]
            return locate(own) { [map, leavesOutWalks] other in
                map.fingerprints[other].place == left.place
                    || (leavesOutWalks && map.fingerprints[other].walk == left.walk)
            }
        }
    }

    /// The number of parts that a positioner is built without in turn when it cannot leave out
    /// single fingerprints: the walk of each fingerprint is in one of them.
    static let foldCount = 10

    /// The part that the fingerprint's walk is in; nil where walks stay.
    func fold(of fingerprint: Int) -> Int? {
        leavesOutWalks ? Int(map.fingerprints[fingerprint].walk) % Self.foldCount : nil
    }

    /// What costs least of what `trial` makes of the settings; the first where the map is too small
    /// to choose, or several cost the same.
    static func best<Setting, Trial>(
        of settings: [Setting],
        trial: (Setting) -> (trial: Trial, outcomes: [Outcome])
    ) -> (trial: Trial, outcomes: [Outcome]) {
        var best = trial(settings[0])
        guard var known = cost(best.outcomes) else { return best }
        for setting in settings.dropFirst() {
            let other = trial(setting)
            guard let tried = cost(other.outcomes), tried < known else { continue }
            (best, known) = (other, tried)
        }
        return best
    }

    /// The mean error in metres, wrong floors counted in; nil for too few outcomes.
    static func cost(_ outcomes: [Outcome]) -> Double? {
        guard outcomes.count >= fewestOutcomes else { return nil }
        let sum = outcomes.reduce(0) { sum, outcome in
            sum + outcome.error + (outcome.isRightFloor ? 0 : wrongFloorMetres)
        }
        return sum / Double(outcomes.count)
    }
}
