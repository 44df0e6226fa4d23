import Positioning

/// The changes that the sessions of surveys so far show.
struct ChangeHistory {
    private(set) var reference = ChangeReference()
    /// The last change of each transmitter that has changed.
    private(set) var changes: [Transmitter: TransmitterChange] = [:]
    /// Transmitters that no session before had heard, where it had listened.
    private(set) var appeared: [Transmitter: TransmitterChange] = [:]
    /// The number of the next session.
    private(set) var nextNumber = 0

    /// Adds the next session.
    mutating func add(_ session: SurveySession) {
        let summary = SessionSummary(session, against: reference)
        let verdicts = summary.verdicts(against: reference)
        if Self.usualShare(verdicts) <= ChangeDetector.largestUsualShare {
            for (transmitter, verdict) in verdicts {
                guard let kind = verdict.kind else {
                    // A transmitter that had vanished and is received again is back.
                    if verdict.isHeard, changes[transmitter]?.kind == .vanished {
                        changes[transmitter] = nil
                    }
                    continue
                }
                if kind == .vanished, changes[transmitter]?.kind == .vanished { continue }
                changes[transmitter] = change(transmitter, kind, verdict, in: session, summary)
                if kind != .vanished { reference.forget(transmitter, session: session.number) }
            }
            for (transmitter, verdict) in summary.appearances(against: reference) {
                appeared[transmitter] = change(
                    transmitter, .appeared, verdict, in: session, summary)
            }
        }
        reference.add(summary)
        nextNumber = session.number + 1
    }

    /// The changes that a session shows, which is not added.
    func changes(in session: SurveySession) -> [TransmitterChange] {
        let summary = SessionSummary(session, against: reference)
        let verdicts = summary.verdicts(against: reference)
        guard Self.usualShare(verdicts) <= ChangeDetector.largestUsualShare else { return [] }
        let found = verdicts.compactMap { transmitter, verdict in
            verdict.kind.map { change(transmitter, $0, verdict, in: session, summary) }
        }
        let appeared = summary.appearances(against: reference).map { transmitter, verdict in
            change(transmitter, .appeared, verdict, in: session, summary)
        }
        return (found + appeared).sorted { $0.transmitter < $1.transmitter }
    }

    private static func usualShare(_ verdicts: [Transmitter: ChangeVerdict]) -> Double {
        var different = 0
        var all = 0
        for verdict in verdicts.values {
            different += verdict.lost + verdict.gained
            all += verdict.lost + verdict.gained + verdict.agreeing
        }
        return all == 0 ? 0 : Double(different) / Double(all)
    }

    private func change(
        _ transmitter: Transmitter, _ kind: TransmitterChange.Kind, _ verdict: ChangeVerdict,
        in session: SurveySession, _ summary: SessionSummary
    ) -> TransmitterChange {
        TransmitterChange(
            transmitter: transmitter, kind: kind, since: session.start, cellsLost: verdict.lost,
            cellsGained: verdict.gained, cellsAgreeing: verdict.agreeing,
            before: ChangeDetector.whereabouts(reference.heard[transmitter]),
            after: kind == .vanished
                ? nil : ChangeDetector.whereabouts(summary.heard[transmitter]))
    }
}
