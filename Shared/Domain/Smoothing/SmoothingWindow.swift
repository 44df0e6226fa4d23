import Events

/// The last positions of one device.
struct SmoothingWindow: Sendable {
    /// In the order of their times and ids.
    private(set) var entries: [SmoothingEntry] = []

    /// The positions that a step has given out, and those whose stored state has changed.
    struct Outcome {
        var given: [PositionEstimated] = []
        var changed: [EventID] = []
    }

    func entry(_ id: EventID) -> SmoothingEntry? { entries.first { $0.position.id == id } }

    /// Adds the entry in its place.
    mutating func insert(_ entry: SmoothingEntry) {
        let order = (entry.order, entry.position.id)
        // Nearly all positions come in the order of their times.
        let place = entries.lastIndex { ($0.order, $0.position.id) < order }
        entries.insert(entry, at: place.map { $0 + 1 } ?? entries.startIndex)
    }

    mutating func remove(_ id: EventID) { entries.removeAll { $0.position.id == id } }

    /// Gives out the positions that wait for nothing any more, and drops those that are no evidence
    /// any more.
    ///
    /// - Parameter moment: the log's time.
    mutating func settle(at moment: Timestamp, by rules: SmoothingRules) -> Outcome {
        let excess = entries.count - rules.positions
        let newest = entries.last?.order ?? moment
        var outcome = giveOut(by: rules.smoother) { index, entry in
            index < excess || newest - entry.order >= rules.smoother.lagMicroseconds
                || entry.due(rules) <= moment
        }
        let oldest = entries.first { !$0.isGivenOut }?.order ?? newest
        let first = min(oldest, newest)
            .advanced(byMicroseconds: -rules.smoother.lagMicroseconds)
        var index = 0
        entries.removeAll { entry in
            defer { index += 1 }
            guard entry.isGivenOut,
                index < excess || entry.order < first || entry.end(rules) <= moment
            else { return false }
            outcome.changed.append(entry.position.id)
            return true
        }
        return outcome
    }

    /// Gives out all that waits, and forgets everything.
    mutating func close(by rules: SmoothingRules) -> Outcome {
        var outcome = giveOut(by: rules.smoother) { _, _ in true }
        outcome.changed = entries.map(\.position.id)
        entries = []
        return outcome
    }

    private mutating func giveOut(
        by smoother: PositionSmoother, where isDue: (Int, SmoothingEntry) -> Bool
    ) -> Outcome {
        var outcome = Outcome()
        for index in entries.indices where !entries[index].isGivenOut {
            guard isDue(index, entries[index]) else { continue }
            let position = entries[index].position
            outcome.given.append(
                smoother.smoothed(position, among: entries.lazy.map(\.position)))
            outcome.changed.append(position.id)
            entries[index].isGivenOut = true
        }
        return outcome
    }

    /// The log's time at which `settle` does something though nothing comes; nil for an empty
    /// window.
    func nextWork(_ rules: SmoothingRules) -> Timestamp? {
        entries.map { $0.isGivenOut ? $0.end(rules) : $0.due(rules) }.min()
    }
}
