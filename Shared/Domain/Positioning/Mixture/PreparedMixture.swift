import Events
import Site

/// A mixture over one radio map.
struct PreparedMixture: PreparedSnapshot {
    private let map: RadioMap
    private let site: SiteIndex
    private let blend: PreparedBlend
    private let parts: MixtureParts
    private let shares: MixtureShares

    var judge: SnapshotJudge { blend.judge }

    init(map: RadioMap, site: SiteIndex, choice: BlendChoice) {
        self.map = map
        self.site = site
        blend = PreparedBlend(map: map, site: site, choice: choice)
        parts = MixtureParts(map, choice.shares)
        shares = choice.shares
    }

    /// Memory that is reused from scan to scan.
    struct Scratch: CandidateMemory {
        fileprivate var blend = AnchorScratch()
        fileprivate var parts = MixtureParts.Scratch()
        var candidates: [Candidate] = []

        init() {}
    }

    func guess(_ scan: RadioScan, scratch: inout Scratch) -> SnapshotGuess? {
        scratch.candidates.removeAll(keepingCapacity: true)
        guard let own = blend.guess(scan, scratch: &scratch.blend) else { return nil }
        var shares = shares.shares(at: scratch.blend.leastDistance)
        let others = parts.guess(scan, scratch: &scratch.parts)
        let trilaterated =
            shares.trilateration > 0 ? trilaterate(scan, own, &scratch.parts.trilaterated) : nil
        // The blend has its weight then, as in the trials.
        if trilaterated == nil { shares.trilateration = 0 }
        let guesses: [(share: Double, guess: SnapshotGuess)] = [
            (shares.blend, own), (shares.cells, others.cells), (shares.gaussian, others.gaussian),
            (shares.trilateration, trilaterated),
        ].compactMap { share, guess in guess.map { (share, $0) } }
        let places = guesses.map { ($0.share, $0.guess.floor, $0.guess.mean.point) }
        guard let mixed = shares.mix(places) else {
            scratch.candidates += scratch.blend.candidates
            return own
        }
        scratch.candidates.add(scratch.blend.candidates, share: shares.blend)
        if others.cells != nil {
            scratch.candidates.add(scratch.parts.cells.candidates, share: shares.cells)
        }
        if others.gaussian != nil {
            scratch.candidates.add(scratch.parts.gaussian.candidates, share: shares.gaussian)
        }
        if trilaterated != nil {
            scratch.candidates.add(scratch.parts.trilaterated, share: shares.trilateration)
        }
        // A floor that only networks elect has no candidates.
        var mean =
            scratch.candidates.contains { $0.floor == mixed.floor }
            ? CandidateMean(scratch.candidates, on: mixed.floor) : own.mean
        mean.point = mixed.point
        let total = guesses.reduce(0) { $0 + $1.share }
        let share = guesses.reduce(0) { sum, part in
            sum + (part.guess.floor == mixed.floor ? part.share * part.guess.floorShare : 0)
        }
        var guess = SnapshotGuess(
            floor: mixed.floor, floorShare: share / total, mean: mean, scale: own.scale,
            overlap: own.overlap)
        guess.strangeness = own.strangeness
        return guess
    }

    /// The blend's guess with the place of trilateration on its floor, which leaves its candidates.
    private func trilaterate(
        _ scan: RadioScan, _ own: SnapshotGuess, _ candidates: inout [Candidate]
    ) -> SnapshotGuess? {
        candidates.removeAll(keepingCapacity: true)
        let answer = parts.trilateration?.answer(scan, on: own.floor, from: own.mean.point)
        guard var answer else { return nil }
        answer.point = shares.reached(answer.point, from: own.mean.point)
        answer.addCandidates(on: own.floor, weight: 1, of: map, site: site, to: &candidates)
        return SnapshotGuess(
            floor: own.floor, floorShare: own.floorShare,
            mean: CandidateMean(candidates, on: own.floor), scale: own.scale,
            overlap: own.overlap)
    }
}

extension [Candidate] {
    /// Candidates of a part with a smaller share of its largest weight are left out. There may be
    /// one for each place of the map.
    private static let leastShare = 1e-3

    /// Appends the candidates of a part, whose weights become its share in sum.
    fileprivate mutating func add(_ candidates: [Candidate], share: Double) {
        guard share > 0 else { return }
        let least = Self.leastShare * candidates.reduce(0) { Swift.max($0, $1.weight) }
        let total = candidates.reduce(0) { $0 + ($1.weight < least ? 0 : $1.weight) }
        guard total > 0 else { return }
        for var candidate in candidates where candidate.weight >= least {
            candidate.weight *= share / total
            append(candidate)
        }
    }
}
