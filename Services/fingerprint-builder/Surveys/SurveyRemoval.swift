import EventLog
import Events
import LogViews
import Postgres
import Retrying
import ServiceHost
import Wire

/// Removes surveys from the log that were withdrawn, or whose device was erased. It puts their
/// tombstones into the outbox until the view has lost the rows.
///
/// It looks at rows and not at requests. So a survey that comes after its withdrawal goes too, such
/// as a copy from the topic of earlier releases.
struct SurveyRemoval: Sendable {
    private static let pause = Duration.seconds(1)
    /// The most tombstones of one transaction.
    private static let atOnce = 5_000
    /// A tombstone that has had no effect for this long is put again.
    private static let patienceSeconds = 60.0
    private static let schema = "fingerprint_builder"

    let log: any EventLog
    let pool: PostgresPool
    let bell: OutboxBell
    /// The time for which erasures are kept: longer than anything that they could erase.
    var erasuresKept: Duration = .seconds(31 * 86_400)
    /// Counts changes of the view's rows and of maps, which make removals due.
    var changes = ChangeCounter()

    func run(_ notices: Notices) async {
        await attemptUntilDone("Removing surveys", notices: notices) { retry in
            while !Task.isCancelled {
                let count = changes.count
                try await removeWhatIsDue()
                try await finishErasures()
                retry.ended()
                try await Task.sleep(for: Self.pause)
                await changes.rest(since: count)
            }
        }
    }

    /// Puts the tombstones of all surveys that have to go.
    func removeWhatIsDue() async throws {
        guard try await hasTables() else { return }
        while try await removeSome() == Self.atOnce {}
        try await pool.query(
            """
            DELETE FROM radio_maps.removed_surveys AS removed WHERE NOT EXISTS (
                SELECT FROM \(Self.schema).surveys WHERE surveys.id = removed.survey)
            """)
    }

    /// - Returns: the number of tombstones.
    private func removeSome() async throws -> Int {
        let surveys = try await pool.withTransaction { connection in
            let due = try connection.query(
                Self.selection, [.double(Self.patienceSeconds), .int(Self.atOnce)]
            ).compactMap { row -> ErasedSurvey? in
                try ErasedSurvey(row)
            }
            guard !due.isEmpty else { return due }
            // The view may lose the rows as soon as this transaction ends.
            try connection.query(Self.notingErasures)
            try RadioMapStore.outbox.put(due.map(\.key.tombstone), connection: connection)
            try connection.query(
                """
                INSERT INTO radio_maps.removed_surveys (survey, site, put_at)
                SELECT id::uuid, site, clock_timestamp()
                FROM unnest($1::text[], $2::text[]) AS due (id, site)
                ON CONFLICT (survey) DO UPDATE SET put_at = excluded.put_at
                """,
                [
                    .textArray(due.map(\.key.survey.description)),
                    .textArray(due.map(\.key.site.text)),
                ])
            return due
        }
        guard !surveys.isEmpty else { return 0 }
        bell.ring()
        try await eraseFormerRecords(of: surveys)
        return surveys.count
    }

    /// The topic of earlier releases can't be compacted. PostgreSQL can remove its single records;
    /// Kafka keeps them until somebody removes the topic.
    private func eraseFormerRecords(of surveys: [ErasedSurvey]) async throws {
        var former: [TopicPartition: [Int64]] = [:]
        for survey in surveys {
            guard let partition = survey.partition, let offset = survey.offset else { continue }
            former[TopicPartition(Topic.surveys.name, partition), default: []].append(offset)
        }
        if !former.isEmpty { _ = try await log.erase(former) }
    }

