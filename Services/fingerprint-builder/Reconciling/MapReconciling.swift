import EventLog
import Events
import LogViews
import Postgres
import ServiceHost
import Wire

/// Reconciles radio maps. The bytes of maps that were built since the older database are lost, and
/// the surveys are on the log. So the present map gets a number beyond all that were announced, and
/// the builder makes the next one from all surveys.
struct MapReconciling: Sendable {
    let host: Host
    let order: ReconcileOrder

    /// The radio maps as the log has them.
    private struct Logged: Sendable {
        var maps: [SiteID: RadioMapAnnounced] = [:]
        var selected: [SiteID: PositionerSelected] = [:]
        var fingerprints: [[UInt8]: FingerprintBuilt] = [:]
        var newest: Int64 = 0
    }

    func run() async throws -> ReconcileReport? {
        let logged = try await read()
        let now = host.now
        return try await OutboxReconciling(
            host: host, outbox: RadioMapStore.outbox, order: order
        ).run(
            newest: logged.newest,
            follow: { report, connection in
                try Self.replaceFingerprints(Array(logged.fingerprints.values), connection)
                for (site, announced) in logged.maps.sorted(by: { $0.key.text < $1.key.text }) {
                    try Self.follow(announced, of: site, at: now, &report, connection)
                }
                let selected = logged.selected.values.sorted { $0.site.text < $1.site.text }
                report.count("selections", try SelectionStore.follow(selected, connection))
            },
            send: { report, connection in try Self.send(&report, connection) })
    }

    private func read() async throws -> Logged {
        var logged = Logged()
        for topic in [Topic.radioMaps, .surveyReviews, .fingerprints] {
            try await host.log.readRange(host.log.ranges(of: [topic.name])) { records in
                for record in records {
                    logged.newest = max(
                        logged.newest,
                        OutboxNumber.of(record.headers, in: RadioMapStore.schema) ?? 0)
                    if let announced = try? RadioMapAnnounced(record: record) {
                        logged.maps[announced.site] = announced
                    } else if let selected = try? PositionerSelected(record: record) {
                        logged.selected[selected.site] = selected
                    } else if let site = PositionerSelected.removedSite(of: record) {
                        logged.selected[site] = nil
                    } else if topic == .fingerprints, let key = record.key {
                        logged.fingerprints[key] = try? FingerprintBuilt(record: record)
                    }
                }
            }
        }
        return logged
    }

    /// The next map removes what the table has and the map lacks, so the table must have all that
    /// is on the log.
    private static func replaceFingerprints(
        _ all: [FingerprintBuilt], _ connection: isolated PostgresConnection
    ) throws {
        try connection.query("DELETE FROM radio_maps.fingerprints")
        for one in all {
            try connection.query(
                """
                INSERT INTO radio_maps.fingerprints
                    (site, floor, place, room, x, y, surveys, event)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb)
                """,
                [
                    .text(one.site.text), .text(one.floor.text), .text(one.place),
                    .optional(one.room?.text, PostgresValue.text), .double(one.x), .double(one.y),
                    .int32(Int32(clamping: one.surveys)),
                    .text(String(decoding: one.json, as: UTF8.self)),
                ])
        }
    }

    private static func follow(
        _ announced: RadioMapAnnounced, of site: SiteID, at now: Timestamp,
        _ report: inout ReconcileReport, _ connection: isolated PostgresConnection
    ) throws {
        let row = try connection.query(
            """
            SELECT version, hash, event FROM radio_maps.radio_maps WHERE site = $1
            ORDER BY version DESC LIMIT 1
            """, [.text(site.text)]
        ).first
        guard let row else {
            // Its parts are empty, so the next map is built as a whole and gets the next number.
            try connection.query(
                """
                INSERT INTO radio_maps.radio_maps
                    (site, version, hash, site_version, surveys, built_at, event, reviews)
                VALUES ($1, $2, $3, $4, -1, $5, $6, 0)
                """,
                [
                    .text(site.text), .int(announced.version), .text(announced.hash),
                    .int(announced.siteVersion),
                    .timestamp(microseconds: announced.builtAt.microseconds),
                    .bytes(announced.json),
                ])
            report.count("radioMaps", 1)
            return report.note("the radio map of \(site) is built anew from its surveys")
        }
        let (version, hash): (Int, String) = (try row["version"], try row["hash"])
        guard version != announced.version || hash != announced.hash else { return }
        var event = try RadioMapAnnounced(json: try row["event"])
        event.version = max(version, announced.version) + 1
        event.builtAt = now
        let record = event.record(source: MapBuilder.source)
        // No map has this number of surveys, so the builder compares all of them.
        try connection.query(
            """
            INSERT INTO radio_maps.radio_maps
                (site, version, hash, site_version, surveys, built_at, event, reviews)
            SELECT site, $3, hash, site_version, -1, $4, $5, reviews FROM radio_maps.radio_maps
            WHERE site = $1 AND version = $2
            """,
            [
                .text(site.text), .int(version), .int(event.version),
                .timestamp(microseconds: now.microseconds), .bytes(record.value ?? []),
            ])
        try connection.query(
            """
            INSERT INTO radio_maps.parts (site, version, building, hash, bytes, inputs)
            SELECT site, $3, building, hash, bytes, inputs FROM radio_maps.parts
            WHERE site = $1 AND version = $2
            """, [.text(site.text), .int(version), .int(event.version)])
        try RadioMapStore.outbox.put([record], connection: connection)
        report.count("radioMaps", 1)
        report.note(
            "the radio map of \(site) is that of version \(version) until the next one is built")
    }

    private static func send(
        _ report: inout ReconcileReport, _ connection: isolated PostgresConnection
    ) throws {
        let fingerprints = try connection.query("SELECT event::text FROM radio_maps.fingerprints")
            .map { row in
                let json: String = try row["event"]
                return try FingerprintBuilt(json: Array(json.utf8))
                    .record(source: MapBuilder.source)
            }
        let maps = try connection.query(
            """
            SELECT DISTINCT ON (site) event FROM radio_maps.radio_maps
            ORDER BY site, version DESC
            """
        ).map { try RadioMapAnnounced(json: try $0["event"]).record(source: MapBuilder.source) }
        let choices = try connection.query("SELECT event FROM radio_maps.choices").map {
            try PositionerChosen(json: try $0["event"]).record(source: MapBuilder.source)
        }
        let nodes = try NodeStore.newest(connection).map { $0.record(source: MapBuilder.source) }
        let selected = try SelectionStore.newest(connection).map {
            $0.record(source: MapBuilder.source)
        }
        try RadioMapStore.outbox.put(
            fingerprints + maps + choices + nodes + selected, connection: connection)
        report.count("radioMaps", maps.count)
    }
}
