import EventLog
import Events
import LogViews
import Postgres
import RadioMapCare
import Site
import Wire

/// Stores the calibrations of each site's nodes and the places of these, and reads what they heard.
struct NodeStore: Sendable {
    let pool: PostgresPool
    var bell = OutboxBell()

    /// Calibrations of a site that are kept.
    static let mostKept = 1_000
    /// Hours that are read one by one.
    private static let recentHours = 12
    /// Hours of `node_hearings.hours` that are kept.
    private static let hoursKept = 2 * NodeCalibrator.historyHours

    static let migration = Migrator.Step(
        "node-calibrations",
        """
        CREATE TABLE radio_maps.node_calibrations (
            site text NOT NULL,
            calibrated_at timestamptz NOT NULL,
            event bytea NOT NULL,
            PRIMARY KEY (site, calibrated_at))
        """)
    static let placesMigration = Migrator.Step(
        "node-places",
        """
        -- The places of each site's scanners and beacons, as `NodePlaces` writes them.
        CREATE TABLE radio_maps.node_places (
            site text NOT NULL,
            source text NOT NULL,
            place text NOT NULL,
            -- The hour in which it came there; 0 if it was there before.
            since bigint NOT NULL,
            PRIMARY KEY (site, source))
        """)

    /// The hearings of each site's nodes in the hours of history. Empty until the view has made its
    /// table.
    ///
    /// Hours that are not recent are summed up, since a large site has millions of them. A day is
    /// one sum, or several where something of the site came to another place within it. Each sum
    /// has its first hour, so a place covers all of it or nothing (`NodePlaces.cover`).
    func hearings(at hour: Int) async throws -> [SiteID: [NodeHearing]] {
        guard try await isThere else { return [:] }
        var tallies: [SiteID: NodeTally] = [:]
        for row in try await pool.query(
            """
            WITH parts AS (
                SELECT site, hour, GREATEST(hour / 24 * 24, (
                    SELECT max(stay.since) + 1 FROM radio_maps.node_places AS stay
                    WHERE stay.site = heard.site AND stay.since < heard.hour)) AS part
                FROM (
                    SELECT DISTINCT site, hour FROM node_hearings.hours
                    WHERE hour > $1 AND hour <= $2) AS heard)
            SELECT site, source, node, coalesce(part, hour) AS hour,
                sum(windows)::bigint AS windows, sum(readings)::bigint AS readings,
                sum(total)::bigint AS total, sum(lone)::bigint AS lone
            FROM node_hearings.hours LEFT JOIN parts USING (site, hour)
            WHERE hour > $1 GROUP BY 1, 2, 3, 4
            """, [.int(hour - NodeCalibrator.historyHours), .int(hour - Self.recentHours)])
        {
            guard let source = NodeSource(try row["source"]) else { continue }
            let node: String = try row["node"]
            let key = NodeTally.Key(
                source: source, node: node.isEmpty ? nil : ScannerID(node), hour: try row["hour"])
            tallies[SiteID(try row["site"]), default: NodeTally()].counts[key] = .init(
                windows: try row["windows"], readings: try row["readings"],
                total: try row["total"], lone: try row["lone"])
        }
        return tallies.mapValues(\.hearings)
    }

    private var isThere: Bool {
        get async throws {
            let exists = try await pool.query(
                "SELECT to_regclass('node_hearings.hours') IS NOT NULL AS there")
            return try exists.first?["there"] ?? false
        }
    }

    /// Removes hours that no calibration reads any more.
    func forget(before hour: Int) async throws {
        guard try await isThere else { return }
        _ = try await pool.query(
            "DELETE FROM node_hearings.hours WHERE hour < $1", [.int(hour - Self.hoursKept)])
    }

    /// Notes where the scanners and beacons of a published site are, and returns since when.
    func places(
        of site: SiteID, _ document: SiteDocument, at hour: Int
    ) async throws -> NodePlaces {
        try await pool.withTransaction { connection in
            var stays: [NodeSource: NodePlaces.Stay] = [:]
            for row in try connection.query(
                "SELECT source, place, since FROM radio_maps.node_places WHERE site = $1",
                [.text(site.text)])
            {
                guard let source = NodeSource(try row["source"]) else { continue }
                stays[source] = NodePlaces.Stay(place: try row["place"], since: try row["since"])
            }
            let known = NodePlaces(stays)
            let places = NodePlaces(document, known: known, at: hour)
            if places != known { try Self.replace(places, of: site, connection) }
            return places
        }
    }

