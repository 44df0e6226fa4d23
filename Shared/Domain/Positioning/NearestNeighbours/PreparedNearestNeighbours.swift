import Events
import Geometry
import Site

/// Weighted nearest neighbours over one radio map.
struct PreparedNearestNeighbours: PreparedSnapshot {
    private let map: RadioMap
    private let search: Search
    let judge: SnapshotJudge

    init(map: RadioMap, site: SiteIndex, settings: NearestNeighbours) {
        self.map = map
        let best = LeaveOutTrials.best(of: settings.representations) {
            Self.trial($0, settings, map)
        }
        search = best.trial
        judge = SnapshotJudge(map: map, site: site, outcomes: best.outcomes)
    }

    /// Locates the map's own fingerprints with one representation, to measure it.
    private static func trial(
        _ representation: SignalRepresentation, _ settings: NearestNeighbours, _ map: RadioMap
    ) -> (trial: Search, outcomes: [LeaveOutTrials.Outcome]) {
        let index = FingerprintIndex(
            map, representation: representation, distance: settings.distance)
        let search = Search(
            index: index, count: settings.neighbourCount, weighting: settings.weighting)
        var scratch = NeighbourScratch()
        let outcomes = LeaveOutTrials(map: map).outcomes { fingerprint, isLeftOut in
            search.guess(
                map.scan(of: fingerprint), map, scratch: &scratch, isLeftOut: isLeftOut
            )?.outcome(map.fingerprints[fingerprint])
        }
        return (search, outcomes)
    }

    func guess(_ scan: RadioScan, scratch: inout NeighbourScratch) -> SnapshotGuess? {
        search.guess(scan, map, scratch: &scratch, isLeftOut: nil)
    }

    private struct Search {
        let index: FingerprintIndex
        let count: Int
        let weighting: NearestNeighbours.Weighting

        func guess(
            _ scan: RadioScan, _ map: RadioMap, scratch: inout NeighbourScratch,
            isLeftOut: ((Int) -> Bool)?
        ) -> SnapshotGuess? {
            index.findNearest(count, to: scan, scratch: &scratch, isLeftOut: isLeftOut)
            defer { index.forget(&scratch) }
            scratch.candidates.removeAll(keepingCapacity: true)
            guard let nearest = scratch.neighbours.first else { return nil }
            for neighbour in scratch.neighbours {
                let fingerprint = map.fingerprints[Int(neighbour.fingerprint)]
                scratch.candidates.append(
                    Candidate(
                        point: fingerprint.point, floor: fingerprint.floor, room: fingerprint.room,
                        weight: weighting.weight(Double(neighbour.distance))))
            }
            let overlap = map.readings(of: Int(nearest.fingerprint)).count { position in
                scratch.strengths[Int(map.readingTransmitter[position])] > 0
            }
            return SnapshotGuess(
                scratch.candidates, &scratch.floorWeights, floors: map.floors.count,
                overlap: overlap)
        }
    }
}
