import Events
import LogViews
import Positioning
import Postgres
import RadioMapCare
import Wire

/// Notes of a site's newest radio map about single access points: their changes, and which
/// addresses belong to one radio. Changes are found in each building by itself.
struct PartNotes: Sendable {
    private struct Note: Sendable {
        var id: String
        /// The change as a JSON object.
        var change: String?
        /// Why the access point is not in the map; nil for one that is.
        var reason: String?
    }

    private var notes: [Note]

    static let migration = Migrator.Step(
        "access-point-notes",
        """
        CREATE TABLE radio_maps.access_point_notes (
            site text NOT NULL,
            id text NOT NULL,
            change text,
            is_ignored boolean NOT NULL,
            radio text,
            PRIMARY KEY (site, id))
        """)

    static let reasonMigration = Migrator.Step(
        "access-point-reasons", "ALTER TABLE radio_maps.access_point_notes ADD COLUMN reason text")

    init(_ changes: [TransmitterChange], refused: Set<HardwareAddress>) {
        var notes: [String: Note] = [:]
        for change in changes {
            let id = change.transmitter.description
            notes[id] = Note(
                id: id, change: change.json, reason: change.kind == .vanished ? "vanished" : nil)
        }
        for address in refused {
            let id = Transmitter.wifi(address).description
            notes[id] = Note(id: id, reason: "not-allowed")
        }
        self.notes = notes.values.sorted { $0.id < $1.id }
    }

    /// Replaces the notes of a building's former part.
    func replace(
        _ site: PostgresValue, _ building: BuildingID, _ connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            "DELETE FROM radio_maps.part_notes WHERE site = $1 AND building = $2",
            [site, .text(building.text)])
        try connection.query(
            """
            INSERT INTO radio_maps.part_notes (site, building, id, change, reason)
            SELECT $1, $2, id, change, reason FROM unnest($3::text[], $4::text[], $5::text[])
                AS new (id, change, reason)
            """,
            [
                site, .text(building.text), .textArray(notes.map(\.id)),
                .textArray(notes.map(\.change)), .textArray(notes.map(\.reason)),
            ])
    }

    /// Replaces the site's notes by those of its parts, and by the radios with several addresses.
    /// If several buildings have a note about one access point, the first one's shows.
    static func replaceAll(
        _ site: PostgresValue, groups: [[Transmitter]], _ connection: isolated PostgresConnection
    ) throws {
        let radios = groups.flatMap { group in
            group.map { (id: $0.description, radio: group[0].description) }
        }
        try connection.query("DELETE FROM radio_maps.access_point_notes WHERE site = $1", [site])
        try connection.query(
            """
            INSERT INTO radio_maps.access_point_notes (site, id, change, is_ignored, radio, reason)
            SELECT $1, id, notes.change, notes.reason IS NOT NULL, radios.radio, notes.reason
            FROM (SELECT DISTINCT ON (id) id, change, reason FROM radio_maps.part_notes
                WHERE site = $1 ORDER BY id, building) AS notes
            FULL JOIN unnest($2::text[], $3::text[]) AS radios (id, radio) USING (id)
            """, [site, .textArray(radios.map(\.id)), .textArray(radios.map(\.radio))])
    }
}
