/// The figures of tracks in several buildings, and the bars that they have to reach.
struct DrawnTracks {
    private(set) var rest: [SimulatedTracks.Figures] = []
    private(set) var walkers: [SimulatedTracks.Figures] = []

    mutating func add(rest: SimulatedTracks.Figures, walkers: SimulatedTracks.Figures) {
        self.rest.append(rest)
        self.walkers.append(walkers)
    }

    /// The bars, in plain words, that the figures do not reach.
    ///
    /// At rest there is at most half a room change per device and hour in the mean of the
    /// buildings, and one in the worst. From the second scan in a room on, walkers' rooms are right
    /// for 0.94 of the scans in the mean. In the worst building it is 0.9. Their floors are right
    /// for 0.995 in the mean. A new room is published within 6 s in the median of all changes, and
    /// 12 s at their 95 % quantile.
    var missedBars: [String] {
        let changes = rest.map(\.changesPerHour)
        let rooms = walkers.map(\.roomShare)
        let floors = walkers.map(\.floorShare)
        let delays = walkers.map(\.delays).reduce(RoomDelays(), +)
        let median = delays.seconds(share: 0.5) ?? .infinity
        let late = delays.seconds(share: 0.95) ?? .infinity
        let bars: [(isMissed: Bool, text: String)] = [
            (!(mean(changes) <= 0.5), "room changes at rest: mean \(mean(changes)) an hour"),
            (changes.contains { !($0 <= 1) }, "room changes at rest: \(changes) an hour"),
            (!(mean(rooms) >= 0.94), "right rooms: mean \(mean(rooms))"),
            (rooms.contains { !($0 >= 0.9) }, "right rooms: \(rooms)"),
            (!(mean(floors) >= 0.995), "right floors: mean \(mean(floors))"),
            (!(median <= 6), "delay of a new room: median \(median) s"),
            (!(late <= 12), "delay of a new room: p95 \(late) s"),
        ]
        return bars.filter(\.isMissed).map(\.text)
    }

    private func mean(_ values: [Double]) -> Double {
        values.reduce(0, +) / Double(values.count)
    }
}
