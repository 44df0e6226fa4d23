import EventLog
import Events
import Postgres
import Wire

/// Everything in a backup that holds offsets of the log that was backed up. A restored record gets
/// another offset. A test fails for a column or a member of an event that looks like an offset and
/// is not here.
///
/// Offsets of groups are translated by `TopicRestoring`. Views are not in a backup: their positions
/// are made again with them.
public enum HeldOffsets {
    /// Columns with an offset of the former topic `surveys`. They stay: a survey that was copied
    /// keeps its place there in the header `former-offset`.
    public static let columnNames = ["radio_maps.judged.next_offset"]

    /// Members of events. `RestoredOffset.translated` clears those of radio maps and moves those of
    /// dead letters. Those of judged surveys and the header `former-offset` stay, as the columns.
    public static let members: Set = ["surveyOffsets", "offset", "former-offset"]

    /// Clears those of the announcements that radio maps keep.
    static func clear(_ connection: isolated PostgresConnection) throws {
        guard try exists("radio_maps.radio_maps", connection) else { return }
        for row in try connection.query("SELECT site, version, event FROM radio_maps.radio_maps") {
            let (site, version): (String, Int64) = (try row["site"], try row["version"])
            guard var event = try? RadioMapAnnounced(json: row["event"]) else { continue }
            event.surveyOffsets = []
            try connection.query(
                "UPDATE radio_maps.radio_maps SET event = $3 WHERE site = $1 AND version = $2",
                [.text(site), .int64(version), .bytes(event.json)])
        }
    }

    /// Whether events wait in the table for the log, or were set aside.
    static func isOutbox(_ table: String) -> Bool {
        table.hasSuffix(".outbox") || table.hasSuffix(".outbox_set_aside")
    }

    /// Translates the events that still wait in an outbox, or were set aside.
    static func translate(
        outbox: String, _ connection: isolated PostgresConnection
    ) throws {
        for row in try connection.query(
            "SELECT id, topic, key, value, headers FROM \(outbox) WHERE value IS NOT NULL")
        {
            let id: Int64 = try row["id"]
            guard let headers = LogHeaders(encoded: try row["headers"]) else { continue }
            let record = StoredRecord(
                topic: try row["topic"], partition: 0, offset: 0, appendedAtMicroseconds: 0,
                key: try row["key"], value: try row["value"], headers: headers)
            guard let value = RestoredOffset.translated(record) else { continue }
            try connection.query(
                "UPDATE \(outbox) SET value = $2 WHERE id = $1", [.int64(id), .bytes(value)])
        }
    }

    private static func exists(
        _ table: String, _ connection: isolated PostgresConnection
    ) throws -> Bool {
        try connection.query("SELECT to_regclass($1) IS NOT NULL AS there", [.text(table)])[0][
            "there"]
    }
}
