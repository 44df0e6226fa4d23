import Cryptography
import EventLog
import Events
import Positioning
import Postgres
import RadioMapCare
import ServiceHost
import ServiceRuntime
import Site
import Wire

/// Builds a site's radio map when its surveys or the site have changed and no more surveys come.
/// Several builders may run: the first with a version wins, and equal surveys give equal bytes.
struct MapBuilder: Sendable {
    /// Who the events come from, in the CloudEvents sense.
    static let source = "/fingerprint-builder"

    let host: Host
    let pool: PostgresPool
    let store: RadioMapStore
    let view: SurveysView
    let quiet: Duration
    let latest: Duration

    /// How a site's surveys stand.
    private struct Survey: Sendable {
        var site: SiteID
        var surveys: Int
        var isQuiet: Bool
    }

    /// Builds until the task is cancelled.
    func run() async {
        await host.untilDone("Building radio maps") { outage in
            while !Task.isCancelled {
                try await buildWhatIsDue()
                outage.ended()
                try? await Task.sleep(for: .milliseconds(250))
            }
        }
    }

    private func buildWhatIsDue() async throws {
        let surveyed = try await surveys()
        for survey in surveyed + unsurveyed(but: Set(surveyed.map(\.site))) where survey.isQuiet {
            guard let published = host.sites[survey.site] else { continue }
            let newest = try await store.newest(survey.site)
            // A view that is read anew knows of no surveys for a while.
            if survey.surveys == 0, newest?.surveys ?? 0 > 0 { continue }
            if let newest, newest.surveys == survey.surveys,
                newest.siteVersion == published.version
            {
                continue
            }
            try await build(survey.site, published, after: newest)
        }
    }

    /// Sites without any survey that say where access points hang: their maps are empty, and say that
    /// devices can be located.
    private func unsurveyed(but surveyed: Set<SiteID>) -> [Survey] {
        host.sites.all.filter {
            !surveyed.contains($0.key) && !$0.value.index.document.accessPointPlaces.isEmpty
        }.map { Survey(site: $0.key, surveys: 0, isQuiet: true) }
    }

    private func surveys() async throws -> [Survey] {
        let exists = try await pool.query(
            "SELECT to_regclass($1) IS NOT NULL AS there", [.text("\(view.schema).sites")])
        guard let row = exists.first, try row["there"] else { return [] }
        // The age is taken by the database's clock, which wrote changed_at.
        return try await pool.query(
            """
            SELECT sites.site, sites.surveys,
                (clock_timestamp() - sites.changed_at > make_interval(secs => $1)
                OR clock_timestamp() - max(maps.built_at)
                    > make_interval(secs => $2)) IS TRUE AS quiet
            FROM \(view.schema).sites AS sites
            LEFT JOIN radio_maps.radio_maps AS maps ON maps.site = sites.site
            GROUP BY sites.site, sites.surveys, sites.changed_at
            """, [.double(quiet / .seconds(1)), .double(latest / .seconds(1))]
        ).map { row in
            Survey(
                site: SiteID(try row["site"]), surveys: try row["surveys"],
                isQuiet: try row["quiet"])
        }
    }

    private func build(
        _ site: SiteID, _ published: PublishedSite, after newest: RadioMapStore.Version?
    ) async throws {
        let (offsets, counted) = try await read(site)
        let discarded = DiscardedSurveys(published.index.document, frame: published.index.frame)
        let all = counted.filter { !discarded.contains($0) }
        let filter = AccessPointFilter(published.index.document.accessPoints, surveys: all)
        let surveys = all.map { filter.kept($0) }
        let changes = ChangeDetector.changes(in: surveys, site: published.index)
        let changed = Dictionary(uniqueKeysWithValues: changes.map { ($0.transmitter, $0) })
        let result = RadioMapBuilder.build(
            surveys.lazy.map { $0.without(changed) }, site: published.index)
        let artifact = RadioMapArtifact.encode(result.map)
        let hash = sha256Hex(artifact)
        let version = (newest?.version ?? 0) + 1
        let announcement = RadioMapAnnounced(
            site: site, version: version, hash: hash, byteCount: artifact.count,
            siteVersion: published.version, surveyOffsets: offsets,
            builderVersion: RadioMapBuilder.version, builtAt: host.now,
            fingerprints: result.map.fingerprints.count,
            accessPoints: result.map.transmitters.count)
        let isNew = try await store.publish(
            announcement, artifact: artifact, surveys: counted.count,
            discarded: counted.filter(discarded.contains).map(\.scan.id),
            fingerprints: result.map.placeStatistics(site: site, version: version),
            changes: changes, refused: filter.refused,
            groups: VirtualAccessPoints.groups(in: result.map),
            source: Self.source)
        if isNew, !result.rejections.isEmpty {
            host.unexpected(
                "\(result.rejections.count) survey(s) of \(site) lie at places that the site does "
                    + "not have; the radio map leaves them out.")
        }
    }

    /// All surveys of a site and, for each partition, the offset up to which they are known to be
    /// all there.
    private func read(_ site: SiteID) async throws -> ([Int64], [SurveyRecorded]) {
        let partitions = try await host.log.partitionCount(of: Topic.surveys.name)
        return try await pool.withTransaction { connection in
            // One snapshot, so that the offsets fit the surveys.
            try connection.execute(
                script: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            var offsets = [Int64](repeating: 0, count: partitions)
            for row in try connection.query(
                "SELECT partition, next_offset FROM \(view.schema).view_positions WHERE topic = $1",
                [.text(Topic.surveys.name)])
            {
                let partition: Int = try row["partition"]
                if offsets.indices.contains(partition) {
                    offsets[partition] = try row["next_offset"]
                }
            }
            let surveys = try connection.query(
                "SELECT event FROM \(view.schema).surveys WHERE site = $1 ORDER BY id",
                [.text(site.text)]
            ).map { row in try SurveyRecorded(json: try row["event"]) }
            return (offsets, surveys)
        }
    }
}
