import Events
import Postgres
import Retrying
import ScanSwitch
import ServiceHost
import Wire

/// The rows of requests for scans.
extension ScanRequestStore {
    typealias Row = (event: ScanRequested, cancelledAt: Timestamp?)

    /// A request to one scanner, as far as the limits count it.
    struct Asked {
        var key: ScanRequestKey
        var asker: String
        var isOpen: Bool
        /// Whether it is of the last minute, in whatever state.
        var isRecent: Bool
    }

    /// Begins a transaction about a site's requests or pairings. These are decided one after the
    /// other, since two may reach a limit together.
    ///
    /// All keep one order, so that none waits for another that waits for it:
    /// 1. the site stays: lock 7, shared; whoever removes the site has it alone before any row;
    /// 2. lock 15, which asking, cancelling, pairing and the end of a pairing have;
    /// 3. the rows: `pairing_codes`, `pairings`, `scan_requests`, the outbox.
    ///
    /// To show a code needs no lock 15, since it changes one row and waits for nothing after it.
    /// A sweep has one statement for each table. If it ever crosses a removal, both try again.
    ///
    /// - Throws: `UnknownSite` if the site was removed.
    static func lock(_ site: SiteID, connection: isolated PostgresConnection) throws {
        try DeviceStore.keep(site, connection: connection)
        try connection.query(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 15))", [.text(site.text)])
    }

    /// The asker's requests, and those to the wish's scanners, that are open or of the last minute.
    func asked(
        _ order: Order, at moment: Timestamp, connection: isolated PostgresConnection
    ) throws -> [Asked] {
        let window = ScanRequestLimits.latelyMicroseconds
        // The clock of another copy may be a little ahead.
        let (first, last) = (
            moment.advanced(byMicroseconds: -window), moment.advanced(byMicroseconds: window)
        )
        return try connection.query(
            """
            SELECT id, scanner, asker, until_at > $2 AND cancelled_at IS NULL AS is_open,
                asked_at > $3 AND asked_at <= $4 AS is_recent
            FROM \(Self.table)
            WHERE site = $1 AND until_at > $3 AND (asker = $5 OR scanner = ANY ($6))
            """,
            [
                .text(order.site.text), .timestamp(microseconds: moment.microseconds),
                .timestamp(microseconds: first.microseconds),
                .timestamp(microseconds: last.microseconds), .text(order.asker),
                .textArray(order.wish.scanners.map(\.text)),
            ]
        ).compactMap { row -> Asked? in
            let bytes: [UInt8] = try row["id"]
            guard let id = EventID(bytes: bytes) else { return nil }
            let key = ScanRequestKey(
                site: order.site, id: id, scanner: ScannerID(try row["scanner"]))
            let isOpen: Bool = try row["is_open"]
            return Asked(
                key: key, asker: try row["asker"],
                isOpen: isOpen && directory.standing(key)?.done == nil,
                isRecent: try row["is_recent"])
        }
    }

    /// The scans that the asker asked for within a day, at all sites, in whatever state.
    static func scansInDay(
        of asker: String, at moment: Timestamp, connection: isolated PostgresConnection
    ) throws -> Int {
        let first = moment.advanced(byMicroseconds: -ScanRequestLimits.keptMicroseconds)
        // The clock of another copy may be a little ahead.
        let last = moment.advanced(byMicroseconds: ScanRequestLimits.latelyMicroseconds)
        return try connection.query(
            """
            SELECT count(*) AS count FROM \(table)
            WHERE asker = $1 AND asked_at > $2 AND asked_at <= $3
            """,
            [
                .text(asker), .timestamp(microseconds: first.microseconds),
                .timestamp(microseconds: last.microseconds),
            ])[0]["count"]
    }

    /// Each scanner as the tables have it. A token speaks for it, and it is of the token's
    /// buildings.
    static func known(
        _ order: Order, _ asked: [Asked], at moment: Timestamp,
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
                open: asked.count { $0.isOpen && $0.key.scanner == id },
                lately: asked.count { $0.isRecent && $0.key.scanner == id })
        }
        return known
    }

    /// The rows of a request in the order of its scanners, and whether all of them can be read.
    func rows(
        of id: EventID, _ site: SiteID, connection: isolated PostgresConnection
    ) throws -> (read: [Row], isComplete: Bool) {
        let rows = try connection.query(
            """
            SELECT event, cancelled_at FROM \(Self.table) WHERE site = $1 AND id = $2
            ORDER BY number
            """, [.text(site.text), .uuid(id.bytes)])
        let read = try readable(rows, of: site)
        return (read, read.count == rows.count)
    }

    static func state(_ rows: [Row]) -> ScanRequestState {
        ScanRequestState(requested: rows.map(\.event), cancelledAt: rows.first?.cancelledAt)
    }

    /// The rows without those that can't be read. These are no fault of the caller, and must not
    /// hide the others.
    func readable(_ rows: PostgresRows, of site: SiteID) throws -> [Row] {
        let read = try rows.compactMap { try Self.read($0) }
        let lost = rows.count - read.count
        if lost > 0, case .admit = unreadable.decide(site) {
            notices.onUnexpected(
                "\(lost) requests for scans of \(site) can't be read and are left out. A later "
                    + "release may have written them; they go within a day.")
        }
        return read
    }

    private static func read(_ row: PostgresRow) throws -> Row? {
        let cancelled: Int64? = try row["cancelled_at"]
        let json: [UInt8] = try row["event"]
        guard let event = try? ScanRequested(json: json) else { return nil }
        return (event, cancelled.map(Timestamp.init(microseconds:)))
    }

    static func insert(
        _ event: ScanRequested, _ number: Int, needsPairing: Bool,
        connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            INSERT INTO \(table)
                (site, id, scanner, number, asker, asked_at, until_at, event, needs_pairing)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                .text(event.site.text), .uuid(event.id.bytes), .text(event.scanner.text),
                .int(number), .text(event.asker),
                .timestamp(microseconds: event.askedAt.microseconds),
                .timestamp(microseconds: event.until.microseconds), .bytes(event.json),
                .bool(needsPairing),
            ])
    }
}
