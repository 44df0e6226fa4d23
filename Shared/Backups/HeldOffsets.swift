import EventLog
import Events
import Postgres
import Wire

/// Everything in a backup that holds offsets of the log that was backed up. A restored record gets
/// another offset, so each of these is translated. A test fails for a column or a member of an
/// event that looks like an offset and is not here.
///
/// Offsets of groups are translated by `GroupRestoring`. Views are not in a backup: their positions
/// are made again with them.
public enum HeldOffsets {
    /// A column with an offset of `surveys`, beside the column with its partition.
    struct Column: Sendable {
        var table: String
        var partition: String
        var offset: String
    }

    static let columns = [
        Column(table: "radio_maps.judged", partition: "log_partition", offset: "next_offset")
    ]

    /// The names of the columns with their tables.
    public static let columnNames = columns.map { "\($0.table).\($0.offset)" }

    /// Members of events that `RestoredOffset.translated` translates.
    public static let members: Set = ["surveyOffsets", "offset"]

    static func translate(
        _ surveys: RestoredOffset.Translation, _ connection: isolated PostgresConnection
    ) throws {
        for column in columns where try exists(column.table, connection) {
            for row in try connection.query(
                """
                SELECT ctid::text AS place, \(column.partition) AS part, \(column.offset) AS next
                FROM \(column.table)
                """)
            {
                let place: String = try row["place"]
                let next = surveys.offset(try row["next"], partition: try row["part"])
                try connection.query(
                    "UPDATE \(column.table) SET \(column.offset) = $2 WHERE ctid = $1::tid",
                    [.text(place), .int64(next)])
            }
        }
        try translateAnnouncements(surveys, connection)
    }

    /// Radio maps keep the event of their announcement.
    private static func translateAnnouncements(
        _ surveys: RestoredOffset.Translation, _ connection: isolated PostgresConnection
    ) throws {
        guard try exists("radio_maps.radio_maps", connection) else { return }
        for row in try connection.query("SELECT site, version, event FROM radio_maps.radio_maps") {
            let (site, version): (String, Int64) = (try row["site"], try row["version"])
            guard var event = try? RadioMapAnnounced(json: row["event"]) else { continue }
            event.surveyOffsets = surveys.offsets(event.surveyOffsets)
            try connection.query(
                "UPDATE radio_maps.radio_maps SET event = $3 WHERE site = $1 AND version = $2",
                [.text(site), .int64(version), .bytes(event.json)])
        }
    }

    /// Translates the events that still wait in an outbox.
    static func translate(
        outbox: String, _ surveys: RestoredOffset.Translation,
        _ connection: isolated PostgresConnection
    ) throws {
        for row in try connection.query(
            "SELECT id, topic, key, value, headers FROM \(outbox) WHERE value IS NOT NULL")
        {
            let id: Int64 = try row["id"]
            guard let headers = LogHeaders(encoded: try row["headers"]) else { continue }
            let record = StoredRecord(
                topic: try row["topic"], partition: 0, offset: 0, appendedAtMicroseconds: 0,
                key: try row["key"], value: try row["value"], headers: headers)
            guard let value = RestoredOffset.translated(record, surveys) else { continue }
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
