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
/// The first taps after a pause count at once, later ones after it, since each look compares all.
struct TapKeeper: Sendable {
    private static let longWork = LongWork("taps")
    /// The time between two looks at the same site.
    static let pause = Duration.seconds(600)
    private static let tick = Duration.seconds(1)
    /// The most places of a site that the coach can name.
    private static let mostPlaces = 500
    /// The time between two sweeps of old rows, in ticks.
    private static let ticksOfSweep = 3_600

    let sites: SiteDirectory
    let log: any EventLog
    let clock: EventClock
    let notices: Notices
    let pool: PostgresPool
    let maps: RadioMapStore
    let view: SurveysView
    /// How long the log keeps taps.
    let daysKept: Int64

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

    /// Looks at the taps of each site where they, or its map, have changed.
    func findWhatIsDue(pause: Duration = TapKeeper.pause) async throws {
        for due in try await store.due(pause: pause) {
            guard let published = sites[due.site] else {
                if sites.isRemoved(due.site) { try await store.remove(due.site) }
                continue
            }
            guard let hash = due.hash, let map = try await maps.map(hash) else {
                try await store.keep(due, places: [], changes: "[]")
                continue
            }
            try await find(due, map, published)
        }
    }

    /// Compares building by building, so that only one building's surveys are in memory.
    private func find(_ due: TapStore.Due, _ map: RadioMap, _ published: PublishedSite) async throws
    {
        let site = published.index
        let taps = try await store.taps(of: due.site)
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
                    taps: taps.map { tap in
                        let kept = surveys.filter.kept(
                            SurveyRecorded(scan: tap.scan, place: tap.place))
                        return TapRecorded(scan: kept.scan, place: tap.place, author: tap.author)
                    }, surveys: surveys.counted, judge: judge, site: site)
            }
            guard let found else { return }
            findings.append(found)
        }
        let places = findings.flatMap(\.places).sorted { $0.authors > $1.authors }
        let changes = findings.flatMap(\.changes).prefix(NoticedChange.most).map(\.json)
        try await store.keep(
            due, places: places.prefix(Self.mostPlaces).map { ($0.floor, $0.json(at: site)) },
            changes: "[" + changes.joined(separator: ",") + "]")
    }

    /// The surveys that a map is built of, and the filter by the site's rules.
    private func surveys(
        at grounds: [SurveyGround], of site: SiteID, _ index: SiteIndex
    ) async throws -> (counted: [SurveyRecorded], filter: AccessPointFilter) {
        let read = try await GroundSurveys.read(site, at: grounds, in: view.schema, pool)
        let discarded = DiscardedSurveys(index.document, frame: index.frame)
        let counted = read.all.filter {
            !discarded.contains($0) && !read.leftOut.contains($0.scan.id)
        }
        let filter = AccessPointFilter(index.document.accessPoints, surveys: counted)
        return (counted.map { filter.kept($0) }, filter)
    }
}
