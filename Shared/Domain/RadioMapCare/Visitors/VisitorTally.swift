import Events

/// The voices of one day about an access point.
struct VisitorTally {
    /// On each day at least this many devices say the same.
    static let fewestVoices = 3
    /// For each device that says the contrary, at least this many say it.
    static let ratio = 3
    /// A place where fewer devices have found an access point is not trusted if others are better.
    static let fewestOfCell = 2

    var voices = NoticedChange.Voices()
    /// Devices that receive it anywhere.
    var received = 0
    var lostCells: Set<Int> = []
    var thereCells: Set<Int> = []
    /// The levels at which devices have found it, without their offsets: of each the strongest.
    var foundCells: [Int: HeardSum] = [:]
    /// The first scan that shows a change.
    var first: Timestamp?

    /// The cells where several devices have found it; where there are none, all.
    var trustedCells: [Int: HeardSum] {
        let trusted = foundCells.filter { $0.value.count >= Self.fewestOfCell }
        return trusted.isEmpty ? foundCells : trusted
    }

    /// Whether enough devices have a voice about its surveyed places.
    var knowsOldPlaces: Bool { voices.lost + voices.there >= Self.fewestVoices }
    /// Whether enough devices have a voice about other places.
    var knowsNewPlaces: Bool { voices.found >= Self.fewestVoices }
    var isEvidence: Bool { knowsOldPlaces || knowsNewPlaces }

    var isLost: Bool {
        voices.lost >= Self.fewestVoices && voices.lost >= Self.ratio * voices.there
    }

    /// Whether most devices miss it. With `isFound`, this is a move: between both places it may be
    /// as strong as before.
    var isLeft: Bool { voices.lost >= Self.fewestVoices && voices.lost > voices.there }

    var isFound: Bool { knowsNewPlaces && voices.found >= Self.ratio * voices.silent }

    static func += (left: inout VisitorTally, right: VisitorTally) {
        left.voices.lost += right.voices.lost
        left.voices.there += right.voices.there
        left.voices.found += right.voices.found
        left.voices.silent += right.voices.silent
        left.received += right.received
        left.lostCells.formUnion(right.lostCells)
        left.thereCells.formUnion(right.thereCells)
        for (cell, sum) in right.foundCells {
            left.foundCells[cell, default: HeardSum()] += sum
        }
        if let first = right.first { left.first = min(left.first ?? first, first) }
    }
}
