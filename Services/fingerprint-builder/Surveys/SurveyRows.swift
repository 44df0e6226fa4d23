import Events
import Postgres
import Wire

/// Removes the rows of surveys that are no longer on the log.
enum SurveyRows {
    /// Removes the surveys with their readings, and takes these out of the access points' numbers.
    static func remove(
        _ keys: [SurveyKey], _ schema: String, _ connection: isolated PostgresConnection
    ) throws {
        guard !keys.isEmpty else { return }
        let gone = try connection.query(
            """
            DELETE FROM \(schema).surveys USING unnest($1::text[], $2::text[]) AS gone (site, id)
            WHERE surveys.id = gone.id::uuid AND surveys.site = gone.site
            RETURNING surveys.id::text AS id, surveys.site
            """,
            [
                .textArray(keys.map(\.site.text)), .textArray(keys.map(\.survey.description)),
            ])
        guard !gone.isEmpty else { return }
        let ids = PostgresValue.textArray(try gone.map { try $0["id"] })
        let heard = try connection.query(
            """
            WITH gone AS (DELETE FROM \(schema).measurements
                WHERE survey = ANY ($1::text[]::uuid[]) RETURNING site, access_point)
            SELECT site, access_point, count(*) AS number FROM gone GROUP BY 1, 2
            """, [ids])
        try uncount(heard, schema, connection)
        try connection.query(
            """
            UPDATE \(schema).sites SET surveys = sites.surveys - gone.number,
                changed_at = clock_timestamp()
            FROM (SELECT site, count(*) AS number FROM unnest($1::text[]) AS gone (site)
                GROUP BY site) AS gone
            WHERE sites.site = gone.site
            """, [.textArray(try gone.map { try $0["site"] })])
    }

    /// Takes readings out of the numbers of their access points, gives these the times of the
    /// surveys that are left, and removes those without any. Their names stay.
    private static func uncount(
        _ heard: PostgresRows, _ schema: String, _ connection: isolated PostgresConnection
    ) throws {
        let names: [PostgresValue] = [
            .textArray(try heard.map { try $0["site"] }),
            .textArray(try heard.map { try $0["access_point"] }),
        ]
        let changed = "SELECT * FROM unnest($1::text[], $2::text[])"
        // One order for all writers, so that two can't deadlock.
        try connection.query(
            """
            SELECT FROM \(schema).access_points WHERE (site, id) IN (\(changed))
            ORDER BY site COLLATE "C", id COLLATE "C" FOR UPDATE
            """, names)
        try connection.query(
            """
            UPDATE \(schema).access_points AS known
            SET measurements = known.measurements - gone.number
            FROM unnest($1::text[], $2::text[], $3::bigint[]) AS gone (site, id, number)
            WHERE known.site = gone.site AND known.id = gone.id
            """, names + [.int64Array(try heard.map { try $0["number"] })])
        try connection.query(
            """
            DELETE FROM \(schema).access_points
            WHERE measurements <= 0 AND (site, id) IN (\(changed))
            """, names)
        try connection.query(
            """
            WITH times AS (SELECT changed.site, changed.id, min(surveys.at) AS first,
                    max(surveys.at) AS last
                FROM (\(changed)) AS changed (site, id)
                JOIN \(schema).measurements ON measurements.site = changed.site
                    AND measurements.access_point = changed.id
                JOIN \(schema).surveys ON surveys.id = measurements.survey
                GROUP BY 1, 2)
            UPDATE \(schema).access_points AS known
            SET first_heard = times.first, last_heard = times.last
            FROM times WHERE known.site = times.site AND known.id = times.id
            """, names)
    }
}
