import EventLog
import Events
import LogViews
import Postgres
import Retrying
import ScanSwitch
import ServiceHost
import Wire

/// Stores requests for scans for a day: rows and events are one transaction.
struct ScanRequestStore: Sendable {
    let pool: PostgresPool
    let bell: OutboxBell
    /// Knows which requests are done.
    let directory: ScanRequestDirectory
    let notices: Notices
    /// Rows that can't be read are reported once an hour for a site.
    let unreadable = Occasional<SiteID>(1, per: .seconds(3_600))

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
            -- Whether the asker might ask this scanner only because of their pairing.
            needs_pairing boolean NOT NULL,
            PRIMARY KEY (site, id, scanner));
        CREATE INDEX scan_requests_of_time ON \(table) (site, until_at)
        """

    /// For the scans of an asker within a day.
    static let askersMigration =
        "CREATE INDEX scan_requests_of_asker ON \(table) (asker, asked_at)"

    /// The most requests of a list.
    private static let listMaximum = 1_000
    /// Requests of a time so far ahead are of a clock that was wrong.
    private static let aheadMicroseconds: Int64 = 3_600_000_000

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
            try Self.lock(order.site, connection: connection)
            let stored = try self.rows(of: order.id, order.site, connection: connection)
            // A row that can't be read is another request under this id.
            guard stored.isComplete else { throw ScanRequestRefusal.sameIDForAnother }
            let state = Self.state(stored.read)
            let asked = try self.asked(order, at: moment, connection: connection)
            let own = asked.filter { $0.asker == order.asker }
            let known = try Self.known(order, asked, at: moment, connection: connection)
            let scansInDay = try Self.scansInDay(
                of: order.asker, at: moment, connection: connection)
            let events = try state.ask(
                order.wish, id: order.id, site: order.site, asker: order.asker,
                reach: order.reach, placeIn: order.building,
                openOfAsker: Set(own.filter(\.isOpen).map(\.key.id)).count,
                latelyOfAsker: Set(own.filter(\.isRecent).map(\.key.id)).count,
                scansInDay: scansInDay, known: known, at: moment.wholeMilliseconds)
            guard let events else { return (state: state, isNew: false) }
            for (number, event) in events.enumerated() {
                let isReached =
                    known[event.scanner].map {
                        order.reach.covers($0, placeIn: order.building)
                    } ?? false
                try Self.insert(
                    event, number, needsPairing: !isReached, connection: connection)
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
            try Self.lock(site, connection: connection)
            try self.cancel(id, at: site, moment: moment, connection: connection)
        }
        bell.ring()
    }

    /// Cancels what a visitor might ask of a scanner only because of their pairing, in the
    /// transaction that has ended it. Requests that the asker's role permits stay.
    ///
    /// A request is cancelled as a whole. So it stays, too, while another of its scanners may still
    /// answer this asker, by role or by a pairing. Then it is over within a minute.
    ///
    /// The caller has locked the site's requests, and rings the bell.
    func cancelOpen(
        of visitor: String, to scanner: ScannerID, at site: SiteID, moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        let asked = try connection.query(
            """
            SELECT id, scanner, NOT needs_pairing OR EXISTS (
                    SELECT FROM \(PairingStore.table) AS pairing
                    WHERE pairing.site = $1 AND pairing.visitor = $2
                        AND pairing.scanner = asked.scanner
                        AND pairing.ended_at IS NULL AND pairing.until_at > $4) AS is_permitted
            FROM \(Self.table) AS asked
            WHERE site = $1 AND asker = $2 AND until_at > $4 AND cancelled_at IS NULL
                AND id IN (
                    SELECT id FROM \(Self.table)
                    WHERE site = $1 AND asker = $2 AND scanner = $3 AND until_at > $4
                        AND needs_pairing)
            """,
            [
                .text(site.text), .text(visitor), .text(scanner.text),
                .timestamp(microseconds: moment.microseconds),
            ])
        var (ids, kept): (Set<EventID>, Set<EventID>) = ([], [])
        for row in asked {
            let bytes: [UInt8] = try row["id"]
            guard let id = EventID(bytes: bytes) else { continue }
            ids.insert(id)
            let key = ScanRequestKey(site: site, id: id, scanner: ScannerID(try row["scanner"]))
            let isPermitted: Bool = try row["is_permitted"]
            if isPermitted, directory.standing(key)?.done == nil { kept.insert(id) }
        }
        for id in ids.subtracting(kept).sorted() {
            try cancel(id, at: site, moment: moment, connection: connection)
        }
    }

    private func cancel(
        _ id: EventID, at site: SiteID, moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        let events = try Self.state(rows(of: id, site, connection: connection).read)
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

    func state(_ id: EventID, at site: SiteID) async throws -> ScanRequestState {
        try await pool.withTransaction { connection in
            Self.state(try self.rows(of: id, site, connection: connection).read)
        }
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
        for (event, cancelledAt) in try readable(rows, of: site) {
            if states.last?.events.first?.id == event.id {
                states[states.count - 1].events.append(event)
            } else {
                states.append(([event], cancelledAt))
            }
        }
        return states.map { ScanRequestState(requested: $0.events, cancelledAt: $0.cancelledAt) }
    }

    /// Forgets requests of yesterday, and those of a clock that was ahead.
    func sweep(at moment: Timestamp) async throws {
        let end = moment.advanced(byMicroseconds: -ScanRequestLimits.keptMicroseconds)
        let ahead = moment.advanced(byMicroseconds: Self.aheadMicroseconds)
        try await pool.query(
            "DELETE FROM \(Self.table) WHERE until_at <= $1 OR asked_at > $2",
            [
                .timestamp(microseconds: end.microseconds),
                .timestamp(microseconds: ahead.microseconds),
            ])
    }
}
