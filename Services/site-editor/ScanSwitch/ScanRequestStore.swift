import EventLog
import Events
import LogViews
import Postgres
import ScanSwitch
import ServiceHost
import Wire

/// Stores requests for scans for a day: rows and events are one transaction.
struct ScanRequestStore: Sendable {
    let pool: PostgresPool
    let bell: OutboxBell
    /// Knows which requests are done.
    let directory: ScanRequestDirectory

    static let table = "site_editor.scan_requests"

    static let migration = """
        CREATE TABLE \(table) (
            site text NOT NULL,
            id uuid NOT NULL,
            scanner text NOT NULL,
            number integer NOT NULL,
            asker text NOT NULL,
            asked_at timestamptz NOT NULL,
            until_at timestamptz NOT NULL,
            cancelled_at timestamptz,
            event bytea NOT NULL,
            PRIMARY KEY (site, id, scanner));
        CREATE INDEX scan_requests_of_time ON \(table) (site, until_at)
        """

    /// The most requests of a list.
    private static let listMaximum = 1_000

    struct Order: Sendable {
        var wish: ScanWish
        var id: EventID
        var site: SiteID
        var asker: String
        var reach: AskerReach
        /// The building of the wish's place.
        var building: BuildingID?
    }

    /// Makes a request; false when the same was made before.
    func ask(
        _ order: Order, at moment: Timestamp
    ) async throws -> (state: ScanRequestState, isNew: Bool) {
        let outcome = try await pool.withTransaction { connection in
            // Requests of a site are decided one after the other, since two may reach a limit
            // together.
            try connection.query(
                "SELECT pg_advisory_xact_lock(hashtextextended($1, 15))",
                [.text(order.site.text)])
            let state = try Self.state(order.id, order.site, connection: connection)
            let open = try openRequests(order, at: moment, connection: connection)
            let events = try state.ask(
                order.wish, id: order.id, site: order.site, asker: order.asker,
                reach: order.reach, placeIn: order.building,
                openOfAsker: Set(open.filter { $0.asker == order.asker }.map(\.id)).count,
                known: try Self.known(order, open, at: moment, connection: connection),
                at: moment.wholeMilliseconds)
            guard let events else { return (state: state, isNew: false) }
            for (number, event) in events.enumerated() {
                try Self.insert(event, number, connection: connection)
            }
            try SiteEditorSchema.outbox.put(
                events.map { $0.record(source: SiteEditorSchema.source) }, connection: connection)
            return (state: ScanRequestState(requested: events), isNew: true)
        }
        bell.ring()
        return outcome
    }

    /// Cancels a request that is open.
    func cancel(_ id: EventID, at site: SiteID, moment: Timestamp) async throws {
        try await pool.withTransaction { connection in
            try connection.query(
                "SELECT pg_advisory_xact_lock(hashtextextended($1, 15))", [.text(site.text)])
            let events = try Self.state(id, site, connection: connection)
                .cancel(at: moment.wholeMilliseconds)
            guard !events.isEmpty else { return }
            try connection.query(
                "UPDATE \(Self.table) SET cancelled_at = $3 WHERE site = $1 AND id = $2",
                [
                    .text(site.text), .uuid(id.bytes),
                    .timestamp(microseconds: moment.microseconds),
                ])
            try SiteEditorSchema.outbox.put(
                events.map { $0.record(source: SiteEditorSchema.source) }, connection: connection)
        }
        bell.ring()
    }

    func state(_ id: EventID, at site: SiteID) async throws -> ScanRequestState {
        try await pool.withTransaction { try Self.state(id, site, connection: $0) }
    }

    /// The newest requests of an asker; of all askers for nil.
    func list(of asker: String?, at site: SiteID) async throws -> [ScanRequestState] {
        let rows = try await pool.query(
            """
            SELECT event, cancelled_at FROM \(Self.table)
            WHERE site = $1 AND ($2::text IS NULL OR asker = $2)
            ORDER BY asked_at DESC, id DESC, number LIMIT $3
            """,
            [
                .text(site.text), .optional(asker, PostgresValue.text),
                .int(Self.listMaximum),
            ])
        var states: [(events: [ScanRequested], cancelledAt: Timestamp?)] = []
        for row in rows {
            let (event, cancelledAt) = try Self.read(row)
            if states.last?.events.first?.id == event.id {
                states[states.count - 1].events.append(event)
            } else {
                states.append(([event], cancelledAt))
            }
        }
        return states.map { ScanRequestState(requested: $0.events, cancelledAt: $0.cancelledAt) }
    }

