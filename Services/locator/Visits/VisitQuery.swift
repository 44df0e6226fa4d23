import Events
import HTTP
import Postgres
import ServiceHost
import Site
import Wire

/// A visit with a row of its own in a table.
protocol TabledVisit: Sendable {
    static var columns: VisitColumns { get }
    var visit: EventID { get }
    var entered: Timestamp { get }
    /// The visit of a row with all columns of the table.
    init(_ row: PostgresRow) throws
}

/// A table of visits, and its columns that a question names. Each table has `entered` and `left`.
struct VisitColumns: Sendable {
    var table: String
    /// The parameter and the column of what was visited.
    var parameter: String
    var visited: String
    /// The column that says in which building a visit was.
    var place: String
}

/// The query of `GET /v1/visits` and `GET /v1/group-visits`: visits that overlap a time, in the
/// order in which they began.
struct VisitQuery<Visit: TabledVisit>: Sendable {
    private static var limitMaximum: Int { 10_000 }

    private let site: String
    private let device: String?
    private let visited: String?
    /// Nil for all places.
    private let places: [String]?
    private let from: Timestamp?
    private let until: Timestamp?
    fileprivate var after: PageCursor?
    private let limit: Int
    /// Whether the answer has all visits, not one page (`limit=all`).
    let wantsAll: Bool

    /// - Parameter mayWantAll: whether the request may ask for all visits at once.
    /// - Throws: a `Problem` that names the wrong parameter.
    init(
        _ request: HTTPRequest, site: String, device: String?, places: [String]?,
        mayWantAll: Bool = false
    ) throws(Problem) {
        self.site = site
        self.places = places
        self.device = device
        visited = try request.filled(Visit.columns.parameter)
        (from, until) = try request.period()
        after = try request.cursor()
        wantsAll = mayWantAll && request.firstQuery("limit") == "all"
        limit =
            wantsAll ? Self.limitMaximum : try request.pageLimit(maximum: Self.limitMaximum)
    }

    /// The visits of a page, and the cursor of the next page, if there may be one.
    func run(_ pool: PostgresPool) async throws -> (visits: [Visit], next: String?) {
        let columns = Visit.columns
        var conditions = ["site = $1"]
        var values: [PostgresValue] = [.text(site)]
        func add(_ value: PostgresValue, _ condition: (String) -> String) {
            values.append(value)
            conditions.append(condition("$\(values.count)"))
        }
        if let device { add(.text(device)) { "device = \($0)" } }
        if let visited { add(.text(visited)) { "\(columns.visited) = \($0)" } }
        if let places { add(.textArray(places)) { "\(columns.place) = ANY (\($0))" } }
        if let from {
            add(.timestamp(microseconds: from.microseconds)) {
                #"("left" IS NULL OR "left" >= \#($0))"#
            }
        }
        if let until {
            add(.timestamp(microseconds: until.microseconds)) { "entered < \($0)" }
        }
        if let after {
            add(.timestamp(microseconds: after.at.microseconds)) { at in
                values.append(.uuid(after.id.bytes))
                return "(entered, id) > (\(at), $\(values.count))"
            }
        }
        let rows = try await pool.query(
            """
            SELECT * FROM \(columns.table) WHERE \(conditions.joined(separator: " AND "))
            ORDER BY entered, id LIMIT \(limit)
            """, values
        ).map(Visit.init)
        let next = rows.count == limit ? rows.last : nil
        return (rows, next.map { PageCursor(at: $0.entered, id: $0.visit).text })
    }
}

/// All visits of a query.
struct VisitPages: ListPages {
    private let pool: PostgresPool
    private let format: VisitFormat
    private let isFile: Bool
    private let sight: PlaceSight
    private var query: VisitQuery<KnownVisit>
    private var hasBegun = false

    /// - Parameters:
    ///   - isFile: whether the last line says that the list is complete.
    ///   - sight: the places of which visits may be shown.
    init(
        _ query: VisitQuery<KnownVisit>, in pool: PostgresPool, _ format: VisitFormat,
        isFile: Bool, _ sight: PlaceSight
    ) {
        self.query = query
        self.pool = pool
        self.format = format
        self.isFile = isFile
        self.sight = sight
    }

    mutating func next() async throws -> ListPage {
        let (found, next) = try await query.run(pool)
        let visits = found.filter { sight.shows($0.zone) }
        let bytes = format.encode(visits, isContinued: hasBegun)
        hasBegun = true
        query.after = next.flatMap { PageCursor($0) }
        return ListPage(bytes: bytes, count: visits.count, isLast: next == nil)
    }

    func end(_ count: Int) -> [UInt8] { format.end(count, isFile: isFile) }
}
