import Events
import HTTP
import Postgres
import Privacy
import ServiceHost
import Wire

/// The query of `GET /v1/counts`: counts of whole quarters, the oldest first.
struct CountQuery: Sendable {
    private static let limitMaximum = 10_000

    private let site: String
    private let zone: String?
    /// Nil for all zones.
    private let zones: [String]?
    private let from: QuarterHour?
    private let until: QuarterHour?
    private let after: ZoneCountCursor?
    private let limit: Int

    /// - Throws: a `Problem` that names the wrong parameter.
    init(_ request: HTTPRequest, site: String, zones: [String]?) throws(Problem) {
        self.site = site
        self.zones = zones
        zone = try request.filled("zone")
        let period = try request.period()
        from = try Self.quarter("from", period.from)
        until = try Self.quarter("until", period.until)
        after = try request.firstQuery("after").map { text throws(Problem) in
            guard let cursor = ZoneCountCursor(text) else { throw Problem.cursorMalformed }
            return cursor
        }
        limit = try request.pageLimit(maximum: Self.limitMaximum)
    }

    private static func quarter(
        _ name: String, _ time: Timestamp?
    ) throws(Problem) -> QuarterHour? {
        guard let time else { return nil }
        guard let quarter = QuarterHour(beginning: time) else {
            throw Problem(
                .countsAreOfAll,
                "Counts are of whole quarters of an hour: send \(name) as a time such as "
                    + "2026-11-21T08:15:00.000Z.")
        }
        return quarter
    }

    /// The counts of a page, and the cursor of the next page, if there may be one.
    func run(_ pool: PostgresPool) async throws -> (counts: [ZoneCount], next: String?) {
        func time(_ quarter: QuarterHour?) -> PostgresValue {
            .optional(quarter) { .timestamp(microseconds: $0.begins.microseconds) }
        }
        let counts = try await pool.query(
            """
            SELECT quarter, kind, zone, devices FROM locator_counts.closed
            WHERE site = $1 AND ($2::text IS NULL OR zone = $2)
                AND ($3::text[] IS NULL OR zone = ANY ($3))
                AND quarter >= coalesce($4::timestamptz, '-infinity')
                AND quarter < coalesce($5::timestamptz, 'infinity')
                AND ($6::timestamptz IS NULL OR (quarter, kind, zone) > ($6, $7::text, $8::text))
            ORDER BY quarter, kind, zone LIMIT $9
            """,
            [
                .text(site), .optional(zone, PostgresValue.text),
                .optional(zones) { .textArray($0) }, time(from), time(until),
                time(after?.quarter), .optional(after?.zone.kind.rawValue, PostgresValue.text),
                .optional(after?.zone.id.text, PostgresValue.text), .int(limit),
            ]
        ).map { row in
            let kind: String = try row["kind"]
            let devices: Int32 = try row["devices"]
            return ZoneCount(
                zone: Zone(ZoneKind(rawValue: kind) ?? .room, ZoneID(try row["zone"])),
                quarter: QuarterHour(containing: Timestamp(microseconds: try row["quarter"])),
                devices: Int(devices))
        }
        return (counts, counts.count == limit ? counts.last.map { ZoneCountCursor($0).text } : nil)
    }
}
