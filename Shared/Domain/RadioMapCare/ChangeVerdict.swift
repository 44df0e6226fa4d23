import Events

/// What a session says of one transmitter, counted in cells.
struct ChangeVerdict {
    /// dB: more is a difference, less is a door, a body or a crowd.
    static let difference = 15.0
    /// dBm: in a cell where it was never heard before, one that is so strong is new there.
    static let surprisingLevel = -75.0
    /// Scans of a cell before which it takes to say that it was not heard there.
    static let fewestScansBefore = 3
    static let vanishedCells = 3
    static let vanishedScans = 10
    /// Telephones that have never heard a transmitter count only together.
    static let fewestStrangers = 2
    static let movedCells = 2
    /// Metres; less is how far the middle of the strongest cells wanders by itself.
    static let movedMetres = 8.0
    /// The share of cells that differ, of one that moved, and of one whose strength has changed.
    static let movedShare = 0.6
    static let changedCells = 5
    static let changedShare = 0.8

    var isHeard = false
    private(set) var lost = 0
    private(set) var gained = 0
    private(set) var agreeing = 0
    private var missedCells = 0
    private var missedScans = 0
    /// Scanners that have never heard the transmitter, which may be deaf to its band.
    private var strangers: Set<ScannerID> = []
    private var cellsMissedByStrangers = 0
    private var scansMissedByStrangers = 0
    /// Metres; infinite to another floor.
    var moved = 0.0

    /// It was heard in a cell before and now; dBm.
    mutating func compare(_ before: Double, _ now: Double) {
        // Two weak ones agree by chance.
        guard max(before, now) >= ChangeReference.strongLevel else { return }
        if now - before <= -Self.difference {
            lost += 1
        } else if now - before >= Self.difference {
            gained += 1
        } else {
            agreeing += 1
        }
    }

    /// It was strong in a cell before and is not heard in so many scans of each scanner now.
    ///
    /// - Parameter able: scanners that have heard it somewhere.
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

    /// It is heard now in a cell where so many scans before did not hear it.
    mutating func find(_ now: Double, scansBefore: Int) {
        if scansBefore >= Self.fewestScansBefore, now >= Self.surprisingLevel { gained += 1 }
    }

    var kind: TransmitterChange.Kind? {
        if !isHeard {
            // What one stranger misses may be a whole band; that two are deaf alike is less likely.
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
