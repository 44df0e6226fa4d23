import Events
import Postgres
import Synchronization

/// Reads positions from the narrow rows and from the wide table, as one list.
final class StoredPositions: Sendable {
    /// How often rows are read again because a rebuild has swapped the tables meanwhile.
    private static let attempts = 3

    let pool: PostgresPool
    /// The view's schema.
    private let schema: String
    private let names = Mutex(NumberedNames())

    init(_ pool: PostgresPool, schema: String = PositionsView.standardSchema) {
        self.pool = pool
        self.schema = schema
    }

    /// The positions that the selection names, in its order, at most its limit.
    func read(_ selection: PositionSelection) async throws -> [PositionEstimated] {
        for _ in 0..<Self.attempts {
            if let found = try await attempt(selection) {
                return selection.merged(found.narrow, found.wide)
            }
        }
        throw PostgresError(
            sqlState: "40001", reason: "the tables of positions were swapped several times")
    }

    /// Whether any position of the site is stored.
    func hasAny(of site: String) async throws -> Bool {
        let any = PositionSelection(order: .time, limit: 1, bin: PositionTables.siteBin) {
            form, values in [form.isOf(site: site, &values)]
        }
        return try await !read(any).isEmpty
    }

    /// Whether any position at the site may be in this room or building. The names of places that
    /// are kept tell most of it, and there are few.
    func hasAny(at zone: String, of site: String) async throws -> Bool {
        var values: [PostgresValue] = [.text(site)]
        let isThere = PositionZone.former(zone).condition { PositionForm.add($0, &values) }
        return try await pool.read(
            """
            SELECT EXISTS (SELECT FROM \(schema).position_places WHERE site = $1 AND \(isThere))
                OR EXISTS (SELECT FROM \(schema).wide_positions WHERE site = $1 AND \(isThere))
                AS has
            """, values)[0]["has"]
    }

    /// Nil when the tables were swapped between two statements.
    private func attempt(
        _ selection: PositionSelection
    ) async throws -> (narrow: [PositionEstimated], wide: [PositionEstimated])? {
        let generation = NamesGeneration.statement(schema: schema)
        let forms = PositionForm.all(in: schema)
        let answers = try await read([generation] + forms.map { selection.statement($0) })
        let current = try NamesGeneration(answers[0][0])
        let rows = try answers[1].map { try NarrowRow($0) }
        let wide = try answers[2].map { try PositionRow.position($0) }
        var known = names.withLock { $0 }
        known.begin(current)
        var missing = NumberedNames.Missing()
        for row in rows { row.addMissing(&missing, known) }
        if !missing.isEmpty {
            let found = try await read(
                [generation] + NumberedNames.statements(missing, schema: schema))
            guard try NamesGeneration(found[0][0]) == current else { return nil }
            try known.add(found[1...], missing)
            names.withLock { $0 = known }
        }
        return (rows.compactMap { $0.position(known) }, wide)
    }

    /// Runs statements that change nothing in one round trip.
    private func read(_ statements: [PostgresStatement]) async throws -> [PostgresRows] {
        try await pool.withConnection { try await $0.read(statements) }
    }
}

/// The form of positions that a statement reads.
struct PositionForm: Sendable {
    enum Width: Sendable {
        case narrow, wide
    }

    let width: Width
    /// The view's schema.
    let schema: String

    /// Both forms, the narrow one first.
    static func all(in schema: String = PositionsView.standardSchema) -> [PositionForm] {
        [Width.narrow, .wide].map { PositionForm(width: $0, schema: schema) }
    }

    var table: String {
        switch width {
        case .narrow: "\(schema).position_rows"
        case .wide: "\(schema).wide_positions"
        }
    }

    var selection: String {
        switch width {
        case .narrow: NarrowRow.selection
        case .wide: PositionRow.selection
        }
    }
}

/// Some positions: conditions, an order and a limit, for both forms.
struct PositionSelection: Sendable {
    enum Order: Sendable {
        /// By time and id.
        case time
        /// The newest first.
        case newest
        case locatedFirst
    }

    /// The conditions as SQL with the values that they add.
    typealias Conditions = @Sendable (PositionForm, inout [PostgresValue]) -> [String]

    var order: Order
    var limit: Int
    /// The bins of the index that serves the conditions.
    var bin: String?
    var conditions: Conditions

