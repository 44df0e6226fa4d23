import EventLog
import Events
import LogViews
import Positioning
import Postgres
import Wire

/// Stores which positioners sites select, with the history: row and event are one transaction.
struct SelectionStore: Sendable {
    let pool: PostgresPool
    let bell: OutboxBell

    /// Selections of a site that are kept.
    static let mostKept = 100

    static let migration = Migrator.Step(
        "positioner-selections",
        """
        CREATE TABLE radio_maps.positioner_selections (
            site text NOT NULL,
            revision bigint NOT NULL,
            event bytea NOT NULL,
            -- The account or token; null for a selection that was read back from the log.
            selected_by text,
            PRIMARY KEY (site, revision))
        """)

    /// A selection, and who made it.
    struct Row: Sendable {
        var event: PositionerSelected
        var by: String?
    }

    /// The selections of a site, the newest first.
    func rows(of site: SiteID) async throws -> [Row] {
        try await pool.withConnection { try await Self.rows(of: site, connection: $0) }
    }

    private static func rows(
        of site: SiteID, connection: isolated PostgresConnection
    ) throws -> [Row] {
        try connection.query(
            """
            SELECT event, selected_by FROM radio_maps.positioner_selections
            WHERE site = $1 ORDER BY revision DESC LIMIT $2
            """, [.text(site.text), .int(mostKept)]
        ).map { row in
            Row(
                event: try PositionerSelected(json: try row["event"]), by: try row["selected_by"])
        }
    }

    /// Changes the selection of a site. One that is as before makes no event.
    ///
    /// - Parameters:
    ///   - caller: the account or token that changes it.
    ///   - change: gets the selections so far, the newest first.
    /// - Returns: the selections afterwards, and whether there is a new one.
    func select(
        at site: SiteID, by caller: String?, at moment: Timestamp,
        _ change: @escaping @Sendable ([PositionerSelected]) throws -> PositionerSelection
    ) async throws -> (rows: [Row], isNew: Bool) {
        let outcome = try await pool.withTransaction { connection in
            // One after the other: two would get the same number.
            try Self.lock(site, connection)
            let rows = try Self.rows(of: site, connection: connection)
            let selection = try change(rows.map(\.event))
            let newest = rows.first?.event
            guard selection != newest?.selection ?? PositionerSelection() else {
                return (rows: rows, isNew: false)
            }
            let event = PositionerSelected(
                site: site, revision: (newest?.revision ?? 0) + 1, selection: selection,
                selectedAt: Timestamp(milliseconds: moment.milliseconds))
            try Self.insert(event, by: caller, connection)
            try RadioMapStore.outbox.put(
                [event.record(source: MapBuilder.source)], connection: connection)
            return (rows: try Self.rows(of: site, connection: connection), isNew: true)
        }
        bell.ring()
        return outcome
    }

    private static func lock(_ site: SiteID, _ connection: isolated PostgresConnection) throws {
        try connection.query(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 16))", [.text(site.text)])
    }

    private static func insert(
        _ event: PositionerSelected, by caller: String?, _ connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            INSERT INTO radio_maps.positioner_selections (site, revision, event, selected_by)
            VALUES ($1, $2, $3, $4)
            """,
            [
                .text(event.site.text), .int(event.revision), .bytes(event.json),
                .optional(caller, PostgresValue.text),
            ])
        try connection.query(
            """
            DELETE FROM radio_maps.positioner_selections WHERE site = $1 AND revision <= $2
            """, [.text(event.site.text), .int(event.revision - mostKept)])
    }

    // MARK: The log

    /// The newest selection of each site.
    static func newest(_ connection: isolated PostgresConnection) throws -> [PositionerSelected] {
        try connection.query(
            """
            SELECT DISTINCT ON (site) event FROM radio_maps.positioner_selections
            ORDER BY site, revision DESC
            """
        ).map { try PositionerSelected(json: try $0["event"]) }
    }

    /// Stores selections of the log that the table lacks, after an older database came back.
    ///
    /// - Returns: how many there were.
    static func follow(
        _ logged: [PositionerSelected], _ connection: isolated PostgresConnection
    ) throws -> Int {
        let known = try newest(connection).map { ($0.site, $0.revision) }
        let revisions = Dictionary(known, uniquingKeysWith: { first, _ in first })
        let missing = logged.filter { $0.revision > revisions[$0.site] ?? 0 }
        for event in missing { try insert(event, by: nil, connection) }
        return missing.count
    }

    // MARK: Removed sites

    /// The sites of which anything is stored.
    func sites() async throws -> [SiteID] {
        try await pool.query(
            "SELECT DISTINCT site FROM radio_maps.positioner_selections ORDER BY site"
        ).map { SiteID(try $0["site"]) }
    }

    /// Removes the selections of a site, also from the log.
    func remove(_ site: SiteID) async throws {
        try await pool.withTransaction { connection in
            let removed = try connection.query(
                "DELETE FROM radio_maps.positioner_selections WHERE site = $1", [.text(site.text)])
            guard removed.affected > 0 else { return }
            try RadioMapStore.outbox.put(
                [PositionerSelected.tombstone(of: site)], connection: connection)
        }
        bell.ring()
    }

    /// Removes the selections of a site from before a moment; also from the log, where none is
    /// left.
    func remove(_ site: SiteID, before moment: Timestamp) async throws {
        try await pool.withTransaction { connection in
            try Self.lock(site, connection)
            let events = try Self.rows(of: site, connection: connection).map(\.event)
            let former = events.filter { $0.selectedAt < moment }
            guard let last = former.map(\.revision).max() else { return }
            try connection.query(
                "DELETE FROM radio_maps.positioner_selections WHERE site = $1 AND revision <= $2",
                [.text(site.text), .int(last)])
            guard former.count == events.count else { return }
            try RadioMapStore.outbox.put(
                [PositionerSelected.tombstone(of: site)], connection: connection)
        }
        bell.ring()
    }
}
