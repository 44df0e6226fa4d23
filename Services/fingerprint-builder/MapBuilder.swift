import Cryptography
import EventLog
import Events
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
    private let tooLarge = RefusedMaps()

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
                try await buildWhatIsDue()
                retry.ended()
                try? await Task.sleep(for: .milliseconds(250))
            }
        }
    }

    /// Builds all maps that are due. A failure with one site does not delay the others; it is
    /// thrown at the end.
    private func buildWhatIsDue() async throws {
        let surveyed = try await surveys()
        var failure: (any Error)?
        for survey in surveyed + unsurveyed(but: Set(surveyed.map(\.site))) where survey.isQuiet {
            // A testers' site borrows its map, even if surveys got in under an older version.
            guard let published = sites[survey.site],
                published.index.document.borrows == nil
            else { continue }
            do {
                try await buildIfDue(survey, published)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private func buildIfDue(_ survey: Survey, _ published: PublishedSite) async throws {
        let newest = try await store.newest(survey.site)
        // A view that is being rebuilt has no surveys yet, so the map must not be emptied.
        if survey.surveys == 0, newest?.surveys ?? 0 > 0 { return }
        if tooLarge.isRefused(survey.site, survey.surveys + survey.reviews) { return }
        if let newest, newest.surveys == survey.surveys, newest.reviews == survey.reviews,
            newest.siteVersion == published.version
        {
            return
        }
        try await build(survey, published, after: newest)
    }

    /// Sites without surveys whose publication places access points. Their radio maps have no
    /// fingerprints, but their devices can be located.
    private func unsurveyed(but surveyed: Set<SiteID>) -> [Survey] {
        sites.all.filter {
            !surveyed.contains($0.key) && $0.value.index.document.borrows == nil
                && !$0.value.index.document.accessPointPlaces.isEmpty
        }.map { Survey(site: $0.key, surveys: 0, reviews: 0, isQuiet: true) }
    }

    private func surveys() async throws -> [Survey] {
        let exists = try await pool.query(
            "SELECT to_regclass($1) IS NOT NULL AS there", [.text("\(view.schema).sites")])
        guard let row = exists.first, try row["there"] else { return [] }
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

    private func build(
        _ due: Survey, _ published: PublishedSite, after newest: RadioMapStore.Version?
    ) async throws {
        let site = due.site
        var read = try await SiteSurveys.read(site, in: view.schema, log, pool)
        let discarded = DiscardedSurveys(published.index.document, frame: published.index.frame)
        let judgement = try await judge(read, site, published, against: newest)
        read.leftOut.formUnion(judgement.keptAside.map(\.survey))
        let isLeftOut = { (survey: SurveyRecorded) in
            discarded.contains(survey) || read.leftOut.contains(survey.scan.id)
        }
        let all = read.all.filter { !isLeftOut($0) }
        let filter = AccessPointFilter(published.index.document.accessPoints, surveys: all)
        let surveys = all.map { filter.kept($0) }
        let changes = ChangeDetector.changes(in: surveys, site: published.index)
        let changed = Dictionary(uniqueKeysWithValues: changes.map { ($0.transmitter, $0) })
        let result = RadioMapBuilder.build(
            surveys.lazy.map { $0.without(changed) }, site: published.index)
        let artifact = RadioMapArtifact.encode(result.map)
        if let excess = MapLimits.excess(of: result.map, bytes: artifact.count) {
            tooLarge.note(site, due.surveys + due.reviews) {
                notices.onUnexpected(
                    "The radio map of \(site) would have \(excess); the one before stays. Withdraw "
                        + "surveys, or clear rooms that nobody needs.")
            }
            return
        }
        let version = (newest?.version ?? 0) + 1
        let announcement = RadioMapAnnounced(
            site: site, version: version, hash: sha256Hex(artifact), byteCount: artifact.count,
            siteVersion: published.version, surveyOffsets: read.offsets,
            builderVersion: RadioMapBuilder.version, builtAt: clock.now,
            fingerprints: result.map.fingerprints.count,
            accessPoints: result.map.transmitters.count)
        let isNew = try await store.publish(
            announcement, artifact: artifact, surveys: read.all.count, reviews: read.reviews,
            judgement: judgement, discarded: read.all.filter(isLeftOut).map(\.scan.id),
            fingerprints: result.map.placeStatistics(site: site, version: version),
            changes: changes, refused: filter.refused,
            groups: VirtualAccessPoints.groups(in: result.map),
            source: Self.source)
        if isNew, !result.rejections.isEmpty {
            notices.onUnexpected(
                "\(result.rejections.count) survey(s) of \(site) lie at places that the site does "
                    + "not have; the radio map leaves them out.")
        }
    }

    /// Compares the surveys that nobody has judged yet with the newest map.
    private func judge(
        _ read: SiteSurveys, _ site: SiteID, _ published: PublishedSite,
        against newest: RadioMapStore.Version?
    ) async throws -> SurveyJudgement {
        var judgement = SurveyJudgement()
        guard !read.fresh.isEmpty else { return judgement }
        judgement.judged = SurveysJudged(
            site: site, surveyOffsets: read.offsets, radioMapVersion: newest?.version,
            at: clock.now)
        var map = RadioMap.empty
        if let newest, let bytes = try await store.artifact(newest.hash) {
            map = try RadioMapArtifact.decode(bytes)
        }
        let fresh = read.all.filter {
            read.fresh.contains($0.scan.id) && !read.leftOut.contains($0.scan.id)
        }
        let filter = AccessPointFilter(published.index.document.accessPoints, surveys: read.all)
        let judge = SurveyJudge(map, site: published.index)
        for survey in fresh {
            let (doubt, metres): (SurveyDoubt, Double?)
            switch judge.verdict(of: filter.kept(survey)) {
            case .fits, .nothingToCompare: continue
            case .outsideFloor(let outside): (doubt, metres) = (.outsideFloor, outside)
            case .againstMap(let off): (doubt, metres) = (.againstMap, off)
            }
            judgement.keptAside.append(
                SurveyKeptAside(
                    site: site, survey: survey.scan.id, author: survey.author, doubt: doubt,
                    radioMapVersion: newest?.version ?? 0, radioMapHash: newest?.hash ?? "",
                    distanceMetres: metres, at: clock.now))
        }
        return judgement
    }
}

/// The result of judging new surveys. It is stored together with the map that leaves some of them
/// out.
struct SurveyJudgement: Sendable {
    /// Nil where there were no new surveys.
    var judged: SurveysJudged?
    var keptAside: [SurveyKeptAside] = []
}
