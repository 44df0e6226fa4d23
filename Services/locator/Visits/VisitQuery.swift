import Events
import HTTP
import Postgres
import ServiceHost
import Wire

/// The query of `GET /v1/visits`: visits that overlap a time, in the order in which they began.
struct VisitQuery: Sendable {
    private static let limitMaximum = 10_000

    private let site: String
    private let device: String?
    private let zone: String?
    /// Nil for all zones.
    private let zones: [String]?
    private let from: Timestamp?
    private let until: Timestamp?
    private let after: PageCursor?
    private let limit: Int

    /// - Throws: a `Problem` that names the wrong parameter.
    init(
        _ request: HTTPRequest, site: String, device: String?, zones: [String]?
    ) throws(Problem) {
        self.site = site
        self.zones = zones
        self.device = device
        zone = request.firstQuery("zone")
        from = try request.time("from")
        until = try request.time("until")
        after = try request.cursor()
        limit = try request.pageLimit(maximum: Self.limitMaximum)
    }

    /// The visits of a page, and the cursor of the next page, if there may be one.
    func run(_ pool: PostgresPool) async throws -> (visits: [KnownVisit], next: String?) {
        var conditions = ["site = $1"]
        var values: [PostgresValue] = [.text(site)]
        func add(_ value: PostgresValue, _ condition: (String) -> String) {
            values.append(value)
            conditions.append(condition("$\(values.count)"))
        }
        if let device { add(.text(device)) { "device = \($0)" } }
        if let zone { add(.text(zone)) { "zone = \($0)" } }
        if let zones { add(.textArray(zones)) { "zone = ANY (\($0))" } }
        if let from {
            add(.timestamp(microseconds: from.microseconds)) {
                "(\"left\" IS NULL OR \"left\" >= \($0))"
            }
        }
        if let until { add(.timestamp(microseconds: until.microseconds)) { "entered < \($0)" } }
        if let after {
            add(.timestamp(microseconds: after.at.microseconds)) { at in
                values.append(.uuid(after.id.bytes))
                return "(entered, id) > (\(at), $\(values.count))"
            }
        }
        let rows = try await pool.query(
            """
            SELECT * FROM visits.visits WHERE \(conditions.joined(separator: " AND "))
            ORDER BY entered, id LIMIT \(limit)
            """, values
        ).map(KnownVisit.init)
        let next = rows.count == limit ? rows.last : nil
        return (rows, next.map { PageCursor(at: $0.entered, id: $0.visit).text })
    }
}