    private static let selection = """
        SELECT surveys.id::text AS id, surveys.site, surveys.log_partition, surveys.log_offset
        FROM \(schema).surveys AS surveys
        LEFT JOIN radio_maps.removed_surveys AS removed ON removed.survey = surveys.id
        WHERE surveys.id IN (
                SELECT survey FROM \(schema).withdrawn_surveys
                UNION ALL SELECT withdrawn.id FROM \(schema).withdrawn_authors AS authors
                JOIN \(schema).surveys AS withdrawn
                    ON \(SurveyTimes.isWithdrawn("withdrawn", by: "authors"))
                UNION ALL SELECT theirs.id FROM \(schema).erasures AS erased
                JOIN \(schema).surveys AS theirs
                    ON \(SurveyTimes.isErased("theirs", by: "erased")))
            AND (removed.survey IS NULL
                OR removed.put_at < clock_timestamp() - make_interval(secs => $1))
        ORDER BY surveys.id LIMIT $2
        """

    /// False until the view has made its tables.
    private func hasTables() async throws -> Bool {
        try await pool.query(
            "SELECT to_regclass('\(Self.schema).erasures') IS NOT NULL AS there")[0]["there"]
    }

    // MARK: Erasures

    /// Notes the erasures that have surveys. They are done only when no former map is left.
    private static let notingErasures = """
        UPDATE \(schema).erasures AS erased SET had_surveys = true
        WHERE done_at IS NULL AND NOT had_surveys AND \(stillThere)
        """

    /// Notes the erasures from before a restore at sites with maps from before it. The restore left
    /// the surveys out, but the backup's maps may have their readings.
    private static let notingRestored = """
        UPDATE \(schema).erasures AS erased SET had_surveys = true
        WHERE done_at IS NULL AND NOT had_surveys AND erased_until <= $1
            AND EXISTS (SELECT FROM radio_maps.radio_maps AS maps
                WHERE maps.site = erased.site AND maps.built_at <= $1)
        """

    /// Notes the erasures whose surveys are gone, from the log, the tables and all radio maps.
    func finishErasures() async throws {
        guard try await hasTables() else { return }
        // Also for surveys whose tombstones were put before the device was erased.
        try await pool.query(Self.notingErasures)
        if let restored = try await RestoreMark.read(pool)?.finishedAt {
            try await pool.query(
                Self.notingRestored, [.timestamp(microseconds: restored.microseconds)])
        }
        let due = try await pool.query(
            """
            SELECT id, site, had_surveys FROM \(Self.schema).erasures AS erased
            WHERE done_at IS NULL AND NOT \(Self.stillThere)
                AND (NOT had_surveys OR EXISTS (
                    SELECT FROM \(Self.schema).sites AS counted
                    JOIN (SELECT DISTINCT ON (site) site, surveys, reviews
                        FROM radio_maps.radio_maps ORDER BY site, version DESC) AS newest
                        USING (site, surveys, reviews)
                    WHERE counted.site = erased.site)
                    OR NOT EXISTS (SELECT FROM radio_maps.radio_maps AS maps
                        WHERE maps.site = erased.site))
            """)
        for row in due {
            let id: [UInt8] = try row["id"]
            let site: String = try row["site"]
            if try row["had_surveys"] {
                try await RadioMapStore(pool: pool).forgetFormer(of: SiteID(site))
            }
            try await pool.query(
                "UPDATE \(Self.schema).erasures SET done_at = clock_timestamp() WHERE id = $1",
                [.uuid(id)])
        }
        try await forgetOldErasures()
    }

    private func forgetOldErasures() async throws {
        try await pool.query(
            """
            DELETE FROM \(Self.schema).erasures WHERE done_at IS NOT NULL
                AND erased_until < clock_timestamp() - make_interval(secs => $1)
            """, [.double(erasuresKept / .seconds(1))])
    }

    private static let stillThere = """
        EXISTS (SELECT FROM \(schema).surveys
            WHERE \(SurveyTimes.isErased("surveys", by: "erased")))
        """
}

/// A survey that has to go, and its place in the topic of earlier releases.
private struct ErasedSurvey {
    var key: SurveyKey
    var partition: Int?
    var offset: Int64?

    /// Nil for a row whose ids are not ours.
    init?(_ row: PostgresRow) throws {
        let (site, id): (String, String) = (try row["site"], try row["id"])
        guard let site = SiteID(validating: site), let id = EventID(id) else { return nil }
        key = SurveyKey(site, id)
        partition = try row["log_partition"]
        offset = try row["log_offset"]
    }
}
