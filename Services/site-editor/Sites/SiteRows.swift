import Events
import Geometry
import Postgres
import Site

/// The published site's records as rows, for people who query the database.
enum SiteRows {
    static func write(
        _ event: SitePublished, _ announced: SiteAnnounced, value: [UInt8],
        connection: isolated PostgresConnection
    ) throws {
        let document = event.document
        let site = PostgresValue.text(event.site.text)
        try connection.query(
            """
            INSERT INTO site_editor.sites
                (id, name, version, published_at, event, document_hash, document_pieces)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, version = excluded.version,
                published_at = excluded.published_at, event = excluded.event,
                document_hash = excluded.document_hash, document_pieces = excluded.document_pieces
            """,
            [
                site, .text(document.name), .int(event.version),
                .timestamp(microseconds: event.publishedAt.microseconds), .bytes(value),
                .text(announced.hash), .int32(Int32(clamping: announced.pieces)),
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
        try writePlaces(document, site, connection: connection)
    }

    private static func writePlaces(
        _ document: SiteDocument, _ site: PostgresValue, connection: isolated PostgresConnection
    ) throws {
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
                .doubleArray(document.locations.map(\.point.x)),
                .doubleArray(document.locations.map(\.point.y)),
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
