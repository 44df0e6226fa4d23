/// Locates fingerprints of a radio map with the rest of it, to measure a positioner at a site
/// before any device is located.
///
/// A fingerprint is located without its own walk and place. Otherwise its neighbours, received at
/// the same moment, would give the answer away. Where one walk is most of the map, only the place
/// is left out.
struct LeaveOutTrials {
    /// The most fingerprints that are located; the standard error of a 95 % quantile's level is
    /// then 1 %.
    static let trials = 500
    /// With fewer outcomes a site is too small to learn from.
    static let fewestOutcomes = 40
    /// A walk with a larger share of the map is not left out.
    static let largestWalkShare = 0.2
    /// A wrong floor counts as this many metres, about the height of a storey. The figure was
    /// chosen before any test part was looked at, and must not be tuned (docs/accuracy.md).
    static let wrongFloorMetres = 4.0

    struct Outcome: Hashable, Sendable {
        /// Metres, along the ground.
        var error: Double
        /// The spread of the neighbours, in metres.
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

    /// The outcomes of fingerprints evenly spread over the map. There is no chance, so that equal
    /// maps give equal results. Fingerprints that could not be located are left out.
    ///
    /// - Parameter locate: locates a fingerprint without those for which the given test is true.
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

    /// The number of parts for positioners that cannot leave out single fingerprints. They are
    /// built without each part in turn, and each walk is in one part.
    static let foldCount = 10

    /// The part with the fingerprint's walk; nil where walks are not left out.
    func fold(of fingerprint: Int) -> Int? {
        leavesOutWalks ? Int(map.fingerprints[fingerprint].walk) % Self.foldCount : nil
    }

    /// The trial of the setting with the least cost. It is the first of equals, and the first of
    /// all where the map is too small to choose.
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

    /// The mean error in metres, including wrong floors; nil for too few outcomes.
    static func cost(_ outcomes: [Outcome]) -> Double? {
        guard outcomes.count >= fewestOutcomes else { return nil }
        let sum = outcomes.reduce(0) { sum, outcome in
            sum + outcome.error + (outcome.isRightFloor ? 0 : wrongFloorMetres)
        }
        return sum / Double(outcomes.count)
    }
}
