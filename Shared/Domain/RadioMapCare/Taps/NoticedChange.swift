import Events
import Positioning
import Site

/// A transmitter that has moved, vanished, appeared or changed its strength, as surveys, taps or
/// the scans of visitors show.
public struct NoticedChange: Hashable, Sendable {
    public enum Source: String, Hashable, Sendable, CaseIterable {
        case surveys, taps, visitors
    }

    /// The visitors behind a change. Each device has one voice a day.
    public struct Voices: Hashable, Sendable {
        /// Devices that miss the transmitter where surveys say that it is strong.
        public var lost = 0
        /// Devices that receive it there.
        public var there = 0
        /// Devices in whose scans it is strong where surveys say that it is not.
        public var found = 0
        /// Devices at the same places that do not receive it at all.
        public var silent = 0
    }

    /// The most changes of a building.
    public static let most = 500
    /// Fewer people say too little about a building.
    static let fewestAuthors = 3
    /// In a cell with fewer, one person alone would be believed.
    static let fewestAuthorsOfCell = 2

    public var change: TransmitterChange
    public var source: Source
    /// Nil where the source is another one than visitors.
    public var voices: Voices?

    /// The changes between the sessions of surveys, and those from all surveys to the taps.
    static func all(
        _ taps: [CountedTap], surveys: [SurveyRecorded], site: SiteIndex
    ) -> [NoticedChange] {
        let history = ChangeDetector.history(of: surveys, site: site)
        // One that has moved after it had appeared is told once.
        let known = history.appeared.merging(history.changes) { $1 }
        let session = session(of: taps, number: history.nextNumber, site)
        let fresh = session.map { history.changes(in: $0) } ?? []
        let changes =
            known.values.map { NoticedChange(change: $0, source: .surveys) }
            + fresh.filter { known[$0.transmitter]?.kind != $0.kind }
            .map { NoticedChange(change: $0, source: .taps) }
        let sorted = changes.sorted {
            ($1.change.since, $0.change.transmitter, $0.source.rawValue)
                < ($0.change.since, $1.change.transmitter, $1.source.rawValue)
        }
        return Array(sorted.prefix(most))
    }

    /// All taps as one session, of each author the newest in a cell. Nil where too few people
    /// tapped.
    private static func session(
        of taps: [CountedTap], number: Int, _ site: SiteIndex
    ) -> SurveySession? {
        var newest: [SurveyCell: [String: CountedTap]] = [:]
        for tap in taps { newest[tap.cell, default: [:]][tap.tap.author] = tap }
        let counted = newest.values.filter { $0.count >= fewestAuthorsOfCell }.flatMap(\.values)
        guard Set(counted.map(\.tap.author)).count >= fewestAuthors else { return nil }
        let surveys = counted.map { tap in
            PlacedSurvey(
                id: tap.tap.scan.id, scanner: tap.tap.scan.scanner, cell: tap.cell,
                scan: RadioScan(tap.tap.scan))
        }.sorted { ($0.scan.at, $0.id) < ($1.scan.at, $1.id) }
        return SurveySession(number: number, surveys: surveys)
    }
}
