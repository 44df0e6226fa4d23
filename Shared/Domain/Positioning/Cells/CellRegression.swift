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
