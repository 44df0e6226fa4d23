import Events

/// The word of one device on one day about one access point.
struct VisitorVote {
    private var there: Int32 = 0
    private var missed: Int32 = 0
    private var found: Int32 = 0
    /// The cells of the last scan of each answer; for found ones, of the strongest.
    private var thereCell: Int32 = 0
    private var missedCell: Int32 = 0
    private var foundCell: Int32 = 0
    private var level = Int16.min
    private(set) var isReceived = false
    /// The first scan that shows a change.
    private var first: Timestamp?

    /// The scans in which the access point is missing where it is expected, and all such places.
    var comparisons: (missed: Int, all: Int) { (Int(missed), Int(missed + there)) }

    mutating func add(_ word: VisitorScan.Word?, isReceived: Bool, at time: Timestamp) {
        self.isReceived = self.isReceived || isReceived
        guard let word else { return }
        let cell = Int32(word.cell)
        switch word.answer {
        case .there:
            (there, thereCell) = (there + 1, cell)
            return
        case .missed:
            (missed, missedCell) = (missed + 1, cell)
        case .found:
            found += 1
            let level = Int16(clamping: word.level ?? Int(Int16.min))
            if level > self.level { (self.level, foundCell) = (level, cell) }
        }
        first = min(first ?? time, time)
    }

    /// Adds the device's voice. If it says both, the majority of its scans counts.
    ///
    /// - Parameter isDeaf: whether the device says nothing of what it misses.
    func count(in tally: inout VisitorTally, isDeaf: Bool) {
        if isReceived { tally.received += 1 }
        if missed > there {
            if !isDeaf {
                tally.voices.lost += 1
                tally.lostCells.insert(Int(missedCell))
            }
        } else if there > 0 {
            tally.voices.there += 1
            tally.thereCells.insert(Int(thereCell))
        }
        if found > there {
            tally.voices.found += 1
            tally.foundCells[Int(foundCell), default: HeardSum()].add(Double(level))
        }
        if let first { tally.first = min(tally.first ?? first, first) }
    }
}
