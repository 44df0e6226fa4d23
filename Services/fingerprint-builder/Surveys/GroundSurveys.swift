import Events
import Postgres
import Site
import Wire

/// All surveys of some grounds of a site at one moment, with the decisions about them.
struct GroundSurveys: Sendable {
    /// Each survey once, by id, with those that do not count.
    var all: [SurveyRecorded] = []
    /// Surveys that were withdrawn or refused, wait for a review, or whose device was erased.
    var leftOut: Set<EventID> = []
    /// Surveys that nobody has judged yet.
    var fresh: Set<EventID> = []

    /// The numbers of those that count, by their grounds.
    var counted: [SurveyGround: SurveyOverview.Ground] {
        var grounds: [SurveyGround: SurveyOverview.Ground] = [:]
        for survey in all where !leftOut.contains(survey.scan.id) {
            grounds[survey.place.ground, default: .init()].add(survey.scan.id)
        }
        return grounds
    }

    /// - Parameter beacons: those of the site. A beacon is one transmitter, whatever its battery
    ///   was at each survey.
    static func read(
        _ site: SiteID, at grounds: [SurveyGround], beacons: BeaconTable, in schema: String,
        _ pool: PostgresPool
    ) async throws -> GroundSurveys {
        var read = GroundSurveys()
        for row in try await pool.query(
            "\(selection(schema)) AND surveys.ground = ANY ($2::text[]) ORDER BY surveys.id",
            [.text(site.text), .textArray(grounds.map(\.text))])
        {
            var survey = try SurveyRecorded(json: try row["event"])
            beacons.removeBatteries(from: &survey.scan)
            read.all.append(survey)
            if try row["left_out"] { read.leftOut.insert(survey.scan.id) }
            if try row["fresh"] { read.fresh.insert(survey.scan.id) }
        }
        return read
    }

    /// The surveys of a site, `$1`. A decision to accept a survey overrides that it was kept aside;
    /// nothing overrides a withdrawal or an erasure.
    ///
    /// The query also reads this process's own tables: the log may not have returned yet what this
    /// process lately kept aside or judged.
    static func selection(_ schema: String) -> String {
        """
        SELECT surveys.id, surveys.ground, surveys.event,
            (withdrawn.survey IS NOT NULL OR authors.author IS NOT NULL
                OR EXISTS (SELECT FROM \(schema).erasures AS erased
                    WHERE \(SurveyTimes.isErased("surveys", by: "erased")))
                OR NOT coalesce(decisions.accepted,
                    aside.survey IS NULL AND own.survey IS NULL)) AS left_out,
            (named.survey IS NULL AND named_here.survey IS NULL AND (surveys.is_named
                OR surveys.log_offset >= greatest(coalesce(judged.next_offset, 0),
                    coalesce(here.next_offset, 0)))) IS TRUE AS fresh
        FROM \(schema).surveys AS surveys
        LEFT JOIN \(schema).kept_aside AS aside ON aside.survey = surveys.id
        LEFT JOIN radio_maps.kept_aside AS own ON own.survey = surveys.id
        LEFT JOIN \(schema).decisions AS decisions ON decisions.survey = surveys.id
        LEFT JOIN \(schema).withdrawn_surveys AS withdrawn ON withdrawn.survey = surveys.id
        LEFT JOIN \(schema).withdrawn_authors AS authors
            ON \(SurveyTimes.isWithdrawn("surveys", by: "authors"))
        LEFT JOIN \(schema).judged AS judged ON judged.site = surveys.site
            AND judged.log_partition = surveys.log_partition
        LEFT JOIN radio_maps.judged AS here ON here.site = surveys.site
            AND here.log_partition = surveys.log_partition
        LEFT JOIN \(schema).judged_surveys AS named ON named.survey = surveys.id
        LEFT JOIN radio_maps.judged_surveys AS named_here ON named_here.survey = surveys.id
        WHERE surveys.site = $1
        """
    }
}