    func statement(_ form: PositionForm) -> PostgresStatement {
        var values: [PostgresValue] = []
        let conditions = conditions(form, &values)
        values.append(.int(limit))
        return PostgresStatement(
            """
            SELECT \(form.selection) FROM \(form.table)
            WHERE \(conditions.joined(separator: " AND "))
            ORDER BY \(ordering(form)) LIMIT $\(values.count)
            """, values)
    }

    /// Rows come out of the index bin by bin. So the server sorts one bin at a time, and stops at
    /// the limit.
    private func ordering(_ form: PositionForm) -> String {
        let bin = form.width == .narrow ? self.bin.map { PositionTables.bin($0, "at") } : nil
        switch order {
        case .time: return (bin.map { "\($0), " } ?? "") + "at, id"
        case .newest: return (bin.map { "\($0) DESC, " } ?? "") + "at DESC"
        case .locatedFirst: return "located_at"
        }
    }

    func merged(
        _ narrow: [PositionEstimated], _ wide: [PositionEstimated]
    ) -> [PositionEstimated] {
        guard !wide.isEmpty else { return narrow }
        let all = (narrow + wide).sorted { left, right in
            switch order {
            case .time: (left.at, left.id) < (right.at, right.id)
            case .newest: left.at > right.at
            case .locatedFirst: left.locatedAt < right.locatedAt
            }
        }
        return Array(all.prefix(limit))
    }
}

extension PositionForm {
    /// Adds a value, and returns its placeholder.
    static func add(_ value: PostgresValue, _ values: inout [PostgresValue]) -> String {
        values.append(value)
        return "$\(values.count)"
    }

    func isOf(site: String, _ values: inout [PostgresValue]) -> String {
        let site = Self.add(.text(site), &values)
        switch width {
        case .narrow:
            return "site = (SELECT number FROM \(schema).position_sites WHERE name = \(site))"
        case .wide: return "site = \(site)"
        }
    }

    func isOf(device: String, of site: String, _ values: inout [PostgresValue]) -> String {
        switch width {
        case .narrow:
            let name = Self.add(.text("\(site)/\(device)"), &values)
            return "device = (SELECT number FROM \(schema).position_devices WHERE name = \(name))"
        case .wide:
            return isOf(site: site, &values) + " AND device = "
                + Self.add(.text(device), &values)
        }
    }

    /// A condition on time. With bins, the same condition on the bin comes with it.
    func compares(
        _ comparison: String, _ time: Timestamp, bin: String?, _ values: inout [PostgresValue]
    ) -> String {
        let value = Self.add(.timestamp(microseconds: time.microseconds), &values)
        let condition = "at \(comparison) \(value)"
        guard width == .narrow, let bin else { return condition }
        let inclusive = comparison.hasPrefix("<") ? "<=" : ">="
        // A time at the edge of a bin ends the bin before: else all rows of one bin too many were
        // read, and left out.
        let edge = comparison == "<" ? " - interval '1 microsecond'" : ""
        return filtered(condition, bin: bin) + " AND \(PositionTables.bin(bin, "at")) \(inclusive) "
            + PositionTables.bin(bin, "(\(value)::timestamptz\(edge))")
    }

    /// A condition on time that only filters, where a condition on the bin chooses the rows.
    ///
    /// PostgreSQL takes the two for independent, and multiplies the shares of rows that it expects.
    /// Late in a day it then expected very few. It read and sorted all of them for each page, 2 s
    /// for 1.8 million, and not the first bins alone. It knows no share of a `coalesce`, and takes
    /// a half.
    func filtered(_ condition: String, bin: String?) -> String {
        width == .narrow && bin != nil ? "coalesce(\(condition), true)" : condition
    }

    /// A condition on building, floor and room, for the table of places in the narrow form.
    func isAt(_ condition: String) -> String {
        switch width {
        case .narrow:
            "place = ANY (ARRAY(SELECT number FROM \(schema).position_places WHERE \(condition)))"
        case .wide: condition
        }
    }

    /// A condition that needs the point besides.
    func isWithin(_ condition: String) -> String {
        switch width {
        case .narrow:
            """
            (SELECT \(condition) FROM (SELECT building, floor, room,
                position_rows.x / 1e3::float8 AS x, position_rows.y / 1e3::float8 AS y
                FROM \(schema).position_places WHERE number = position_rows.place) AS placed)
            """
        case .wide: condition
        }
    }
}