    /// Forgets requests of yesterday.
    func sweep(at moment: Timestamp) async throws {
        let end = moment.advanced(byMicroseconds: -ScanRequestLimits.keptMicroseconds)
        try await pool.query(
            "DELETE FROM \(Self.table) WHERE until_at <= $1",
            [.timestamp(microseconds: end.microseconds)])
    }

    // MARK: Rows

    private func openRequests(
        _ order: Order, at moment: Timestamp, connection: isolated PostgresConnection
    ) throws -> [ScanRequested] {
        try connection.query(
            """
            SELECT event, cancelled_at FROM \(Self.table)
            WHERE site = $1 AND until_at > $2 AND cancelled_at IS NULL
                AND (asker = $3 OR scanner = ANY ($4))
            """,
            [
                .text(order.site.text), .timestamp(microseconds: moment.microseconds),
                .text(order.asker), .textArray(order.wish.scanners.map(\.text)),
            ]
        ).map { try Self.read($0).event }.filter { directory.standing($0.key)?.done == nil }
    }

    /// Each scanner as the tables have it. A token speaks for it, and it is of the token's
    /// buildings.
    private static func known(
        _ order: Order, _ open: [ScanRequested], at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws -> [ScannerID: AskedScanner] {
        let names = PostgresValue.textArray(order.wish.scanners.map(\.text))
        let now = PostgresValue.timestamp(microseconds: moment.microseconds)
        let paired: [String] = try connection.query(
            """
            SELECT scanner FROM \(PairingStore.table)
            WHERE site = $1 AND scanner = ANY ($2) AND visitor = $3 AND ended_at IS NULL
                AND until_at > $4
            """, [.text(order.site.text), names, .text(order.asker), now]
        ).map { try $0["scanner"] }
        let rows = try connection.query(
            """
            SELECT device, buildings FROM site_editor_names.tokens
            WHERE site = $1 AND device = ANY ($2) AND revoked_at IS NULL
                AND (expires_at IS NULL OR expires_at > $3)
            ORDER BY issued_at
            """, [.text(order.site.text), names, now])
        var known: [ScannerID: AskedScanner] = [:]
        for row in rows {
            let (scanner, buildings): (String, String) = (try row["device"], try row["buildings"])
            let id = ScannerID(scanner)
            known[id] = AskedScanner(
                isKnown: true,
                buildings: Set(buildings.split(separator: ",").map { BuildingID(String($0)) }),
                isPairedWithAsker: paired.contains(scanner),
                open: open.count { $0.scanner == id })
        }
        return known
    }

    private static func state(
        _ id: EventID, _ site: SiteID, connection: isolated PostgresConnection
    ) throws -> ScanRequestState {
        let rows = try connection.query(
            """
            SELECT event, cancelled_at FROM \(table) WHERE site = $1 AND id = $2 ORDER BY number
            """, [.text(site.text), .uuid(id.bytes)]
        ).map { try read($0) }
        return ScanRequestState(
            requested: rows.map(\.event), cancelledAt: rows.first?.cancelledAt)
    }

    private static func read(
        _ row: PostgresRow
    ) throws -> (event: ScanRequested, cancelledAt: Timestamp?) {
        let cancelled: Int64? = try row["cancelled_at"]
        return (
            try ScanRequested(json: try row["event"]),
            cancelled.map(Timestamp.init(microseconds:))
        )
    }

    private static func insert(
        _ event: ScanRequested, _ number: Int, connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            INSERT INTO \(table)
                (site, id, scanner, number, asker, asked_at, until_at, event)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .text(event.site.text), .uuid(event.id.bytes), .text(event.scanner.text),
                .int(number), .text(event.asker),
                .timestamp(microseconds: event.askedAt.microseconds),
                .timestamp(microseconds: event.until.microseconds), .bytes(event.json),
            ])
    }
}
