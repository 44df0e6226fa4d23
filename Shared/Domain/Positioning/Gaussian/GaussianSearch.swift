import Glibc

/// Finds the places of a map at which a scan is most probable.
struct GaussianSearch: Sendable {
    /// Places less probable than the best one by more than this logarithm are ignored.
    private static let leastLogarithm = -20.0

    private let index: GaussianIndex
    let temper: Double
    private let floors: Int

    init(_ index: GaussianIndex, temper: Double, floors: Int) {
        self.index = index
        self.temper = temper
        self.floors = floors
    }

    /// The floor and place of a scan. It leaves the places in `scratch.candidates`.
    ///
    /// - Parameter without: a place that must not be used.
    func guess(
        _ scan: RadioScan, without: Int32? = nil, scratch: inout GaussianScratch
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
            guard logarithm > Self.leastLogarithm, let place = index.places[number] else {
                continue
            }
            scratch.candidates.append(
                Candidate(
                    point: place.point, floor: place.floor, room: place.room,
                    weight: exp(logarithm)))
        }
        return SnapshotGuess(
            scratch.candidates, &scratch.floorWeights, floors: floors, overlap: found.readings)
    }
}

/// The self-test of a map that chooses the temper. A fingerprint is located without its place and
/// without the fold of its walk. There is one index at a time, because a large map's takes memory.
struct GaussianTrials {
    private let map: RadioMap
    private let test: LeaveOutTrials

    init(_ map: RadioMap) {
        self.map = map
        test = LeaveOutTrials(map: map)
    }

    /// The temper with the smallest error, and the outcomes of its trials.
    ///
    /// - Parameter whole: the index of all fingerprints.
    func best(_ whole: GaussianIndex) -> (temper: Double, outcomes: [LeaveOutTrials.Outcome]) {
        let hasFolds = !map.fingerprints.isEmpty && test.fold(of: 0) != nil
        let tempers = GaussianLikelihood.tempers
        var outcomes = tempers.map { _ in [LeaveOutTrials.Outcome]() }
        let folds: [Int?] = hasFolds ? Array(0..<LeaveOutTrials.foldCount) : [nil]
        for fold in folds {
            let index =
                fold.map { fold in GaussianIndex(map) { test.fold(of: $0) == fold } } ?? whole
            for (number, temper) in tempers.enumerated() {
                outcomes[number] += self.outcomes(index, temper: temper, fold: fold)
            }
        }
        let best = LeaveOutTrials.best(of: Array(tempers.indices)) { number in
            (tempers[number], outcomes[number])
        }
        return (best.trial, best.outcomes)
    }

    /// The outcomes of the fingerprints of one fold, with an index that has none of them.
    private func outcomes(
        _ index: GaussianIndex, temper: Double, fold: Int?
    ) -> [LeaveOutTrials.Outcome] {
        var scratch = GaussianScratch()
        let search = GaussianSearch(index, temper: temper, floors: map.floors.count)
        return test.outcomes { fingerprint, _ in
            guard test.fold(of: fingerprint) == fold else { return nil }
            let truth = map.fingerprints[fingerprint]
            return search.guess(
                map.scan(of: fingerprint), without: truth.place, scratch: &scratch)?.outcome(truth)
        }
    }
}
