import Cryptography
import EventLog
import Events
import LogViews
import Positioning
import Postgres
import RadioMapCare
import Retrying
import ServiceHost
import ServiceRuntime
import Site
import Wire

/// Builds a site's radio map when its surveys or the site have changed and no more surveys come.
///
/// Several builders may run: the first to store a version wins, and equal surveys give equal bytes.
struct MapBuilder: Sendable {
    /// The `source` of the events (CloudEvents).
    static let source = "/fingerprint-builder"

    let sites: SiteDirectory
    let log: any EventLog
    let clock: EventClock
    let notices: Notices
    let pool: PostgresPool
    let store: RadioMapStore
    let view: SurveysView
    let quiet: Duration
    let latest: Duration
    /// Nothing is built while the tables and the log don't fit. A log that lost its sites would
    /// seem to have removed them. And a map would get the number of one that is on the log.
    let guarding: OutboxGuard
    /// Counts what makes maps due: rows of the view, changes of sites, and maps.
    var changes = ChangeCounter()
    private let tooLarge = RefusedMaps()
    let unknown = UnknownSites()

    /// How many surveys and reviews a site has, and when they last changed.
    private struct Survey: Sendable {
        var site: SiteID
        var surveys: Int
        var reviews: Int
        var isQuiet: Bool
    }

    func run() async {
        await attemptUntilDone("Building radio maps", notices: notices) { retry in
            while !Task.isCancelled {
                let count = changes.count
                let isSettled = try await buildWhatIsDue()
                retry.ended()
                try? await Task.sleep(for: .milliseconds(250))
                if isSettled { await changes.rest(since: count) }
            }
        }
    }

    /// Builds all maps that are due, and empties those of removed sites. A failure with one site
    /// does not delay the others; it is thrown at the end.
    ///
    /// - Returns: whether only a change makes another map due. Otherwise time alone may.
    @discardableResult
    func buildWhatIsDue() async throws -> Bool {
        guard guarding.fits else {
            unknown.forget()
            return false
        }
        guard let surveyed = try await surveys() else { return false }
        var failure: (any Error)?
        var isSettled = surveyed.allSatisfy(\.isQuiet)
        for survey in surveyed + unsurveyed(but: Set(surveyed.map(\.site))) where survey.isQuiet {
            // A testers' site borrows its map, even if surveys got in under an older version.
            guard let published = sites[whole: survey.site],
                published.index.document.borrows == nil
            else { continue }
            do {
                if try await !buildIfDue(survey, published) { isSettled = false }
            } catch {
                failure = failure ?? error
            }
        }
        do { try await emptyWhatIsRemoved() } catch { failure = failure ?? error }
        if let failure { throw failure }
        return isSettled
    }

    /// - Returns: false if the map waits for the view to read all surveys.
    private func buildIfDue(_ survey: Survey, _ published: PublishedSite) async throws -> Bool {
        let newest = try await store.newest(survey.site)
        // A view that is being made anew has no surveys yet, so the map must not be emptied.
        if survey.surveys == 0, newest?.surveys ?? 0 > 0, try await !hasReadAll() { return false }
        // A site without anything to locate by needs no map; an erasure there counts as a review.
        if newest == nil, survey.surveys == 0,
            published.index.document.accessPointPlaces.isEmpty
        {
            return true
        }
        if tooLarge.isRefused(survey.site, survey.surveys + survey.reviews) { return true }
        if let newest, newest.surveys == survey.surveys, newest.reviews == survey.reviews,
            newest.siteVersion == published.version
        {
            return true
        }
        try await build(survey, published, after: newest)
        changes.add()
        // The surveys of a large building were in memory.
        ProcessMemory.giveBackFreed()
        return true
    }

    /// Sites without surveys whose publication places access points. Their radio maps have no
    /// fingerprints, but their devices can be located.
    private func unsurveyed(but surveyed: Set<SiteID>) -> [Survey] {
        sites.all.filter {
            !surveyed.contains($0.key) && $0.value.index.document.borrows == nil
                && !$0.value.index.document.accessPointPlaces.isEmpty
        }.map { Survey(site: $0.key, surveys: 0, reviews: 0, isQuiet: true) }
    }

