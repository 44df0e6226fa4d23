import Site

/// The Gaussian likelihood over one radio map.
struct PreparedGaussianLikelihood: PreparedSnapshot {
    private let search: GaussianSearch
    let judge: SnapshotJudge

    /// The temper that the map chose.
    var temper: Double { search.temper }

    init(map: RadioMap, site: SiteIndex) {
        let index = GaussianIndex(map)
        let best = GaussianTrials(map).best(index)
        search = GaussianSearch(index, temper: best.temper, floors: map.floors.count)
        judge = SnapshotJudge(map: map, site: site, outcomes: best.outcomes)
    }

    func guess(_ scan: RadioScan, scratch: inout GaussianScratch) -> SnapshotGuess? {
        search.guess(scan, scratch: &scratch)
    }
}
