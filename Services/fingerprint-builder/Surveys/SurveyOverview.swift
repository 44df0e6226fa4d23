import EventLog
import Events
import Postgres
import Site
import Wire

/// The numbers of a site's surveys at one moment, by the grounds on which they were made. They tell
/// which parts of the radio map have to be built anew.
struct SurveyOverview: Sendable {
    /// The surveys of one ground that count.
    struct Ground: Hashable, Sendable {
        var surveys = 0
        /// The ids of the surveys, joined by exclusive or. It needs no order.
        var high: UInt64 = 0
        var low: UInt64 = 0

        mutating func add(_ survey: EventID) {
            surveys += 1
            high ^= survey.high
            low ^= survey.low
        }
    }

    /// For each partition of `survey-records`, the offset below which all of the site's surveys are
    /// counted.
    var offsets: [Int64]
    /// The number of all surveys, also of those that do not count.
    var surveys = 0
    /// The number of decisions, withdrawals and erasures.
    var reviews = 0
    var grounds: [SurveyGround: Ground] = [:]
    /// Surveys that nobody has judged yet.
    var fresh: [EventID] = []

    static func read(
        _ site: SiteID, in schema: String, _ log: any EventLog, _ pool: PostgresPool
    ) async throws -> SurveyOverview {
        try await complete(site, in: schema, pool)
        let partitions = try await log.partitionCount(of: Topic.surveyRecords.name)
        return try await pool.withTransaction { connection in
            // One snapshot, so that the offsets fit the surveys.
            try connection.execute(
                script: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            var read = SurveyOverview(offsets: [Int64](repeating: 0, count: partitions))
            for row in try connection.query(
                "SELECT partition, next_offset FROM \(schema).view_positions WHERE topic = $1",
                [.text(Topic.surveyRecords.name)])
            {
                let partition: Int = try row["partition"]
                if read.offsets.indices.contains(partition) {
                    read.offsets[partition] = try row["next_offset"]
                }
            }
            let name = PostgresValue.text(site.text)
            if let row = try connection.query(
                "SELECT surveys, reviews FROM \(schema).sites WHERE site = $1", [name]
            ).first {
                (read.surveys, read.reviews) = (try row["surveys"], try row["reviews"])
            }
            try read.count(schema, name, connection)
            return read
        }
    }

    /// Gives rows of earlier releases their ground.
    private static func complete(
        _ site: SiteID, in schema: String, _ pool: PostgresPool
    ) async throws {
        try await pool.query(
            """
            UPDATE \(schema).surveys SET ground = coalesce(
                'location/' || (convert_from(event, 'UTF8')::json -> 'place' ->> 'location'),
                'floor/' || (convert_from(event, 'UTF8')::json -> 'place' ->> 'floor'), 'none')
            WHERE site = $1 AND ground = ''
            """, [.text(site.text)])
    }

    private mutating func count(
        _ schema: String, _ site: PostgresValue, _ connection: isolated PostgresConnection
    ) throws {
        for row in try connection.query(
            """
            SELECT ground, count(*) AS surveys,
                bit_xor(('x' || left(bits, 16))::bit(64)::bigint) AS high,
                bit_xor(('x' || right(bits, 16))::bit(64)::bigint) AS low
            FROM (SELECT ground, left_out, replace(id::text, '-', '') AS bits
                FROM (\(GroundSurveys.selection(schema))) AS all_of_them) AS counted
            WHERE NOT left_out GROUP BY ground
            """, [site])
        {
            guard let ground = SurveyGround(text: try row["ground"]) else { continue }
            let (high, low): (Int64, Int64) = (try row["high"], try row["low"])
            grounds[ground] = Ground(
                surveys: try row["surveys"], high: UInt64(bitPattern: high),
                low: UInt64(bitPattern: low))
        }
        fresh = try connection.query(
            """
            SELECT id::text AS id FROM (\(GroundSurveys.selection(schema))) AS all_of_them
            WHERE fresh ORDER BY id
            """, [site]
        ).compactMap { row in
            let id: String = try row["id"]
            return EventID(id)
        }
    }
}