    /// Nil until the view has made its tables.
    private func surveys() async throws -> [Survey]? {
        let exists = try await pool.query(
            "SELECT to_regclass($1) IS NOT NULL AS there", [.text("\(view.schema).sites")])
        guard let row = exists.first, try row["there"] else { return nil }
        // The database's clock gives the age, because it also wrote changed_at.
        return try await pool.query(
            """
            SELECT sites.site, sites.surveys, sites.reviews,
                (clock_timestamp() - sites.changed_at > make_interval(secs => $1)
                OR clock_timestamp() - max(maps.built_at)
                    > make_interval(secs => $2)) IS TRUE AS quiet
            FROM \(view.schema).sites AS sites
            LEFT JOIN radio_maps.radio_maps AS maps ON maps.site = sites.site
            GROUP BY sites.site, sites.surveys, sites.reviews, sites.changed_at
            """, [.double(quiet / .seconds(1)), .double(latest / .seconds(1))]
        ).map { row in
            Survey(
                site: SiteID(try row["site"]), surveys: try row["surveys"],
                reviews: try row["reviews"],
                isQuiet: try row["quiet"])
        }
    }

    /// Whether the view has all surveys that the log holds.
    private func hasReadAll() async throws -> Bool {
        let read = try await pool.positions(of: view)
        let copied = try await log.lastCommitted(
            group: SurveyCopying.group, topics: [Topic.surveys.name])
        var left: [TopicPartition: Range<Int64>] = [:]
        let topics = [Topic.surveys.name, Topic.surveyRecords.name]
        for (place, range) in try await log.ranges(of: topics) {
            let next = max(range.lowerBound, read[place] ?? copied[place] ?? range.lowerBound)
            if next < range.upperBound { left[place] = next..<range.upperBound }
        }
        // The end may be beyond the last record, since commits have offsets too.
        struct Unread: Error {}
        do {
            try await log.readRange(left, batchLimit: 1) { if !$0.isEmpty { throw Unread() } }
        } catch is Unread { return false }
        return true
    }

    private func build(
        _ due: Survey, _ published: PublishedSite, after newest: RadioMapStore.Version?
    ) async throws {
        let site = due.site
        let overview = try await SurveyOverview.read(site, in: view.schema, log, pool)
        let inputs = PartInputs.all(overview, published.index)
        var building = try await PartBuilding(
            site, published, after: newest, store, schema: view.schema, now: clock.now)
        try await building.build(inputs.buildings)
        let judged = building.judged.union(overview.fresh).sorted()
        if let newest, newest.siteVersion == published.version, judged.isEmpty,
            building.isUnchanged
        {
            try await store.confirm(
                newest, of: site, surveys: overview.surveys, reviews: overview.reviews)
            return
        }
        let map = RadioMap(joining: building.parts.map(\.part))
        let artifact = RadioMapArtifact.encode(map)
        if let excess = MapLimits.excess(of: map, bytes: artifact.count) {
            tooLarge.note(site, due.surveys + due.reviews) {
                notices.onUnexpected(
                    "The radio map of \(site) would have \(excess); the one before stays. Withdraw "
                        + "surveys, or clear rooms that nobody needs.")
            }
            return
        }
        let announcement = RadioMapAnnounced(
            site: site, version: (newest?.version ?? 0) + 1, hash: sha256Hex(artifact),
            byteCount: artifact.count, siteVersion: published.version,
            surveyOffsets: overview.offsets, builderVersion: RadioMapBuilder.version,
            builtAt: clock.now, fingerprints: map.fingerprints.count,
            accessPoints: map.transmitters.count, parts: building.parts.map(\.announced))
        var publication = MapPublication(
            announcement: announcement, parts: building.parts, surveys: overview.surveys,
            reviews: overview.reviews, groups: VirtualAccessPoints.groups(in: map))
        if !judged.isEmpty {
            publication.judgement = SurveyJudgement(
                judged: SurveysJudged(
                    site: site, surveys: judged, radioMapVersion: newest?.version, at: clock.now),
                keptAside: building.keptAside)
        }
        let isNew = try await store.publish(publication, source: Self.source)
        let rejections = inputs.unplaced + building.rejections
        if isNew, rejections > 0 {
            notices.onUnexpected(
                "\(rejections) survey(s) of \(site) lie at places that the site does not have; the "
                    + "radio map leaves them out.")
        }
    }
}
