import Events
import HTTP
import Positioning
import Postgres
import ServiceHost
import Wire

/// The readings of surveys, each with its place. Discarded surveys have none, and a caller sees the
/// readings of those senders that the list of access points shows.
struct MeasurementRoutes: Sendable {
    let sites: SiteDirectory
    let pool: PostgresPool

    private static let pageLimit = 10_000
    /// Surveys that are read at once. One may be as large as a record.
    private static let surveysAtOnce = 50
    /// Surveys that one page looks at.
    private static let surveysOfPage = 1_000

    private var senders: HeardSenders { HeardSenders(sites: sites, pool: pool) }

    var all: [Route] {
        [
            Route(
                .get, "/v1/sites/{site}/measurements",
                handler: .task { try await list($0) }),
            Route(
                .get, "/v1/sites/{site}/measurements/{id}",
                handler: .task { try await read($0) }),
        ]
    }

    /// A page of all readings, or of those of `?accessPoint=`, survey by survey. It may be short,
    /// or empty, and still have a next one: much may be hidden from the caller.
    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let page = try Page(request, limit: Self.pageLimit)
        let site = try sites.site(of: request)
        let start = try Self.start(after: page.after)
        let accessPoint = try request.filled("accessPoint")
        // A survey has one reading at least, so no page needs more surveys than readings, and the
        // one where it begins.
        let most = min(page.limit, Self.surveysOfPage) + 1
        let ids = try await surveys(of: site, from: start.survey, accessPoint, most: most)
        try await sites.checkIsKnown(site, hasRows: !ids.isEmpty || !page.after.isEmpty) {
            try await pool.hasRows(ofSite: site.text, in: "fingerprint_builder.surveys")
        }
        var seen = Seen(isAll: senders.seesAll(request, site))
        var found: [ListedMeasurement] = []
        var last: EventID?
        for part in ids.split(by: Self.surveysAtOnce) where found.count < page.limit {
            let readings = try await events(of: Array(part)).flatMap { survey in
                ListedMeasurement.all(
                    survey, from: survey.scan.id == start.survey ? start.number : 0
                ) { accessPoint == nil || $0 == accessPoint }
            }
            found += try await shown(readings, &seen, at: site)
            last = part.last
        }
        if found.count >= page.limit {
            return page.response(Array(found.prefix(page.limit)))
        }
        let isOver = ids.count < most
        return .json(ListAnswer.page(found, next: isOver ? nil : last?.description))
    }

    private func read(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        var seen = Seen(isAll: senders.seesAll(request, site))
        guard let id = MeasurementID(request.parameters["id"] ?? "") else { throw Self.unknown }
        let known = try await surveys(of: site, from: id.survey, nil, most: 1)
        guard known == [id.survey], let survey = try await events(of: known).first,
            let reading = ListedMeasurement.all(survey, from: id.number).first,
            reading.id == id,
            let found = try await shown([reading], &seen, at: site).first
        else { throw Self.unknown }
        return .json(found.json)
    }

    private static let unknown = Problem(
        .measurementUnknown, "The site has no measurement of this id.")

    // MARK: Who sees what

    /// The senders of a request that were decided on.
    private struct Seen {
        let isAll: Bool
        var lasting: Set<String> = []
        var asked: Set<String> = []
    }

    private func shown(
        _ readings: [ListedMeasurement], _ seen: inout Seen, at site: SiteID
    ) async throws -> [ListedMeasurement] {
        if seen.isAll { return readings }
        let fresh = Set(readings.map(\.accessPoint)).subtracting(seen.asked)
        seen.asked.formUnion(fresh)
        seen.lasting.formUnion(try await senders.lasting(fresh, at: site))
        return readings.filter { [seen] in seen.lasting.contains($0.accessPoint) }
    }

    // MARK: Surveys

    /// The ids of surveys in their order, from one on.
    private func surveys(
        of site: SiteID, from first: EventID, _ accessPoint: String?, most: Int
    ) async throws -> [EventID] {
        let source =
            accessPoint == nil
            ? "SELECT id FROM fingerprint_builder.surveys WHERE site = $1 AND id >= $2"
            : """
            SELECT DISTINCT survey AS id FROM fingerprint_builder.measurements
            WHERE site = $1 AND survey >= $2 AND access_point = $4
            """
        return try await pool.query(
            """
            SELECT id FROM (\(source)) AS surveys
            WHERE NOT EXISTS (SELECT FROM radio_maps.discarded_surveys AS discarded
                WHERE discarded.site = $1 AND discarded.survey = surveys.id)
            ORDER BY id LIMIT $3
            """,
            [.text(site.text), .uuid(first.bytes), .int(most)]
                + (accessPoint.map { [.text($0)] } ?? [])
        ).compactMap { row in
            let bytes: [UInt8] = try row["id"]
            return EventID(bytes: bytes)
        }
    }

    /// The surveys in the order of their ids. One that only a later release can read is left out.
    private func events(of ids: [EventID]) async throws -> [SurveyRecorded] {
        try await pool.query(
            "SELECT event FROM fingerprint_builder.surveys WHERE id = ANY ($1::uuid[]) ORDER BY id",
            [.textArray(ids.map(\.description))]
        ).compactMap { try? SurveyRecorded(json: try $0["event"]) }
    }

    /// The reading after a cursor: a measurement's id, or a survey's of an earlier release.
    private static func start(
        after cursor: String
    ) throws(Problem) -> (survey: EventID, number: Int) {
        if cursor.isEmpty { return (EventID(high: 0, low: 0), 0) }
        if let id = MeasurementID(cursor) { return (id.survey, id.number + 1) }
        guard let survey = EventID(cursor) else { throw Problem.cursorMalformed }
        return (survey, .max)
    }
}

extension ListedMeasurement {
    /// The readings of a survey with their numbers.
    ///
    /// - Parameters:
    ///   - first: the least number.
    ///   - isWanted: decides by the sender's id.
    static func all(
        _ survey: SurveyRecorded, from first: Int, where isWanted: (String) -> Bool = { _ in true }
    ) -> [ListedMeasurement] {
        Heard.all(survey.scan).enumerated().compactMap { number, heard in
            let sender = heard.transmitter.description
            guard number >= first, isWanted(sender) else { return nil }
            return ListedMeasurement(
                id: MeasurementID(survey: survey.scan.id, number: number), accessPoint: sender,
                rssi: heard.rssi, frequency: heard.frequency, at: survey.scan.correctedAt,
                place: survey.place)
        }
    }
}

extension Array {
    /// Parts of this many elements, the last with the rest.
    fileprivate func split(by count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map {
            self[$0..<Swift.min($0 + count, self.count)]
        }
    }
}
