import Glibc
import Site

/// The Gaussian likelihood over one radio map.
struct PreparedGaussianLikelihood: PreparedSnapshot {
    /// Places less probable than the best one by more than this logarithm are ignored.
    private static let leastLogarithm = -20.0

    private let floors: Int
    private let index: GaussianIndex
    let judge: SnapshotJudge
    /// The temper that the map chose.
    let temper: Double

    init(map: RadioMap, site: SiteIndex) {
        let trials = Trials(map)
        let best = LeaveOutTrials.best(of: GaussianLikelihood.tempers) { temper in
            (temper, trials.outcomes(temper: temper))
        }
        temper = best.trial
        floors = map.floors.count
        index = trials.whole
        judge = SnapshotJudge(map: map, site: site, outcomes: best.outcomes)
    }

    func guess(_ scan: RadioScan, scratch: inout GaussianScratch) -> SnapshotGuess? {
        Self.guess(scan, index, temper: temper, floors: floors, without: nil, scratch: &scratch)
    }

    /// The indexes of a self-test: one for the map, and one without each fold of its walks.
    private struct Trials {
        let map: RadioMap
        let whole: GaussianIndex
        private let test: LeaveOutTrials
        private let folds: [GaussianIndex]

        init(_ map: RadioMap) {
            self.map = map
            whole = GaussianIndex(map)
            let test = LeaveOutTrials(map: map)
            self.test = test
            let hasFolds = !map.fingerprints.isEmpty && test.fold(of: 0) != nil
            folds = (0..<(hasFolds ? LeaveOutTrials.foldCount : 0)).map { fold in
                GaussianIndex(map) { test.fold(of: $0) == fold }
            }
        }

        func outcomes(temper: Double) -> [LeaveOutTrials.Outcome] {
            var scratch = GaussianScratch()
            return test.outcomes { fingerprint, _ in
                let index = test.fold(of: fingerprint).map { folds[$0] } ?? whole
                let truth = map.fingerprints[fingerprint]
                return PreparedGaussianLikelihood.guess(
                    map.scan(of: fingerprint), index, temper: temper, floors: map.floors.count,
                    without: truth.place, scratch: &scratch)?.outcome(truth)
            }
        }
    }

    /// - Parameter without: a place that must not be used.
    private static func guess(
        _ scan: RadioScan, _ index: GaussianIndex, temper: Double, floors: Int,
        without: Int32?, scratch: inout GaussianScratch
    ) -> SnapshotGuess? {
        let found = index.findLikelihoods(scan, scratch: &scratch)
        defer { index.forget(found.places, scratch: &scratch) }
        scratch.candidates.removeAll(keepingCapacity: true)
        var best = -Float.infinity
        for position in 0..<found.places where scratch.touched[position] != without {
            best = max(best, scratch.scores[Int(scratch.touched[position])])
        }
        for position in 0..<found.places where scratch.touched[position] != without {
            let number = Int(scratch.touched[position])
            let logarithm = temper * Double(scratch.scores[number] - best)
            guard logarithm > leastLogarithm, let place = index.places[number] else { continue }
            scratch.candidates.append(
                Candidate(
                    point: place.point, floor: place.floor, room: place.room,
                    weight: exp(logarithm)))
        }
        return SnapshotGuess(
            scratch.candidates, &scratch.floorWeights, floors: floors, overlap: found.readings)
    }
}
