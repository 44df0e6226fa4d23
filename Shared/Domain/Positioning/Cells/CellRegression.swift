import Events
import Geometry
public import Site

/// Compares a scan with squares of two metres, each smoothed over the surveys around it. It is for
/// maps that were surveyed by walking: no place was surveyed twice there, and a single survey is
/// mostly noise.
///
/// It is a kernel regression over the ground (Nadaraya 1964, "On estimating regression"). A
/// survey's likeness to the scan is exp(-distance / temperature), with the Sorensen distance of
/// powed strengths. All squares weigh the same, however many surveys they have.
///
/// The place is the geometric median of the most probable floor's squares. That keeps the mean
/// error small, because a mean would be drawn towards distant squares.
public struct CellRegression: Positioner {
    public let name = "cells"

    public init() {}

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        PreparedCells(map: map, site: site)
    }
}

/// The regression over one radio map.
struct PreparedCells: PreparedSnapshot {
    private let map: RadioMap
    private let search: CellSearch
    let judge: SnapshotJudge

    init(map: RadioMap, site: SiteIndex) {
        let search = CellSearch(map)
        var scratch = CellScratch()
        let outcomes = LeaveOutTrials(map: map).outcomes { fingerprint, isLeftOut in
            search.guess(map.scan(of: fingerprint), scratch: &scratch, isLeftOut: isLeftOut)?
                .outcome(map.fingerprints[fingerprint])
        }
        self.map = map
        self.search = search
        judge = SnapshotJudge(map: map, site: site, outcomes: outcomes)
    }

    func guess(_ scan: RadioScan, scratch: inout CellScratch) -> SnapshotGuess? {
        search.guess(scan, scratch: &scratch, isLeftOut: nil)
    }
}

extension CellRegression {
    /// Whether the map was surveyed by walking.
    static func suits(_ map: RadioMap) -> Bool {
        let count = map.fingerprints.count
        return count > Anchors.fewestWalked
            && Double(map.places.count) > Anchors.walkedShare * Double(count)
    }

    /// The mean error in metres and the share of right floors, over the scans of a
    /// cross-validation. Nil where none could be located.
    static func trial(
        _ map: RadioMap, _ validation: CrossValidation
    ) -> (cost: Double, floorHit: Double)? {
        let search = CellSearch(map)
        var scratch = CellScratch()
        var (count, errors, hits) = (0.0, 0.0, 0.0)
        for fold in validation.folds {
            var isLeftOut = [Bool](repeating: true, count: map.fingerprints.count)
            for fingerprint in fold.training { isLeftOut[Int(fingerprint)] = false }
            let densities = search.densities { isLeftOut[$0] }
            for test in fold.tests {
                let number = Int(test.fingerprint)
                let guess = search.guess(
                    map.scan(of: number), scratch: &scratch,
                    isLeftOut: { [isLeftOut] in isLeftOut[$0] }, densities: densities)
                guard let outcome = guess?.outcome(map.fingerprints[number]) else { continue }
                count += 1
                errors += outcome.error
                hits += outcome.isRightFloor ? 1 : 0
            }
        }
        return count > 0 ? (errors / count, hits / count) : nil
    }
}
