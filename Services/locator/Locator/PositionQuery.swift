import Events
import HTTP
import JSON
import Postgres
import ServiceHost
import Wire

/// What `GET /v1/positions` asks for.
struct PositionQuery: Sendable {
    static let limitMaximum = 10_000

    var site: String
    var device: String?
    var from: Timestamp?
    var until: Timestamp?
    var after: Cursor?
    var limit: Int

    /// Where a page ended: the last row's time and id.
    struct Cursor: Sendable {
        var at: Timestamp
        var id: EventID

        init(_ position: PositionEstimated) {
            at = position.at
            id = position.id
        }

        init?(_ text: String) {
            let parts = text.split(separator: "~")
            guard parts.count == 2, let at = Int64(parts[0]), let id = EventID(parts[1]) else {
                return nil
            }
            self.at = Timestamp(microseconds: at)
            self.id = id
        }

        var text: String { "\(at.microseconds)~\(id)" }
    }

    /// - Throws: a `Problem` that names the parameter that is wrong.
    init(_ request: HTTPRequest, site: String) throws(Problem) {
        self.site = site
        device = request.firstQuery("device")
        from = try Self.time(request, "from")
        until = try Self.time(request, "until")
        if let text = request.firstQuery("after") {
            guard let cursor = Cursor(text) else {
                throw Problem(
                    400, "cursor-malformed", "after takes a cursor that an earlier page gave.")
            }
            after = cursor
        }
        limit = try request.pageLimit(maximum: Self.limitMaximum)
    }

    /// The rows in order of time and id; at most `limit`.
    func run(_ pool: PostgresPool) async throws -> [PositionEstimated] {
        var conditions = ["site = $1"]
        var values: [PostgresValue] = [.text(site)]
        func add(_ value: PostgresValue, _ condition: (String) -> String) {
            values.append(value)
            conditions.append(condition("$\(values.count)"))
        }
        if let device { add(.text(device)) { "device = \($0)" } }
        if let from {
            add(.timestamp(microseconds: from.microseconds)) {
                // No scan is located much before it was made, so older days need no look.
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
        let columns = PositionRow.columns.map { $0 == "rooms" ? "rooms::text AS rooms" : $0 }
        return try await pool.query(
            """
            SELECT \(columns.joined(separator: ", ")) FROM locator.positions
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY at, id LIMIT \(limit)
            """, values
        ).map(PositionRow.position)
    }

    private static func time(
        _ request: HTTPRequest, _ name: String
    ) throws(Problem) -> Timestamp? {
        guard let text = request.firstQuery(name) else { return nil }
        guard let microseconds = RFC3339.microseconds(text) else {
            throw Problem(
                400, "time-malformed", "\(name) takes a time such as 2026-11-21T08:00:00.000Z.")
        }
        return Timestamp(microseconds: microseconds)
    }
}
