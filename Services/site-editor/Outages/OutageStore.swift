import EventLog
import Events
import LogViews
import Postgres
import Site
import Wire

/// Stores outages: row and event are one transaction.
struct OutageStore: Sendable {
    let pool: PostgresPool
    let bell: OutboxBell

    struct Row: Sendable {
        var reported: OutageReported
        var ended: OutageEnded?
    }

    static let callersMigration = """
        ALTER TABLE site_editor.outages ADD COLUMN reporter text, ADD COLUMN ender text
        """

    struct Query: Sendable {
        var site: SiteID
        var connection: ConnectionID?
        /// True for outages that hold now, false for all others, nil for both.
        var isActive: Bool?
        var after: EventID?
        var limit: Int
        var now: Timestamp
    }

    /// Records a report; false when the same was reported before.
    /// - Parameter caller: the id of the account or token that reports it.
    func report(
        _ submission: OutageSubmission, site: SiteID, id: EventID, by caller: String?,
        at moment: Timestamp
    ) async throws -> (row: Row, isNew: Bool) {
        let outcome = try await pool.withTransaction { connection in
            // Reports are checked one after the other, since two may have one id or reach the limit
            // together.
            try connection.query(
                "SELECT pg_advisory_xact_lock(hashtextextended($1, 2))", [.text(site.text)])
            let known = try Self.row(id, connection: connection)
            let state = OutageState(reported: known?.reported, ended: known?.ended)
            let report = OutageReported(
                site: site, id: id, connection: submission.connection,
                from: (submission.from ?? known?.reported.from ?? moment).wholeMilliseconds,
                until: submission.until?.wholeMilliseconds, reason: submission.reason,
                reportedBy: submission.reportedBy, reportedAt: moment.wholeMilliseconds,
                reporter: caller)
            let (exists, open) = try Self.circumstances(of: report, connection: connection)
            let event = try state.report(report, exists: exists, open: open)
            guard let event else { return (row: known ?? Row(reported: report), isNew: false) }
            try Self.record(event, connection: connection)
            return (row: Row(reported: event), isNew: true)
        }
        bell.ring()
        return outcome
    }

    /// Ends an outage.
    /// - Parameter site: the token's own site; outages of other sites can't be ended.
    /// - Parameter reaches: whether the caller may end outages of the site.
    func end(
        _ id: EventID, by name: String, ender: String?, at moment: Timestamp,
        reaches: @escaping @Sendable (SiteID) -> Bool
    ) async throws {
        try await pool.withTransaction { connection in
            let known = try Self.row(id, locking: true, connection: connection)
            var state = OutageState()
            if let known, reaches(known.reported.site) {
                state = OutageState(reported: known.reported, ended: known.ended)
            }
            let event = try state.end(by: name, ender: ender, at: moment.wholeMilliseconds)
            try Self.record(event, connection: connection)
        }
        bell.ring()
    }

    /// Stores a report, and appends it to the log.
    static func record(
        _ event: OutageReported, connection: isolated PostgresConnection
    ) throws {
        try insert(event, connection: connection)
        try SiteEditorSchema.outbox.put(
            [event.withoutNames.record(source: SiteEditorSchema.source)], connection: connection)
    }

    /// Stores an end, and appends it to the log.
    static func record(_ event: OutageEnded, connection: isolated PostgresConnection) throws {
        try note(event, connection: connection)
        try SiteEditorSchema.outbox.put(
            [event.withoutNames.record(source: SiteEditorSchema.source)], connection: connection)
    }

    /// Writes the end of an outage into its row.
    static func note(_ event: OutageEnded, connection: isolated PostgresConnection) throws {
        try connection.query(
            "UPDATE site_editor_names.outages SET ended_at = $2, ended_by = $3, ender = $4 "
                + "WHERE id = $1",
            [
                .uuid(event.outage.id.bytes), .timestamp(microseconds: event.endedAt.microseconds),
                .text(event.endedBy), .optional(event.ender, PostgresValue.text),
            ])
    }

    /// The outages in the order of their ids, which is the order of their reports.
    func rows(_ query: Query) async throws -> [Row] {
        let active = Self.isActive("$5")
        return try await pool.query(
            """
            \(Self.selection)
            WHERE site = $1 AND ($2::text IS NULL OR connection = $2)
                AND ($3::uuid IS NULL OR id > $3) AND ($4::bool IS NULL OR ($4 = (\(active))))
            ORDER BY id LIMIT $6
            """,
            [
                .text(query.site.text), .optional(query.connection?.text, PostgresValue.text),
                .optional(query.after?.bytes, PostgresValue.uuid),
                .optional(query.isActive, PostgresValue.bool),
                .timestamp(microseconds: query.now.microseconds), .int(query.limit),
            ]
        ).compactMap(Self.read)
    }

    /// Whether any outage of the site is stored.
    func hasAny(of site: SiteID) async throws -> Bool {
        try await pool.hasRows(ofSite: site.text, in: "site_editor_names.outages")
    }

