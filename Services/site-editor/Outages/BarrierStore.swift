import Barriers
import Cryptography
import EventLog
import Events
import LogViews
import Postgres
import Site
import Wire

/// Stores barriers until they are confirmed, dismissed or a day old: one row for a connection.
///
/// A confirmed barrier is an outage with the same id, made in the same transaction. The row then
/// only counts for the limits of reports. A backup has no barriers, but the outages.
struct BarrierStore: Sendable {
    static let table = "site_editor.barriers"
    static let migration = """
        CREATE TABLE \(table) (
            site text NOT NULL,
            connection text NOT NULL,
            id uuid NOT NULL UNIQUE,
            kind text NOT NULL,
            state text NOT NULL,
            reported_at timestamptz NOT NULL,
            until_at timestamptz NOT NULL,
            -- Of the first reporter, while the barrier waits.
            session bytea,
            address smallint,
            only_address smallint,
            PRIMARY KEY (site, connection));
        CREATE INDEX barriers_until ON \(table) (until_at)
        """

    /// A confirmed barrier has the mark of the first reporter's address in `address`, and this one.
    static let closersMigration = """
        ALTER TABLE \(table) ADD COLUMN second_address smallint;
        UPDATE \(table) SET address = only_address, second_address = only_address
            WHERE only_address IS NOT NULL
        """

    /// The two marks have taken its place.
    static let oneAddressMigration = "ALTER TABLE \(table) DROP COLUMN only_address"

    /// A time so far ahead is of a clock that was wrong.
    private static let aheadMicroseconds: Int64 = 3_600_000_000

    let pool: PostgresPool
    let bell: OutboxBell

    /// A report, once its place is known.
    struct Order: Sendable {
        /// The connections that the place may mean, best first; at least one.
        var connections: [ConnectionRecord]
        var kind: BarrierKind
        /// The id of the caller.
        var caller: String
        var address: String
        var isByStaff: Bool
    }

    /// Records a report.
    ///
    /// - Returns: the barrier, and whether the report changed anything; nil where as many of
    ///   the address wait as may.
    func report(
        _ order: Order, at site: SiteID, id: EventID, moment: Timestamp
    ) async throws -> (barrier: ReportedBarrier, isNew: Bool)? {
        let moment = moment.wholeMilliseconds
        let outcome = try await pool.withTransaction {
            connection -> (barrier: ReportedBarrier, isNew: Bool)? in
            try Self.lock(site, connection: connection)
            let open = try Self.rows(of: site, at: moment, connection: connection)
            let known = Self.known(order.connections, open)
            let record =
                order.connections.first { $0.id == known?.connection }
                ?? order.connections[0]
            if known?.state != .confirmed,
                let outage = try OutageStore.active(
                    of: site, on: record.id, at: moment, connection: connection)
            {
                // The staff knows already, and routes avoid it.
                return (Self.barrier(of: outage, order.kind), false)
            }
            let report = BarrierReport(
                site: site, connection: record.id, kind: order.kind, at: moment,
                isByStaff: order.isByStaff, isShort: BarrierGround.isShort(record))
            let reporter = BarrierReporter(
                session: Self.hash(order.caller, known?.id ?? id),
                address: Self.mark(order.address))
            let counts = BarrierCounts(
                open, known: known, address: reporter.address,
                connections: try Self.connections(of: site, connection: connection))
            switch report.decide(known: known, id: id, reporter: reporter, counts) {
            case .full: return nil
            case .stays(let barrier): return (barrier, false)
            case .waits(let barrier):
                if let leaving = BarrierCounts.leaving(open) {
                    try Self.remove(leaving, connection: connection)
                }
                try Self.put(barrier, connection: connection)
                return (barrier, true)
            case .closes(let barrier):
                try Self.close(
                    barrier, by: order.isByStaff ? order.caller : nil, at: moment,
                    connection: connection)
                return (barrier, true)
            }
        }
        bell.ring()
        return outcome
    }

    /// The barrier that a report is of: the nearest connection's, or one that waits on another.
    ///
    /// A decision about a lift says nothing about the lift beside it.
    private static func known(
        _ connections: [ConnectionRecord], _ open: [ReportedBarrier]
    ) -> ReportedBarrier? {
        if let own = open.first(where: { $0.connection == connections[0].id }) { return own }
        return connections.dropFirst().lazy.compactMap { record in
            open.first { $0.connection == record.id && $0.state == .waiting }
        }.first
    }

