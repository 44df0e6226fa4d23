import EventLog
import Events
import LogViews
import Magnetic
import Postgres
import Wire

/// Stores magnetic routes: version check, row and event are one transaction. Like radio maps they
/// outlive a rebuild of the views.
struct MagneticRouteStore: Sendable {
    static let schema = "magnetic_routes"
    static let outbox = Outbox(
        schema: schema, topics: [Topic.magneticRoutes.name],
        largestRecord: { Topic.largestRecord($0) })
    let pool: PostgresPool
    /// Wakes the outbox relay after each event, so that nobody has to look five times a second.
    var bell = OutboxBell()

    static let migrator = Migrator(
        schema: schema,
        steps: [
            .schema("magnetic_routes"),
            Migrator.Step(
                "routes",
                """
                CREATE TABLE magnetic_routes.routes (
                    site text NOT NULL,
                    id text NOT NULL,
                    version bigint NOT NULL,
                    state text NOT NULL,
                    floor text NOT NULL,
                    polyline jsonb NOT NULL,
                    samples bigint NOT NULL,
                    recorded_at timestamptz NOT NULL,
                    validation jsonb,
                    recorded bytea NOT NULL,
                    validated bytea,
                    deleted bytea,
                    PRIMARY KEY (site, id))
                """),
            outbox.migration,
            Migrator.Step(
                "repeated-recordings",
                """
                ALTER TABLE magnetic_routes.routes
                    ADD COLUMN is_repeated boolean NOT NULL DEFAULT false
                """),
            outbox.markMigration,
        ])

    /// Puts the validations of earlier releases on the log once more, now with the recording. The
    /// topic has become compacted, so it keeps only the last event of a route.
    func repeatRecordings(source: String) async throws {
        let former = try await pool.query(
            """
            SELECT site, id FROM magnetic_routes.routes
            WHERE validated IS NOT NULL AND deleted IS NULL AND NOT is_repeated
            """)
        for row in former {
            let (site, id) = (SiteID(try row["site"]), MagneticRouteID(try row["id"]))
            let state = try await state(site, id)
            guard var event = state.validation, let recorded = state.recording else { continue }
            event.recorded = recorded
            _ = try await put(
                event.record(source: source),
                """
                UPDATE magnetic_routes.routes SET is_repeated = true
                WHERE site = $1 AND id = $2 AND version = $3
                """, [.text(site.text), .text(id.text), .int(state.version)])
        }
    }

    /// The state of a route; version 0 when it was never recorded.
    func state(_ site: SiteID, _ route: MagneticRouteID) async throws -> MagneticRouteState {
        try await pool.withConnection { try await Self.state(site, route, connection: $0) }
    }

    static func state(
        _ site: SiteID, _ route: MagneticRouteID, connection: isolated PostgresConnection
    ) throws -> MagneticRouteState {
        var state = MagneticRouteState(site: site, route: route)
        let rows = try connection.query(
            """
            SELECT recorded, validated, deleted FROM magnetic_routes.routes
            WHERE site = $1 AND id = $2
            """, [.text(site.text), .text(route.text)])
        guard let row = rows.first else { return state }
        state.evolve(try MagneticRouteRecorded(json: try row["recorded"]))
        let validated: [UInt8]? = try row["validated"]
        if let validated { state.evolve(try MagneticRouteValidated(json: validated)) }
        let deleted: [UInt8]? = try row["deleted"]
        if let deleted { state.evolve(try MagneticRouteDeleted(json: deleted)) }
        return state
    }

    /// The newest version of each of the site's routes, in the order of their ids.
    func rows(_ site: SiteID, after: String, limit: Int) async throws -> PostgresRows {
        try await pool.query(
            "\(Self.selection) WHERE site = $1 AND id > $2 ORDER BY id LIMIT $3",
            [.text(site.text), .text(after), .int(limit)])
    }

    func row(_ site: SiteID, _ route: MagneticRouteID) async throws -> PostgresRow? {
        try await pool.query(
            "\(Self.selection) WHERE site = $1 AND id = $2", [.text(site.text), .text(route.text)]
        ).first
    }

