import Events
import Geometry
import Postgres
import Site

/// The published site's records as rows, for people who query the database.
enum SiteRows {
    /// - Parameter former: the document whose rows are there; nil before the first publication.
    static func write(
        _ event: SitePublished, after former: SiteDocument?, _ announced: SiteAnnounced,
        value: [UInt8], connection: isolated PostgresConnection
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
        func write<Record: SiteRecord>(_ table: Table<Record>) throws {
            try table.write(
                document[keyPath: Record.records],
                after: former?[keyPath: Record.records] ?? [], of: site, connection: connection)
        }
        try write(buildings)
        try write(floors)
        try write(rooms)
        try write(locations)
        try write(connections)
    }

    private static let buildings = Table<BuildingRecord>(
        "buildings",
        [
            Column("name", "text[]") { .textArray($0.map(\.name)) },
            Column("time_zone", "text[]") { .textArray($0.map(\.timeZone)) },
        ])

    private static let floors = Table<FloorRecord>(
        "floors",
        [
            Column("building", "text[]") { .textArray($0.map(\.building.text)) },
            Column("ordinal", "int[]") { .int32Array($0.map { Int32(clamping: $0.ordinal) }) },
            Column("level", "text[]") { .textArray($0.map(\.level)) },
        ])

    private static let rooms = Table<RoomRecord>(
        "rooms",
        [
            Column("floor", "text[]") { .textArray($0.map(\.floor.text)) },
            Column("name", "text[]") { .textArray($0.map(\.name)) },
            Column("kind", "text[]") { .textArray($0.map(\.kind)) },
        ])

    private static let locations = Table<LocationRecord>(
        "locations",
        [
            Column("floor", "text[]") { .textArray($0.map(\.floor.text)) },
            Column("room", "text[]") { .textArray($0.map { $0.room?.text }) },
            Column("x", "float8[]") { .doubleArray($0.map(\.point.x)) },
            Column("y", "float8[]") { .doubleArray($0.map(\.point.y)) },
        ])

    private static let connections = Table<ConnectionRecord>(
        "connections",
        [
            Column("kind", "text[]") { .textArray($0.map(\.kind.rawValue)) },
            Column("name", "text[]") { .textArray($0.map(\.name)) },
            Column("accessible", "text[]") { .textArray($0.map(\.accessible.rawValue)) },
        ])

    /// A column behind `site` and `id`, and its values of all records.
    private struct Column<Record>: Sendable {
        let name: String
        let type: String
        let values: @Sendable ([Record]) -> PostgresValue

        init(
            _ name: String, _ type: String,
            _ values: @escaping @Sendable ([Record]) -> PostgresValue
        ) {
            (self.name, self.type, self.values) = (name, type, values)
        }
    }

    private struct Table<Record: SiteRecord>: Sendable {
        let name: String
        let columns: [Column<Record>]

        init(_ name: String, _ columns: [Column<Record>]) {
            (self.name, self.columns) = (name, columns)
        }

        /// Writes the rows of new and changed records, and deletes those of records that are gone.
        func write(
            _ records: [Record], after former: [Record], of site: PostgresValue,
            connection: isolated PostgresConnection
        ) throws {
            guard records != former else { return }
            let known = Dictionary(
                former.map { ($0.idText, $0) }, uniquingKeysWith: { first, _ in first })
            let changed = records.filter { known[$0.idText] != $0 }
            let gone = Set(known.keys).subtracting(records.map(\.idText))
            let outdated = changed.map(\.idText).filter { known[$0] != nil } + gone.sorted()
            if !outdated.isEmpty {
                try connection.query(
                    "DELETE FROM site_editor.\(name) WHERE site = $1 AND id = ANY ($2)",
                    [site, .textArray(outdated)])
            }
            guard !changed.isEmpty else { return }
            let names = (["site", "id"] + columns.map(\.name)).joined(separator: ", ")
            let arrays = columns.enumerated().map { ", $\($0.offset + 3)::\($0.element.type)" }
            try connection.query(
                """
                INSERT INTO site_editor.\(name) (\(names))
                SELECT $1, * FROM unnest($2::text[]\(arrays.joined()))
                """,
                [site, .textArray(changed.map(\.idText))] + columns.map { $0.values(changed) })
        }
    }
}
