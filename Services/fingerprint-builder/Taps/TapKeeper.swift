import EventLog
import Events
import LogViews
import Positioning
import Postgres
import RadioMapCare
import Retrying
import ServiceHost
import Site
import Threads
import Wire

/// Finds the places where taps disagree with a site's surveys, and the transmitters that have
/// changed. It also drops taps that are past the retention.
///
/// The first taps after a pause count within a minute, later ones after it, since each look
/// compares all.
struct TapKeeper: Sendable {
    private static let longWork = LongWork("taps")
    /// The time between two looks at the same site.
    static let pause = Duration.seconds(600)
    /// Each look counts the taps of all sites, which may be millions of rows.
    private static let tick = Duration.seconds(60)
    /// The most places of a site that the coach can name.
    private static let mostPlaces = 500
    /// The time between two sweeps of old rows, in ticks.
    private static let ticksOfSweep = 60

    let sites: SiteDirectory
    let log: any EventLog
    let clock: EventClock
    let notices: Notices
    let pool: PostgresPool
    let maps: RadioMapStore
    let view: SurveysView
    /// How long the log keeps taps.
    let daysKept: Int64
    /// A log that lost its sites would seem to have removed them.
    let guarding: OutboxGuard
    private let unknown = UnknownSites()

    private var store: TapStore { TapStore(pool: pool) }

    func run() async {
        await attemptUntilDone("Comparing taps with surveys", notices: notices) { retry in
            var ticks = 0
            while !Task.isCancelled {
                if try await store.hasTables() {
                    if ticks % Self.ticksOfSweep == 0 {
                        try await store.sweep(keeping: daysKept, now: clock.now)
                    }
                    try await findWhatIsDue()
                    ticks += 1
                }
                retry.ended()
                try? await Task.sleep(for: Self.tick)
            }
        }
    }

    /// Looks at the taps of each site where they, or its map, have changed. A failure with one site
    /// does not delay the others; that site has its turn again after the pause.
    func findWhatIsDue(pause: Duration = TapKeeper.pause) async throws {
        for due in try await store.due(pause: pause) {
            do {
                try await find(due)
            } catch {
                if Task.isCancelled { throw error }
                try await store.putOff(due.site)
                notices.onUnexpected(
                    "The taps of \(due.site) can't be compared with its surveys: \(error)")
            }
        }
    }

    private func find(_ due: TapStore.Due) async throws {
        guard let published = sites[whole: due.site] else {
            // The taps of a removed site stay until their retention.
            if isGone(due.site), due.hasFindings { try await store.remove(due.site) }
            return
        }
        let taps = try await store.taps(of: due.site)
        guard !taps.isEmpty, let hash = due.hash, let map = try await maps.map(hash) else {
            try await store.keep(due, places: [], changes: "[]")
            return
        }
        try await find(due, taps, map, published)
    }

    /// Whether the site was removed, which its tombstone says for a day, or is unknown for long.
    private func isGone(_ site: SiteID) -> Bool {
        guard guarding.fits else {
            unknown.forget()
            return false
        }
        return unknown.isGone(site, from: sites, at: clock.now)
    }

    /// Compares building by building, so that only one building's surveys are in memory.
    private func find(
        _ due: TapStore.Due, _ taps: [TapRecorded], _ map: RadioMap, _ published: PublishedSite
    ) async throws {
        let site = published.index
        let byBuilding = Dictionary(grouping: taps) { site.building(of: $0.place.ground) }
        let overview = try await SurveyOverview.read(due.site, in: view.schema, log, pool)
        let inputs = PartInputs.all(overview, site).buildings
        var findings: [TapFindings] = []
        guard let judge = await Self.longWork.run({ SurveyJudge(map, site: site) }) else { return }
        for (building, taps) in byBuilding.sorted(by: { $0.key?.text ?? "" < $1.key?.text ?? "" }) {
            guard let building else { continue }
            let surveys = try await surveys(at: inputs[building]?.grounds ?? [], of: due.site, site)
            let found = await Self.longWork.run {
                TapFindings(
                    taps: taps.map { Self.comparable($0, site, surveys.filter) },
                    surveys: surveys.counted, judge: judge, site: site)
            }
            guard let found else { return }
            findings.append(found)
        }
        let places = findings.flatMap(\.places).sorted { $0.voices > $1.voices }
        let changes = findings.flatMap(\.changes).prefix(NoticedChange.most).map(\.json)
        try await store.keep(
            due, places: places.prefix(Self.mostPlaces).map { ($0.floor, $0.json(at: site)) },
            changes: "[" + changes.joined(separator: ",") + "]")
    }

    /// The tap with those readings that surveys have, too.
    private static func comparable(
        _ tap: TapRecorded, _ site: SiteIndex, _ filter: AccessPointFilter
    ) -> TapRecorded {
        var scan = tap.scan
        site.beacons.removeBatteries(from: &scan)
        let kept = filter.kept(SurveyRecorded(scan: scan, place: tap.place))
        return TapRecorded(scan: kept.scan, place: tap.place, author: tap.author)
    }

    /// The surveys that a map is built of, and the filter by the site's rules.
    private func surveys(
        at grounds: [SurveyGround], of site: SiteID, _ index: SiteIndex
    ) async throws -> (counted: [SurveyRecorded], filter: AccessPointFilter) {
        let read = try await GroundSurveys.read(
            site, at: grounds, beacons: index.beacons, in: view.schema, pool)
        let discarded = DiscardedSurveys(index.document, frame: index.frame)
        let counted = read.all.filter {
            !discarded.contains($0) && !read.leftOut.contains($0.scan.id)
        }
        let filter = AccessPointFilter(index.document.accessPoints, surveys: counted)
        return (counted.map { filter.kept($0) }, filter)
    }
}