    /// Confirms a barrier for the staff. A confirmed one stays as it is.
    ///
    /// - Parameter newID: the id of a barrier that was dismissed before.
    func confirm(
        _ id: EventID, at site: SiteID, by staff: String, newID: EventID, moment: Timestamp
    ) async throws -> ReportedBarrier {
        let moment = moment.wholeMilliseconds
        let barrier = try await pool.withTransaction { connection in
            try Self.lock(site, connection: connection)
            let known = try Self.row(id, of: site, at: moment, connection: connection)
            guard known.state != .confirmed else { return known }
            var barrier = known.confirmed(at: moment)
            // The outage of a barrier that was dismissed before may have its id.
            if known.state == .dismissed { barrier.id = newID }
            try Self.close(barrier, by: staff, at: moment, connection: connection)
            return barrier
        }
        bell.ring()
        return barrier
    }

    /// Ends a barrier that waits, for anybody who found none there. Its row goes, so that the next
    /// report begins anew. A decided one stays as it is: the staff ends it.
    ///
    /// - Parameter isSeen: whether a barrier is for the caller.
    /// - Returns: the barrier that stays; nil where it is gone.
    /// - Throws: `OutageRefusal.nothingToEnd` where the caller sees no such barrier.
    func deny(
        _ id: EventID, at site: SiteID, moment: Timestamp,
        isSeen: @escaping @Sendable (ReportedBarrier) -> Bool
    ) async throws -> ReportedBarrier? {
        let moment = moment.wholeMilliseconds
        return try await pool.withTransaction { connection -> ReportedBarrier? in
            try Self.lock(site, connection: connection)
            let known = try Self.row(id, of: site, at: moment, connection: connection)
            guard isSeen(known) else { throw OutageRefusal.nothingToEnd }
            guard known.isEndedByDenial else { return known }
            try Self.remove(known, connection: connection)
            return nil
        }
    }

    /// Dismisses a barrier, for the staff. The outage of a confirmed one ends.
    ///
    /// - Returns: whether an outage ended.
    func dismiss(
        _ id: EventID, at site: SiteID, by staff: String, moment: Timestamp
    ) async throws -> Bool {
        let moment = moment.wholeMilliseconds
        let hasEnded = try await pool.withTransaction { connection in
            try Self.lock(site, connection: connection)
            let known = try Self.row(id, of: site, at: moment, connection: connection)
            guard known.state != .dismissed else { return false }
            if known.state == .confirmed {
                try OutageStore.end(id, by: staff, at: moment, connection: connection)
            }
            try Self.put(known.dismissed(at: moment), connection: connection)
            return known.state == .confirmed
        }
        bell.ring()
        return hasEnded
    }

    /// The barriers of a site that are not gone, oldest first.
    func list(of site: SiteID, at moment: Timestamp) async throws -> [ReportedBarrier] {
        try await pool.withTransaction { connection in
            try Self.rows(of: site, at: moment, connection: connection)
        }
    }

    /// Whether the caller reported a barrier that waits.
    static func isOwn(_ barrier: ReportedBarrier, _ caller: String) -> Bool {
        barrier.reporter?.session == hash(caller, barrier.id)
    }

    /// Removes what is past its end, or of a clock that was ahead.
    func sweep(at moment: Timestamp) async throws {
        let ahead = moment.advanced(byMicroseconds: Self.aheadMicroseconds)
        try await pool.query(
            "DELETE FROM \(Self.table) WHERE until_at <= $1 OR reported_at > $2",
            [
                .timestamp(microseconds: moment.microseconds),
                .timestamp(microseconds: ahead.microseconds),
            ])
    }

    /// The same lock as for outages: two reports may reach a limit together.
    private static func lock(
        _ site: SiteID, connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 2))", [.text(site.text)])
    }

    /// A caller's id under a barrier, so that two barriers of one caller don't show it.
    private static func hash(_ caller: String, _ barrier: EventID) -> [UInt8] {
        sha256(barrier.bytes + Array(caller.utf8))
    }

    /// One of 256 marks. Each is that of 17 million addresses.
    private static func mark(_ address: String) -> UInt8 { sha256(address.utf8)[0] }

    private static func barrier(of outage: OutageReported, _ kind: BarrierKind) -> ReportedBarrier {
        let until =
            outage.until
            ?? outage.from.advanced(
                byMicroseconds: BarrierReport.lastsMicroseconds)
        return ReportedBarrier(
            id: outage.id, site: outage.site, connection: outage.connection, kind: kind,
            reportedAt: outage.from, until: until, state: .confirmed, reporter: nil)
    }
}
