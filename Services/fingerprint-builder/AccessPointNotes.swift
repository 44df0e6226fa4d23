import Events
import LogViews
import Positioning
import Postgres
import RadioMapCare
import Wire

/// Notes of a site's newest radio map about single access points: their changes, and which
/// addresses belong to one radio.
struct AccessPointNotes {
    /// Makes the table of notes in schema `radio_maps`.
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

    private struct Note {
        /// The change as a JSON object.
        var change: String?
        /// Why the access point is not in the map; nil for one that is.
        var reason: String?
        /// The first of the addresses that belong to the same radio.
        var radio: String?
    }

    private var notes: [String: Note] = [:]

    init(
        _ changes: [TransmitterChange], refused: Set<HardwareAddress>, groups: [[Transmitter]]
    ) {
        for change in changes {
            notes[change.transmitter.description] = Note(
                change: change.json, reason: change.kind == .vanished ? "vanished" : nil)
        }
        for address in refused {
            notes[Transmitter.wifi(address).description] = Note(reason: "not-allowed")
        }
        for group in groups {
            for member in group {
                notes[member.description, default: Note()].radio = group[0].description
            }
        }
    }

    /// Replaces the notes of the previous map.
    func replace(_ site: PostgresValue, _ connection: isolated PostgresConnection) throws {
        try connection.query("DELETE FROM radio_maps.access_point_notes WHERE site = $1", [site])
        let rows = notes.sorted { $0.key < $1.key }
        try connection.query(
            """
            INSERT INTO radio_maps.access_point_notes (site, id, change, is_ignored, radio, reason)
            SELECT $1, id, change, reason IS NOT NULL, radio, reason
            FROM unnest($2::text[], $3::text[], $4::text[], $5::text[])
                AS new (id, change, reason, radio)
            """,
            [
                site, .textArray(rows.map(\.key)), .textArray(rows.map(\.value.change)),
                .textArray(rows.map(\.value.reason)),
                .textArray(rows.map(\.value.radio)),
            ])
    }
}
