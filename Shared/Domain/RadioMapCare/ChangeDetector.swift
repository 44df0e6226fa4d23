public import Events
import Geometry
import Positioning
public import Site

/// Finds transmitters that have vanished or moved between surveys, so that newer surveys replace
/// older readings.
///
/// Surveys are divided into sessions. Each session is compared with the earlier ones, transmitter
/// by transmitter, in cells of some metres. If a telephone receives everything too strong or too
/// weak, or everything in a session differs, no single transmitter has changed.
public enum ChangeDetector {
    /// A longer time without any survey starts another session.
    static let sessionGapSeconds: Int64 = 3 * 3_600
    public static let cellMetres = 4.0
    /// A session that differs in a larger share of its cells shows no single change. Its places or
    /// its telephone are probably stated wrongly.
    static let largestUsualShare = 0.4

    /// The last change of each transmitter that has changed. The order of surveys does not matter.
    public static func changes(
        in surveys: some Sequence<SurveyRecorded>, site: SiteIndex
    ) -> [TransmitterChange] {
        findings(in: surveys, site: site).changes
    }

    /// The changes, and the transmitters that have appeared since the first surveys of a place. The
    /// latter do not outdate any reading.
    public static func findings(
        in surveys: some Sequence<SurveyRecorded>, site: SiteIndex
    ) -> (changes: [TransmitterChange], appeared: [TransmitterChange]) {
        let history = history(of: surveys, site: site)
        let changes = history.changes.values.sorted { $0.transmitter < $1.transmitter }
        let appeared = history.appeared.values.filter { history.changes[$0.transmitter] == nil }
        return (changes, appeared.sorted { $0.transmitter < $1.transmitter })
    }

    /// The surveys' sessions, each compared with those before it.
    static func history(
        of surveys: some Sequence<SurveyRecorded>, site: SiteIndex
    ) -> ChangeHistory {
        var history = ChangeHistory()
        for session in sessions(surveys, site) { history.add(session) }
        return history
    }

    /// The mean of the strongest cells, on the floor of the strongest one.
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

    static func sessions(
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
