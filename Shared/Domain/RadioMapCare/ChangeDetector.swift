public import Events
import Geometry
import Positioning
public import Site

/// Finds transmitters that have vanished or moved between surveys, so that newer surveys outvote
/// older ones.
///
/// Surveys are cut into sessions, and each session is compared with what the sessions before it say
/// of each transmitter, cell by cell of some metres. What a telephone hears too strong or too weak
/// altogether, and a session in which everything is different, say nothing of single transmitters.
public enum ChangeDetector {
    /// A longer time without any survey begins another session.
    static let sessionGapSeconds: Int64 = 3 * 3_600
    public static let cellMetres = 4.0
    /// A session whose cells differ in a larger share than this shows no single change: its places
    /// or its telephone are not what they are said to be.
    static let largestUsualShare = 0.4

    /// By transmitter, the last change of each that has changed. The order of surveys does not
    /// matter.
    public static func changes(
        in surveys: some Sequence<SurveyRecorded>, site: SiteIndex
    ) -> [TransmitterChange] {
        let sessions = sessions(surveys, site)
        guard sessions.count > 1 else { return [] }
        var reference = ChangeReference()
        var changes: [Transmitter: TransmitterChange] = [:]
        for session in sessions {
            let summary = SessionSummary(session, against: reference)
            let verdicts = summary.verdicts(against: reference)
            if usualShare(verdicts) <= largestUsualShare {
                for (transmitter, verdict) in verdicts {
                    guard let kind = verdict.kind else {
                        // One that was thought to have vanished and is heard again is back.
                        if verdict.isHeard, changes[transmitter]?.kind == .vanished {
                            changes[transmitter] = nil
                        }
                        continue
                    }
                    if kind == .vanished, changes[transmitter]?.kind == .vanished { continue }
                    changes[transmitter] = change(
                        transmitter, kind, verdict, in: session, summary, reference)
                    if kind != .vanished { reference.forget(transmitter, session: session.number) }
                }
            }
            reference.add(summary)
        }
        return changes.values.sorted { $0.transmitter < $1.transmitter }
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

    private static func change(
        _ transmitter: Transmitter, _ kind: TransmitterChange.Kind, _ verdict: ChangeVerdict,
        in session: SurveySession, _ summary: SessionSummary, _ reference: ChangeReference
    ) -> TransmitterChange {
        TransmitterChange(
            transmitter: transmitter, kind: kind, since: session.start, cellsLost: verdict.lost,
            cellsGained: verdict.gained, cellsAgreeing: verdict.agreeing,
            before: whereabouts(reference.heard[transmitter]),
            after: kind == .vanished ? nil : whereabouts(summary.heard[transmitter]))
    }

    /// The mean of the strongest cells of the floor of the strongest.
    static func whereabouts(
        _ heard: [SurveyCell: HeardSum]?
    ) -> TransmitterChange.Whereabouts? {
        let sorted = (heard ?? [:]).sorted { ($1.value.mean, $0.key) < ($0.value.mean, $1.key) }
        guard let strongest = sorted.first?.key else { return nil }
        let cells = sorted.lazy.map(\.key).filter { $0.floor == strongest.floor }.prefix(3)
        let count = Double(cells.count)
        return TransmitterChange.Whereabouts(
            floor: strongest.floor,
            point: Point(
                x: cells.reduce(0) { $0 + $1.centre.x } / count,
                y: cells.reduce(0) { $0 + $1.centre.y } / count))
    }

    private static func sessions(
        _ surveys: some Sequence<SurveyRecorded>, _ site: SiteIndex
    ) -> [SurveySession] {
        var known: Set<EventID> = []
        var placed: [PlacedSurvey] = []
        for survey in surveys where known.insert(survey.scan.id).inserted {
            guard let place = try? site.resolve(survey.place) else { continue }
            placed.append(
                PlacedSurvey(
                    id: survey.scan.id, scanner: survey.scan.scanner,
                    cell: SurveyCell(place.point, on: site.floor(place.floor).id),
                    scan: RadioScan(survey.scan)))
        }
        placed.sort { ($0.scan.at, $0.id) < ($1.scan.at, $1.id) }
        var sessions: [SurveySession] = []
        for survey in placed {
            if let last = sessions.last?.surveys.last,
                survey.scan.at - last.scan.at <= sessionGapSeconds * 1_000_000
            {
                sessions[sessions.count - 1].surveys.append(survey)
            } else {
                sessions.append(SurveySession(number: sessions.count, surveys: [survey]))
            }
        }
        return sessions
    }
}
