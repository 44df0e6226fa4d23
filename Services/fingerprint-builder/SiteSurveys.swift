import EventLog
import Events
import Postgres
import Wire

/// All surveys of a site at one moment, with the decisions about them.
struct SiteSurveys: Sendable {
    /// For each partition of `surveys`, the offset below which all of the site's surveys are here.
    var offsets: [Int64]
    /// Each survey once, by id, with those that do not count.
    var all: [SurveyRecorded]
    /// Surveys that were withdrawn or refused, or wait for a review.
    var leftOut: Set<EventID>
    /// Surveys that nobody has judged yet.
    var fresh: Set<EventID>
    /// The number of decisions and withdrawals.
    var reviews: Int

    static func read(
        _ site: SiteID, in schema: String, _ log: any EventLog, _ pool: PostgresPool
    ) async throws -> SiteSurveys {
        let partitions = try await log.partitionCount(of: Topic.surveys.name)
        return try await pool.withTransaction { connection in
            // One snapshot, so that the offsets fit the surveys.
            try connection.execute(
                script: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            var read = SiteSurveys(
                offsets: [Int64](repeating: 0, count: partitions), all: [], leftOut: [], fresh: [],
                reviews: 0)
            for row in try connection.query(
                "SELECT partition, next_offset FROM \(schema).view_positions WHERE topic = $1",
                [.text(Topic.surveys.name)])
            {
                let partition: Int = try row["partition"]
                if read.offsets.indices.contains(partition) {
                    read.offsets[partition] = try row["next_offset"]
                }
            }
            let name = PostgresValue.text(site.text)
            read.reviews =
                try connection.query(
                    "SELECT reviews FROM \(schema).sites WHERE site = $1", [name]
                ).first.map { try $0["reviews"] } ?? 0
            for row in try connection.query(selection(schema), [name]) {
                let survey = try SurveyRecorded(json: try row["event"])
                read.all.append(survey)
                if try row["left_out"] { read.leftOut.insert(survey.scan.id) }
                if try row["fresh"] { read.fresh.insert(survey.scan.id) }
            }
            return read
        }
    }

    /// A decision to accept a survey overrides that it was kept aside; nothing overrides a
    /// withdrawal.
    ///
    /// The query also reads this process's own tables: the log may not have returned yet what this
    /// process lately kept aside or judged.
    private static func selection(_ schema: String) -> String {
        """
        SELECT surveys.event,
            (withdrawn.survey IS NOT NULL OR authors.author IS NOT NULL
                OR NOT coalesce(decisions.accepted,
                    aside.survey IS NULL AND own.survey IS NULL)) AS left_out,
            (surveys.log_offset >= greatest(coalesce(judged.next_offset, 0),
                coalesce(here.next_offset, 0))) IS TRUE AS fresh
        FROM \(schema).surveys AS surveys
        LEFT JOIN \(schema).kept_aside AS aside ON aside.survey = surveys.id
        LEFT JOIN radio_maps.kept_aside AS own ON own.survey = surveys.id
        LEFT JOIN \(schema).decisions AS decisions ON decisions.survey = surveys.id
        LEFT JOIN \(schema).withdrawn_surveys AS withdrawn ON withdrawn.survey = surveys.id
        LEFT JOIN \(schema).withdrawn_authors AS authors ON authors.site = surveys.site
            AND authors.author = surveys.author AND surveys.received_at < authors.before
        LEFT JOIN \(schema).judged AS judged ON judged.site = surveys.site
            AND judged.log_partition = surveys.log_partition
        LEFT JOIN radio_maps.judged AS here ON here.site = surveys.site
            AND here.log_partition = surveys.log_partition
        WHERE surveys.site = $1 ORDER BY surveys.id
        """
    }
}
