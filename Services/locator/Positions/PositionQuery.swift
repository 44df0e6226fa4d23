import Events
import HTTP
import Postgres
import ServiceHost
import Wire

/// The query of `GET /v1/positions`.
struct PositionQuery: Sendable {
    static let limitMaximum = 10_000

    var site: String
    var device: String?
    /// Nil for all buildings.
    var buildings: [String]?
    var zone: PositionZone?
    var from: Timestamp?
    var until: Timestamp?
    var after: PageCursor?
    var limit: Int

    /// - Throws: a `Problem` that names the wrong parameter.
    init(_ request: HTTPRequest, site: String) throws(Problem) {
        self.site = site
        device = request.firstQuery("device")
        from = try request.time("from")
        until = try request.time("until")
        after = try request.cursor()
        limit = try request.pageLimit(maximum: Self.limitMaximum)
    }

    /// The rows in the order of time and id; at most `limit`.
    func run(_ pool: PostgresPool) async throws -> [PositionEstimated] {
        var conditions = ["site = $1"]
        var values: [PostgresValue] = [.text(site)]
        func add(_ value: PostgresValue, _ condition: (String) -> String) {
            values.append(value)
            conditions.append(condition("$\(values.count)"))
        }
        if let device { add(.text(device)) { "device = \($0)" } }
        if let buildings { add(.textArray(buildings)) { "building = ANY (\($0))" } }
        if let zone {
            let condition = zone.condition { value in
                values.append(value)
                return "$\(values.count)"
            }
            conditions.append(condition)
        }
        if let from {
            add(.timestamp(microseconds: from.microseconds)) {
                // A scan is never located much before its own time, so older days need not be read.
                "at >= \($0) AND located_at >= \($0) - interval '2 hours'"
            }
        }
        if let until { add(.timestamp(microseconds: until.microseconds)) { "at < \($0)" } }
        if let after {
            add(.timestamp(microseconds: after.at.microseconds)) { at in
                values.append(.uuid(after.id.bytes))
                return "(at, id) > (\(at), $\(values.count))"
            }
        }
        values.append(.int(limit))
        return try await pool.query(
            """
            SELECT \(PositionRow.selection) FROM locator.positions
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY at, id LIMIT $\(values.count)
            """, values
        ).map(PositionRow.position)
    }
}