    func hasAny(of site: SiteID, on connection: ConnectionID) async throws -> Bool {
        try await pool.hasRows(
            ofSite: site.text, with: connection.text, in: "connection",
            of: "site_editor_names.outages")
    }

    /// The condition of outages that hold at a moment.
    private static func isActive(_ moment: String) -> String {
        "begins_at <= \(moment) AND ended_at IS NULL AND (until_at IS NULL OR until_at > \(moment))"
    }

    /// An outage that holds on the connection; nil where none does.
    static func active(
        of site: SiteID, on way: ConnectionID, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws -> OutageReported? {
        try connection.query(
            """
            \(selection) WHERE site = $1 AND connection = $2 AND \(isActive("$3"))
            ORDER BY id LIMIT 1
            """,
            [
                .text(site.text), .text(way.text), .timestamp(microseconds: moment.microseconds),
            ]
        ).first.flatMap(read)?.reported
    }

    private static let selection = """
        SELECT id, site, connection, begins_at, until_at, reason, reported_by, reported_at,
            ended_at, ended_by, reporter, ender
        FROM site_editor_names.outages
        """

    static func row(
        _ id: EventID, locking: Bool = false, connection: isolated PostgresConnection
    ) throws -> Row? {
        try connection.query(
            "\(selection) WHERE id = $1 \(locking ? "FOR UPDATE" : "")", [.uuid(id.bytes)]
        ).first.flatMap(read)
    }

    private static func read(_ row: PostgresRow) throws -> Row? {
        let id: [UInt8] = try row["id"]
        guard let id = EventID(bytes: id) else { return nil }
        let until: Int64? = try row["until_at"]
        let reported = OutageReported(
            site: SiteID(try row["site"]), id: id, connection: ConnectionID(try row["connection"]),
            from: Timestamp(microseconds: try row["begins_at"]),
            until: until.map(Timestamp.init(microseconds:)), reason: try row["reason"],
            reportedBy: try row["reported_by"],
            reportedAt: Timestamp(microseconds: try row["reported_at"]),
            reporter: try row["reporter"])
        let endedAt: Int64? = try row["ended_at"]
        let endedBy: String? = try row["ended_by"]
        guard let endedAt, let endedBy else { return Row(reported: reported) }
        return Row(
            reported: reported,
            ended: OutageEnded(
                outage: reported, endedAt: Timestamp(microseconds: endedAt), endedBy: endedBy,
                ender: try row["ender"]))
    }

    /// The newest event of every outage, as the log has it.
    static func recordsOfAll(connection: isolated PostgresConnection) throws -> [LogRecord] {
        try connection.query("\(selection) ORDER BY id").compactMap { row in
            guard let row = try read(row) else { return nil }
            let source = SiteEditorSchema.source
            return row.ended?.withoutNames.record(source: source)
                ?? row.reported.withoutNames.record(source: source)
        }
    }

    /// The outages of a site that nobody has ended.
    static func openOutages(
        of site: SiteID, connection: isolated PostgresConnection
    ) throws -> [OutageReported] {
        try connection.query(
            "\(selection) WHERE site = $1 AND ended_at IS NULL ORDER BY id FOR UPDATE",
            [.text(site.text)]
        ).compactMap { try read($0)?.reported }
    }

    /// Whether the site has the connection, and how many of its outages are not over.
    static func circumstances(
        of report: OutageReported, connection: isolated PostgresConnection
    ) throws -> (exists: Bool, open: Int) {
        let rows = try connection.query(
            """
            SELECT EXISTS (SELECT FROM site_editor.connections WHERE site = $1 AND id = $2) \
            AS exists,
                (SELECT count(*) FROM site_editor_names.outages WHERE site = $1 AND ended_at IS NULL
                    AND (until_at IS NULL OR until_at > $3)) AS open
            """,
            [
                .text(report.site.text), .text(report.connection.text),
                .timestamp(microseconds: report.reportedAt.microseconds),
            ])
        guard let row = rows.first else { return (false, 0) }
        return (try row["exists"], try row["open"])
    }

    static func insert(
        _ event: OutageReported, connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            INSERT INTO site_editor_names.outages
                (id, site, connection, begins_at, until_at, reason, reported_by, reported_at,
                reporter)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                .uuid(event.id.bytes), .text(event.site.text), .text(event.connection.text),
                .timestamp(microseconds: event.from.microseconds),
                .optional(event.until?.microseconds) { .timestamp(microseconds: $0) },
                .text(event.reason), .text(event.reportedBy),
                .timestamp(microseconds: event.reportedAt.microseconds),
                .optional(event.reporter, PostgresValue.text),
            ])
    }
}

extension Timestamp {
    /// The time in complete milliseconds, as the wire carries it. An event that is written and read
    /// again is then equal.
    var wholeMilliseconds: Timestamp { Timestamp(milliseconds: milliseconds) }
}
