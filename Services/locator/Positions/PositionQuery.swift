import Events
import HTTP
import Postgres
import ServiceHost
import Site
import Wire

/// The query of `GET /v1/positions`.
struct PositionQuery: Sendable {
    static let limitMaximum = 10_000
    /// The longest time by which a scan is located before its own time.
    private static let longestAheadMicroseconds: Int64 = 2 * 3_600_000_000

    var site: String
    var device: String?
    /// Nil for all buildings.
    var buildings: [String]?
    var zone: PositionZone?
    var floor: FloorID?
    var from: Timestamp?
    var until: Timestamp?
    var after: PageCursor?
    /// Rows of an answer, or of one page of an answer with all.
    var limit: Int
    /// Whether the answer has all positions, not one page (`limit=all`).
    let wantsAll: Bool
    private let sight: PlaceSight

    /// - Throws: a `Problem` that names the wrong parameter.
    ///
    /// - Parameter sight: the places that may be named in the answer.
    init(_ request: HTTPRequest, site: String, sight: PlaceSight) throws(Problem) {
        self.site = site
        self.sight = sight
        device = request.firstQuery("device")
        (from, until) = try request.period()
        after = try request.cursor()
        wantsAll = request.firstQuery("limit") == "all"
        limit = wantsAll ? Self.limitMaximum : try request.pageLimit(maximum: Self.limitMaximum)
    }

    /// All positions of a site from a time until before another, at most `limit`.
    init(site: String, sight: PlaceSight, from: Timestamp, until: Timestamp, limit: Int) {
        self.site = site
        self.sight = sight
        self.from = from
        self.until = until
        self.limit = limit
        wantsAll = false
    }

    /// The positions in the order of time and id; at most `limit`.
    func run(_ stored: StoredPositions) async throws -> [PositionEstimated] {
        try await stored.read(selection).map(sight.position)
    }

    var selection: PositionSelection {
        let bin = device == nil ? PositionTables.siteBin : PositionTables.deviceBin
        return PositionSelection(order: .time, limit: limit, bin: bin) { form, values in
            conditions(form, bin, &values)
        }
    }

    private func conditions(
        _ form: PositionForm, _ bin: String, _ values: inout [PostgresValue]
    ) -> [String] {
        var conditions: [String] = []
        if let device {
            conditions.append(form.isOf(device: device, of: site, &values))
        } else {
            conditions.append(form.isOf(site: site, &values))
        }
        if let buildings {
            let list = PositionForm.add(.textArray(buildings), &values)
            conditions.append(form.isAt("building = ANY (\(list))"))
        }
        if let zone {
            let condition = zone.condition { PositionForm.add($0, &values) }
            conditions.append(
                zone.hasOutline ? form.isWithin(condition) : form.isAt(condition))
        }
        if let floor {
            let name = PositionForm.add(.text(floor.text), &values)
            conditions.append(form.isAt("floor = \(name)"))
        }
        if let from { conditions.append(form.compares(">=", from, bin: bin, &values)) }
        if let until { conditions.append(form.compares("<", until, bin: bin, &values)) }
        if let after {
            conditions.append(form.compares(">=", after.at, bin: bin, &values))
            let id = PositionForm.add(.uuid(after.id.bytes), &values)
            conditions.append(
                form.filtered("(at, id) > ($\(values.count - 1), \(id))", bin: bin))
        }
        if let start = [from, after?.at].compactMap({ $0 }).max() {
            // Each day has a table of its own, and older ones need not be read. The beginning of
            // the day lets PostgreSQL expect all rows of its table.
            let first = start.advanced(byMicroseconds: -Self.longestAheadMicroseconds)
            let day = Timestamp.start(ofDay: first.day)
            let earliest = PositionForm.add(.timestamp(microseconds: day.microseconds), &values)
            conditions.append("located_at >= \(earliest)")
        }
        return conditions
    }
}