    private static let selection = """
        SELECT id, version, state, floor, polyline::text AS polyline, samples, recorded_at,
            validation::text AS validation,
            (validation->>'validatedAt')::timestamptz AS validated_at
        FROM magnetic_routes.routes
        """

    /// Records a route. The result is false, and nothing has changed, when another event took this
    /// version first.
    func put(_ event: MagneticRouteRecorded, source: String) async throws -> Bool {
        let record = event.record(source: source)
        return try await put(
            record,
            """
            INSERT INTO magnetic_routes.routes
                (site, id, version, state, floor, polyline, samples, recorded_at, recorded)
            VALUES ($1, $2, $3, 'recorded', $4, $5::jsonb, $6, $7, $8)
            ON CONFLICT (site, id) DO UPDATE SET version = excluded.version,
                state = excluded.state, floor = excluded.floor, polyline = excluded.polyline,
                samples = excluded.samples, recorded_at = excluded.recorded_at,
                recorded = excluded.recorded, validation = NULL, validated = NULL, deleted = NULL,
                is_repeated = false
            WHERE routes.version = excluded.version - 1
            """,
            [
                .text(event.site.text), .text(event.route.text), .int(event.version),
                .text(event.floor.text), .text(event.polylineJSON),
                .int(event.walk.samples.count),
                .timestamp(microseconds: event.recordedAt.microseconds),
                .bytes(record.value ?? []),
            ])
    }

    /// Records a validation, in the same way.
    func put(_ event: MagneticRouteValidated, source: String) async throws -> Bool {
        let record = event.record(source: source)
        var alone = event
        alone.recorded = nil
        let stage: MagneticRouteState.Stage = event.isReliable ? .valid : .recorded
        return try await put(
            record,
            """
            UPDATE magnetic_routes.routes
            SET version = $3, state = $4, validation = $5::jsonb, validated = $6,
                is_repeated = true
            WHERE site = $1 AND id = $2 AND version = $3 - 1
            """,
            [
                .text(event.site.text), .text(event.route.text), .int(event.version),
                .text(stage.rawValue), .text(event.measuresJSON), .bytes(alone.json),
            ])
    }

    /// Records a deletion, in the same way.
    func put(_ event: MagneticRouteDeleted, source: String) async throws -> Bool {
        let record = event.record(source: source)
        return try await put(
            record,
            """
            UPDATE magnetic_routes.routes SET version = $3, state = $4, deleted = $5
            WHERE site = $1 AND id = $2 AND version = $3 - 1
            """,
            [
                .text(event.site.text), .text(event.route.text), .int(event.version),
                .text(MagneticRouteState.Stage.deleted.rawValue), .bytes(record.value ?? []),
            ])
    }

    /// Replaces a route's row, without an event.
    static func replace(
        _ state: MagneticRouteState, deleted: MagneticRouteDeleted?,
        connection: isolated PostgresConnection
    ) throws {
        guard let recording = state.recording, let stage = state.stage else { return }
        let (site, route) = (state.site.text, state.route.text)
        try connection.query(
            "DELETE FROM magnetic_routes.routes WHERE site = $1 AND id = $2",
            [.text(site), .text(route)])
        try connection.query(
            """
            INSERT INTO magnetic_routes.routes
                (site, id, version, state, floor, polyline, samples, recorded_at, validation,
                recorded, validated, deleted, is_repeated)
            VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9::jsonb, $10, $11, $12, true)
            """,
            [
                .text(site), .text(route), .int(state.version), .text(stage.rawValue),
                .text(recording.floor.text), .text(recording.polylineJSON),
                .int(recording.walk.samples.count),
                .timestamp(microseconds: recording.recordedAt.microseconds),
                .optional(state.validation?.measuresJSON, PostgresValue.text),
                .bytes(recording.json), .optional(state.validation?.json, PostgresValue.bytes),
                .optional(deleted?.json, PostgresValue.bytes),
            ])
    }

    private func put(
        _ record: LogRecord, _ statement: String, _ parameters: [PostgresValue]
    ) async throws -> Bool {
        let isFirst = try await pool.withTransaction { connection in
            guard try connection.query(statement, parameters).affected == 1 else { return false }
            try Self.outbox.put([record], connection: connection)
            return true
        }
        if isFirst { bell.ring() }
        return isFirst
    }
}
