import Events

/// The comparison of one transmitter in a session with earlier sessions, counted in cells.
struct ChangeVerdict {
    /// dB; smaller differences may come from a door, a body or a crowd.
    static let difference = 15.0
    /// dBm; a transmitter this strong is new in a cell where it was never received before.
    static let surprisingLevel = -75.0
    /// The number of earlier scans of a cell from which on it counts that they missed the
    /// transmitter.
    static let fewestScansBefore = 3
    static let vanishedCells = 3
    static let vanishedScans = 10
    /// Scanners that never received a transmitter count only if there are at least this many.
    static let fewestStrangers = 2
    static let movedCells = 2
    static let appearedCells = 2
    /// The smallest move in metres. The middle of the strongest cells varies by less than that
    /// without any move.
    static let movedMetres = 8.0
    /// The smallest share of different cells, for a moved transmitter and for one whose strength
    /// has changed.
    static let movedShare = 0.6
    static let changedCells = 5
    static let changedShare = 0.8

    var isHeard = false
    private(set) var lost = 0
    private(set) var gained = 0
    private(set) var agreeing = 0
    private var missedCells = 0
    private var missedScans = 0
    /// Scanners that never received the transmitter, perhaps because they lack its band.
    private var strangers: Set<ScannerID> = []
    private var cellsMissedByStrangers = 0
    private var scansMissedByStrangers = 0
    /// The distance of the move in metres; infinite if the floor changed.
    var moved = 0.0

    /// Counts a cell where the transmitter was received before and now; levels in dBm.
    mutating func compare(_ before: Double, _ now: Double) {
        // Two weak levels agree by chance.
        guard max(before, now) >= ChangeReference.strongLevel else { return }
        if now - before <= -Self.difference {
            lost += 1
        } else if now - before >= Self.difference {
            gained += 1
        } else {
            agreeing += 1
        }
    }

    /// Counts a cell where the transmitter was strong before and is missing now.
    ///
    /// - Parameters:
    ///   - scans: each scanner's number of scans in the cell now.
    ///   - able: the scanners that have received the transmitter somewhere.
    mutating func miss(scans: [ScannerID: Int], able: Set<ScannerID>) {
        let known = scans.reduce(0) { $0 + (able.contains($1.key) ? $1.value : 0) }
        if known > 0 {
            lost += 1
            missedCells += 1
            missedScans += known
        } else if !scans.isEmpty {
            strangers.formUnion(scans.keys)
            cellsMissedByStrangers += 1
            scansMissedByStrangers += scans.values.reduce(0, +)
        }
    }

    /// Counts a cell where the transmitter is received now, but was not in this many scans before.
    mutating func find(_ now: Double, scansBefore: Int) {
        if scansBefore >= Self.fewestScansBefore, now >= Self.surprisingLevel { gained += 1 }
    }

    var kind: TransmitterChange.Kind? {
        if !isHeard {
            // One scanner may lack the transmitter's band; two that both lack it are less likely.
            let counts = strangers.count >= Self.fewestStrangers
            let cells = missedCells + (counts ? cellsMissedByStrangers : 0)
            let scans = missedScans + (counts ? scansMissedByStrangers : 0)
            return cells >= Self.vanishedCells && scans >= Self.vanishedScans ? .vanished : nil
        }
        let different = Double(lost + gained)
        let all = different + Double(agreeing)
        if lost >= Self.movedCells, gained >= Self.movedCells, moved >= Self.movedMetres,
            different >= Self.movedShare * all
        {
            return .moved
        }
        if max(lost, gained) >= Self.changedCells, different >= Self.changedShare * all {
            return .strengthChanged
        }
        return nil
    }
}