    private static func replace(
        _ places: NodePlaces, of site: SiteID, _ connection: isolated PostgresConnection
    ) throws {
        // One order for all keepers, so that two can't deadlock.
        let rows = places.stays.sorted { $0.key < $1.key }
        let sources = PostgresValue.textArray(rows.map(\.key.text))
        try connection.query(
            """
            INSERT INTO radio_maps.node_places (site, source, place, since)
            SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bigint[])
            ON CONFLICT (site, source) DO UPDATE
                SET place = excluded.place, since = excluded.since
            """,
            [
                .text(site.text), sources, .textArray(rows.map(\.value.place)),
                .int64Array(rows.map { Int64($0.value.since) }),
            ])
        try connection.query(
            "DELETE FROM radio_maps.node_places WHERE site = $1 AND source <> ALL ($2::text[])",
            [.text(site.text), sources])
    }

    // MARK: Removed sites

    /// The sites of which anything is stored.
    func sites() async throws -> [SiteID] {
        try await pool.query(
            """
            SELECT site FROM radio_maps.node_calibrations
            UNION SELECT site FROM radio_maps.node_places ORDER BY site
            """
        ).map { SiteID(try $0["site"]) }
    }

    /// Removes everything of a site, and its calibration from the log.
    func remove(_ site: SiteID) async throws {
        let hasHours = try await isThere
        try await pool.withTransaction { connection in
            let name = [PostgresValue.text(site.text)]
            try connection.query("DELETE FROM radio_maps.node_places WHERE site = $1", name)
            if hasHours {
                try connection.query("DELETE FROM node_hearings.hours WHERE site = $1", name)
            }
            let calibrations = try connection.query(
                "DELETE FROM radio_maps.node_calibrations WHERE site = $1", name)
            guard calibrations.affected > 0 else { return }
            try RadioMapStore.outbox.put(
                [NodesCalibrated.tombstone(of: site)], connection: connection)
        }
        bell.ring()
    }

    // MARK: Calibrations

    /// The calibrations of a site, the newest first.
    ///
    /// - Parameter time: only those before it; nil for the newest.
    func calibrations(
        of site: SiteID, before time: Timestamp? = nil, limit: Int = 1
    ) async throws -> [NodesCalibrated] {
        try await pool.query(
            """
            SELECT event FROM radio_maps.node_calibrations
            WHERE site = $1 AND ($2::timestamptz IS NULL OR calibrated_at < $2)
            ORDER BY calibrated_at DESC LIMIT $3
            """,
            [
                .text(site.text),
                .optional(time) { .timestamp(microseconds: $0.microseconds) }, .int(limit),
            ]
        ).map { try NodesCalibrated(json: try $0["event"]) }
    }

    /// The newest calibration of each site.
    static func newest(_ connection: isolated PostgresConnection) throws -> [NodesCalibrated] {
        try connection.query(
            """
            SELECT DISTINCT ON (site) event FROM radio_maps.node_calibrations
            ORDER BY site, calibrated_at DESC
            """
        ).map { try NodesCalibrated(json: try $0["event"]) }
    }

    /// Stores and announces a calibration, unless a newer one is there.
    ///
    /// - Returns: whether it was stored.
    func publish(_ calibration: NodesCalibrated, source: String) async throws -> Bool {
        let record = calibration.record(source: source)
        let site = PostgresValue.text(calibration.site.text)
        let isNew: Bool = try await pool.withTransaction { connection in
            let stored = try connection.query(
                """
                INSERT INTO radio_maps.node_calibrations (site, calibrated_at, event)
                SELECT $1, $2, $3 WHERE NOT EXISTS (
                    SELECT FROM radio_maps.node_calibrations
                    WHERE site = $1 AND calibrated_at >= $2)
                ON CONFLICT DO NOTHING
                """,
                [
                    site, .timestamp(microseconds: calibration.calibratedAt.microseconds),
                    .bytes(record.value ?? []),
                ])
            guard stored.affected == 1 else { return false }
            try connection.query(
                """
                DELETE FROM radio_maps.node_calibrations WHERE site = $1 AND calibrated_at < (
                    SELECT calibrated_at FROM radio_maps.node_calibrations WHERE site = $1
                    ORDER BY calibrated_at DESC OFFSET $2 LIMIT 1)
                """, [site, .int(Self.mostKept - 1)])
            try RadioMapStore.outbox.put([record], connection: connection)
            return true
        }
        if isNew { bell.ring() }
        return isNew
    }
}
