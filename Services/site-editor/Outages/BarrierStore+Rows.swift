import Barriers
import Events
import Postgres
import Site

extension BarrierStore {
    private static let columns = """
        id, site, connection, kind, state, reported_at, until_at, session, address, second_address
        """

    /// The barriers of a site that are not gone, oldest first. A confirmed one whose outage
    /// somebody has ended is gone, and so is one whose connection the site no longer has.
    static func rows(
        of site: SiteID, at moment: Timestamp, connection: isolated PostgresConnection
    ) throws -> [ReportedBarrier] {
        try connection.query(
            """
            SELECT \(columns) FROM \(table) AS barrier
            WHERE site = $1 AND until_at > $2 AND EXISTS (
                SELECT FROM site_editor.connections AS way
                WHERE way.site = barrier.site AND way.id = barrier.connection)
            AND (state <> 'confirmed' OR EXISTS (
                SELECT FROM site_editor_names.outages AS outage
                WHERE outage.id = barrier.id AND outage.ended_at IS NULL))
            ORDER BY reported_at, id
            """, [.text(site.text), .timestamp(microseconds: moment.microseconds)]
        ).compactMap(read)
    }

    /// - Throws: `OutageRefusal.nothingToEnd` where there is no such barrier.
    static func row(
        _ id: EventID, of site: SiteID, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws -> ReportedBarrier {
        guard
            let known = try rows(of: site, at: moment, connection: connection)
                .first(where: { $0.id == id })
        else { throw OutageRefusal.nothingToEnd }
        return known
    }

    /// Puts the row of the connection; a former one goes.
    static func put(_ barrier: ReportedBarrier, connection: isolated PostgresConnection) throws {
        try connection.query(
            """
            INSERT INTO \(table) (\(columns))
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            ON CONFLICT (site, connection) DO UPDATE SET
                id = excluded.id, kind = excluded.kind, state = excluded.state,
                reported_at = excluded.reported_at, until_at = excluded.until_at,
                session = excluded.session, address = excluded.address,
                second_address = excluded.second_address
            """,
            [
                .uuid(barrier.id.bytes), .text(barrier.site.text), .text(barrier.connection.text),
                .text(barrier.kind.rawValue), .text(barrier.state.rawValue),
                .timestamp(microseconds: barrier.reportedAt.microseconds),
                .timestamp(microseconds: barrier.until.microseconds),
                .optional(barrier.reporter?.session, PostgresValue.bytes),
                .optional(
                    (barrier.reporter?.address ?? barrier.closers.first).map(Int.init),
                    PostgresValue.int),
                .optional(barrier.closers.dropFirst().first.map(Int.init), PostgresValue.int),
            ])
    }

    /// Puts a confirmed barrier with its outage.
    static func close(
        _ barrier: ReportedBarrier, by staff: String?, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        try OutageStore.add(barrier.outage(from: moment, by: staff), connection: connection)
        try put(barrier, connection: connection)
    }

    static func remove(
        _ barrier: ReportedBarrier, connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            "DELETE FROM \(table) WHERE id = $1", [.uuid(barrier.id.bytes)])
    }

    /// The number of connections of the site.
    static func connections(
        of site: SiteID, connection: isolated PostgresConnection
    ) throws -> Int {
        try connection.query(
            "SELECT count(*) AS connections FROM site_editor.connections WHERE site = $1",
            [.text(site.text)]
        ).first?["connections"] ?? 0
    }

    /// Nil for a kind or state of a later release.
    private static func read(_ row: PostgresRow) throws -> ReportedBarrier? {
        let (id, kind, state): ([UInt8], String, String) = (
            try row["id"], try row["kind"], try row["state"]
        )
        guard let id = EventID(bytes: id), let kind = BarrierKind(rawValue: kind),
            let state = ReportedBarrier.State(rawValue: state)
        else { return nil }
        let (session, address): ([UInt8]?, Int?) = (try row["session"], try row["address"])
        let second: Int? = try row["second_address"]
        var reporter: BarrierReporter?
        if let session, let address {
            reporter = BarrierReporter(session: session, address: UInt8(clamping: address))
        }
        return ReportedBarrier(
            id: id, site: SiteID(try row["site"]), connection: ConnectionID(try row["connection"]),
            kind: kind, reportedAt: Timestamp(microseconds: try row["reported_at"]),
            until: Timestamp(microseconds: try row["until_at"]), state: state, reporter: reporter,
            closers: second == nil
                ? [] : [address, second].compactMap(\.self).map { UInt8(clamping: $0) })
    }
}
