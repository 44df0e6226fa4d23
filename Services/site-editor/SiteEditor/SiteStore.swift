import Cryptography
import EventLog
import Events
import HTTP
import LogViews
import Postgres
import ServiceHost
import Site
import Wire

/// Sites as they were decided: version check, rows and event in one transaction.
struct SiteStore: Sendable {
    let pool: PostgresPool
    let outbox: Outbox

    /// What `PUT /v1/sites/{site}` did.
    struct Outcome: Sendable {
        var version: Int
        var isChanged: Bool
    }

    struct Summary: Sendable {
        var id: String
        var name: String
        var version: Int
        var publishedAt: Timestamp
    }

    /// Publishes the document as the site's next version, unless it is what is published already.
    /// - Throws: a `Problem` when the document is not valid or the version has moved on.
    func replace(
        _ site: SiteID, with document: SiteDocument, expectedVersion: Int?, at moment: Timestamp
    ) async throws -> Outcome {
        try await pool.withTransaction { connection in
            try connection.query(
                "SELECT pg_advisory_xact_lock(hashtextextended($1, 1))", [.text(site.text)])
            let state = try Self.state(of: site, connection: connection)
            let event: SitePublished?
            do throws(SiteRefusal) {
                event = try state.decide(
                    .replaceDocument(document, expectedVersion: expectedVersion), at: moment)
            } catch {
                throw error.problem
            }
            guard let event else { return Outcome(version: state.version, isChanged: false) }
            let record = event.record(source: SiteEditorSchema.source)
            try Self.write(event, value: record.value ?? [], connection: connection)
            try outbox.put([record], connection: connection)
            return Outcome(version: event.version, isChanged: true)
        }
    }

    func all() async throws -> [Summary] {
        try await pool.query(
            "SELECT id, name, version, published_at FROM site_editor.sites ORDER BY id"
        ).map { row in
            Summary(
                id: try row["id"], name: try row["name"], version: try row["version"],
                publishedAt: Timestamp(microseconds: try row["published_at"]))
        }
    }

    /// The event of the published version; nil when there is no such site.
    func published(_ site: SiteID) async throws -> SitePublished? {
        let rows = try await pool.query(
            "SELECT event FROM site_editor.sites WHERE id = $1", [.text(site.text)])
        guard let row = rows.first else { return nil }
        return try SitePublished(json: try row["event"])
    }

    private static func state(
        of site: SiteID, connection: isolated PostgresConnection
    ) throws -> SiteState {
        var state = SiteState(site: site)
        let rows = try connection.query(
            "SELECT event FROM site_editor.sites WHERE id = $1", [.text(site.text)])
        if let row = rows.first { state.evolve(try SitePublished(json: try row["event"])) }
        return state
    }

    private static func write(
        _ event: SitePublished, value: [UInt8], connection: isolated PostgresConnection
    ) throws {
        let document = event.document
        let site = PostgresValue.text(event.site.text)
        try connection.query(
            """
            INSERT INTO site_editor.sites (id, name, version, published_at, event)
            VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, version = excluded.version,
                published_at = excluded.published_at, event = excluded.event
            """,
            [
                site, .text(document.name), .int(event.version),
                .timestamp(microseconds: event.publishedAt.microseconds), .bytes(value),
            ])
        for table in ["buildings", "floors", "rooms", "locations", "connections"] {
            try connection.query("DELETE FROM site_editor.\(table) WHERE site = $1", [site])
        }
        try connection.query(
            """
            INSERT INTO site_editor.buildings (site, id, name, time_zone)
            SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[])
            """,
            [
                site, .textArray(document.buildings.map(\.id.text)),
                .textArray(document.buildings.map(\.name)),
                .textArray(document.buildings.map(\.timeZone)),
            ])
        try connection.query(
            """
            INSERT INTO site_editor.floors (site, id, building, ordinal, level)
            SELECT $1, * FROM unnest($2::text[], $3::text[], $4::int[], $5::text[])
            """,
            [
                site, .textArray(document.floors.map(\.id.text)),
                .textArray(document.floors.map(\.building.text)),
                .int32Array(document.floors.map { Int32(clamping: $0.ordinal) }),
                .textArray(document.floors.map(\.level)),
            ])
        try connection.query(
            """
            INSERT INTO site_editor.rooms (site, id, floor, name, kind)
            SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[])
            """,
            [
                site, .textArray(document.rooms.map(\.id.text)),
                .textArray(document.rooms.map(\.floor.text)),
                .textArray(document.rooms.map(\.name)), .textArray(document.rooms.map(\.kind)),
            ])
        try connection.query(
            """
            INSERT INTO site_editor.locations (site, id, floor, room, x, y)
            SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::float8[], $6::float8[])
            """,
            [
                site, .textArray(document.locations.map(\.id.text)),
                .textArray(document.locations.map(\.floor.text)),
                .textArray(document.locations.map { $0.room?.text }),
                .doubleArray(document.locations.map(\.x)),
                .doubleArray(document.locations.map(\.y)),
            ])
        try connection.query(
            """
            INSERT INTO site_editor.connections (site, id, kind, name, accessible)
            SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[])
            """,
            [
                site, .textArray(document.connections.map(\.id.text)),
                .textArray(document.connections.map(\.kind.rawValue)),
                .textArray(document.connections.map(\.name)),
                .textArray(document.connections.map(\.accessible.rawValue)),
            ])
    }
}

extension SiteRefusal {
    /// What the client is told.
    var problem: Problem {
        switch self {
        case .invalid(let faults):
            let first = faults.faults.prefix(10).map { "\($0.subject): \($0.detail)" }
            return Problem(
                422, "site-invalid",
                "\(faults.faults.count) fault(s): " + first.joined(separator: "; "))
        case .versionConflict(let expected, let actual):
            return Problem(
                412, "version-moved-on",
                "Version \(expected) was expected, but version \(actual) is published: "
                    + "read the site again, and send your change with its version.")
        }
    }
}
