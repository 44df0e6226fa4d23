import Events
import HTTP
import Postgres
import Privacy
import ServiceHost
import Wire

/// `GET /v1/erasures/{id}`: whether the positions and visits of an erased device are gone. `GET
/// /v1/kept-positions`: what is kept of a device. Only services ask.
struct ErasureRoutes: Sendable {
    let pool: PostgresPool

    var all: [Route] {
        [
            Route(.get, "/v1/erasures/{id}", handler: .task { try await erasure($0) }),
            Route(.get, "/v1/kept-positions", handler: .task { try await kept($0) }),
        ]
    }

    private func kept(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let site = SiteID(validating: request.firstQuery("site") ?? ""),
            let device = DeviceID(validating: request.firstQuery("device") ?? "")
        else { throw Problem(.idMalformed, "Name the site and the device by their ids.") }
        let row = try await pool.query(
            Self.keptRows, [.text(site.text), .text(device.text)])[0]
        func kept(_ table: String, _ name: String, path: String) throws -> KeptData {
            let first: Int64? = try row[name + "_first"]
            let last: Int64? = try row[name + "_last"]
            return KeptData(
                .table(table), rows: try row[name], first: first.map(Timestamp.init(microseconds:)),
                last: last.map(Timestamp.init(microseconds:)),
                path: "\(path)?site=\(site)&device=\(device)")
        }
        return .json(
            DeviceReport.json([
                try kept("locator.positions", "positions", path: "/v1/positions"),
                try kept("locator.latest_positions", "latest", path: "/v1/positions/latest"),
                try kept("visits.visits", "visits", path: "/v1/visits"),
                try kept("smoothed.positions", "smoothed", path: "/v1/positions-smoothed"),
                try kept("visits.group_visits", "grouped", path: "/v1/group-visits"),
                KeptData(.topic("scans")), KeptData(.topic("sightings")),
                KeptData(.topic("sighting-windows")), KeptData(.topic("positions")),
                try kept("locator.room_hour_devices", "rooms", path: "/v1/positions"),
                KeptData(.topic("positions-beside")), KeptData(.topic("positions-smoothed")),
                KeptData(.topic("smoothing-windows")), KeptData(.topic("visits")),
                KeptData(.topic("dead-letters")),
                KeptData(.topic("locator-state")), KeptData(.memory("locator")),
            ]))
    }

    private static let keptRows = """
        SELECT positions.*, smoothed.*, latest.*, rooms.*, visits.*, grouped.* FROM
            (SELECT count(*) AS positions, min(at) AS positions_first, max(at) AS positions_last
                FROM locator.positions WHERE site = $1 AND device = $2) AS positions,
            (SELECT count(*) AS smoothed, min(at) AS smoothed_first, max(at) AS smoothed_last
                FROM smoothed.positions WHERE site = $1 AND device = $2) AS smoothed,
            (SELECT count(*) AS latest, min(at) AS latest_first, max(at) AS latest_last
                FROM locator.latest_positions WHERE site = $1 AND device = $2) AS latest,
            (SELECT count(*) AS rooms, min(hour) AS rooms_first, max(hour) AS rooms_last
                FROM locator.room_hour_devices AS theirs
                JOIN locator.position_devices AS numbered ON numbered.number = theirs.device
                WHERE numbered.name = $1 || '/' || $2) AS rooms,
            (SELECT count(*) AS visits, min(entered) AS visits_first, max(entered) AS visits_last
                FROM visits.visits WHERE site = $1 AND device = $2) AS visits,
            (SELECT count(*) AS grouped, min(entered) AS grouped_first,
                max(entered) AS grouped_last
                FROM visits.group_visits WHERE site = $1 AND device = $2) AS grouped
        """

    private func erasure(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request.id(of: "An erasure")
        let isDone: Bool = try await pool.query(
            """
            SELECT EXISTS (SELECT FROM locator.erasures WHERE id = $1 AND log_erased_at IS NOT NULL)
                AND EXISTS (SELECT FROM visits.erasures WHERE id = $1 AND log_erased_at IS NOT NULL)
                -- Erasures from before the view of smoothed positions left nothing to erase there.
                AND (EXISTS (SELECT FROM smoothed.erasures WHERE id = $1)
                    OR NOT EXISTS (SELECT FROM locator.erasures AS erased
                        JOIN smoothed.position_devices AS known
                            ON known.name = erased.site || '/' || erased.device
                        WHERE erased.id = $1))
                AS done
            """, [.uuid(id.bytes)])[0]["done"]
        return .json(ErasureAnswer.json(isDone: isDone))
    }
}
