public import Site

/// The positioner of "Indoor Wi-Fi navigation with augmented reality for Bush House" (2018),
/// sections 4.2.3.1 and 5.2.2.1, unchanged for comparison.
///
/// For each reading it searches the surveys that received the transmitter. The one with the
/// smallest |rssi - surveyed rssi| gives its place one mark, and the place with the most marks is
/// the answer. The report finds "the location that has the minimum difference", as if there were
/// one. But RSSI is a whole number and many differences are equal, so there are two readings of the
/// report:
///
/// - `allTied`: each place with the smallest difference gets a mark, as the description can be
///   understood.
/// - `firstRow`: only the first survey with the smallest difference counts, as in the code (`diff <
///   minDiff`). The database is assumed to return rows in the order of measurement, which is that
///   of survey ids.
///
/// The report iterates over the marks of a dictionary, which has no order. Here, of several places
/// with the most marks, the one that was surveyed first is the answer. The report states no
/// uncertainty, so the radii are those of the self-test, the same everywhere in a map.
public struct BestMatch: Positioner {
    /// The surveys that give a mark for a reading.
    public enum Reading: Hashable, Sendable {
        case allTied
        case firstRow
    }

    public let reading: Reading

    public init(_ reading: Reading) { self.reading = reading }

    public var name: String {
        switch reading {
        case .allTied: "best-match"
        case .firstRow: "best-match-first"
        }
    }

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        PreparedBestMatch(map: map, site: site, reading: reading)
    }
}

/// The best match over one radio map.
struct PreparedBestMatch: PreparedSnapshot {
    private let map: RadioMap
    private let index: BestMatchIndex
    let judge: SnapshotJudge

    init(map: RadioMap, site: SiteIndex, reading: BestMatch.Reading) {
        let index = BestMatchIndex(map, reading: reading)
        var scratch = BestMatchScratch()
        let outcomes = LeaveOutTrials(map: map).outcomes { fingerprint, isLeftOut in
            Self.guess(
                map.scan(of: fingerprint), index, map, scratch: &scratch, isLeftOut: isLeftOut
            )?.outcome(map.fingerprints[fingerprint])
        }
        self.map = map
        self.index = index
        judge = SnapshotJudge(map: map, site: site, outcomes: outcomes)
    }

    func guess(_ scan: RadioScan, scratch: inout BestMatchScratch) -> SnapshotGuess? {
        Self.guess(scan, index, map, scratch: &scratch, isLeftOut: nil)
    }

    private static func guess(
        _ scan: RadioScan, _ index: BestMatchIndex, _ map: RadioMap,
        scratch: inout BestMatchScratch, isLeftOut: ((Int) -> Bool)?
    ) -> SnapshotGuess? {
        scratch.candidates.removeAll(keepingCapacity: true)
        guard let match = index.match(scan, scratch: &scratch, isLeftOut: isLeftOut) else {
            return nil
        }
        let first = map.fingerprints[match.fingerprint]
        scratch.candidates.append(
            Candidate(point: first.point, floor: first.floor, room: first.room, weight: 1))
        return SnapshotGuess(
            scratch.candidates, &scratch.floorWeights, floors: map.floors.count,
            overlap: match.marks)
    }
}
