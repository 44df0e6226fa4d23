import EventLog
import Events
import Magnetic
import Positioning
import Postgres
import Wire

/// The records that the log must hold of the builder's present rows. A restore puts again what is
/// missing.
enum Announcements {
    /// The newest map of each site, its choice, its nodes, its positioners, and the fingerprints.
    static func putMaps(
        _ connection: isolated PostgresConnection,
        _ put: (isolated PostgresConnection, [LogRecord]) throws -> Void
    ) throws {
        let source = MapBuilder.source
        for row in try connection.query(
            """
            SELECT DISTINCT ON (site) event FROM radio_maps.radio_maps
            ORDER BY site, version DESC
            """)
        {
            let event = try RadioMapAnnounced(json: row["event"])
            try put(connection, [event.record(source: source)])
        }
        for row in try connection.query("SELECT event FROM radio_maps.choices ORDER BY site") {
            let event = try PositionerChosen(json: row["event"])
            try put(connection, [event.record(source: source)])
        }
        for calibration in try NodeStore.newest(connection) {
            try put(connection, [calibration.record(source: source)])
        }
        for selected in try SelectionStore.newest(connection) {
            try put(connection, [selected.record(source: source)])
        }
        let sites: [String] = try connection.query(
            "SELECT DISTINCT site FROM radio_maps.fingerprints ORDER BY site"
        ).map { try $0["site"] }
        for site in sites {
            for row in try connection.query(
                "SELECT event::text AS event FROM radio_maps.fingerprints WHERE site = $1",
                [.text(site)])
            {
                let event: String = try row["event"]
                let built = try FingerprintBuilt(json: Array(event.utf8))
                try put(connection, [built.record(source: source)])
            }
        }
    }

    /// The newest event of each magnetic route.
    static func putRoutes(
        _ connection: isolated PostgresConnection,
        _ put: (isolated PostgresConnection, [LogRecord]) throws -> Void
    ) throws {
        let source = MapBuilder.source
        let routes: [(site: String, id: String)] = try connection.query(
            "SELECT site, id FROM magnetic_routes.routes ORDER BY site, id"
        ).map { (try $0["site"], try $0["id"]) }
        for route in routes {
            let row = try connection.query(
                """
                SELECT recorded, validated, deleted FROM magnetic_routes.routes
                WHERE site = $1 AND id = $2
                """, [.text(route.site), .text(route.id)])[0]
            let (validated, deleted): ([UInt8]?, [UInt8]?) = (
                try row["validated"], try row["deleted"]
            )
            let recorded = try MagneticRouteRecorded(json: row["recorded"])
            var record = recorded.record(source: source)
            if let deleted {
                record = try MagneticRouteDeleted(json: deleted).record(source: source)
            } else if let validated {
                var event = try MagneticRouteValidated(json: validated)
                event.recorded = recorded
                record = event.record(source: source)
            }
            try put(connection, [record])
        }
    }
}
