import Events
import HTTP
import Positioning
import Postgres
import ServiceHost
import Wire

/// The readings of surveys, each with its place. Discarded surveys have none.
struct MeasurementRoutes: Sendable {
    let sites: SiteDirectory
    let pool: PostgresPool

    private static let pageLimit = 10_000
    /// Surveys that are read at once. One may be as large as a record.
    private static let surveysAtOnce = 50

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

    /// A page of all readings, or of those of `?accessPoint=`, survey by survey.
    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let page = try Page(request, limit: Self.pageLimit)
        let site = try sites.site(of: request)
        var next = try Self.start(after: page.after)
        let accessPoint = request.firstQuery("accessPoint")
        var found: [ListedMeasurement] = []
        while found.count < page.limit {
            let surveys = try await surveys(of: site, from: next.survey, accessPoint)
            for survey in surveys {
                let isFirst = survey.scan.id == next.survey
                found += ListedMeasurement.all(survey, from: isFirst ? next.number : 0) {
                    accessPoint == nil || $0 == accessPoint
                }
            }
            guard surveys.count == Self.surveysAtOnce, let last = surveys.last else { break }
            next = (last.scan.id, .max)
        }
        return page.response(Array(found.prefix(page.limit)))
    }

    private func read(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        guard let id = MeasurementID(request.parameters["id"] ?? ""),
            let survey = try await surveys(of: site, from: id.survey, most: 1).first,
            survey.scan.id == id.survey,
            let found = ListedMeasurement.all(survey, from: id.number).first,
            found.id == id
        else {
            throw Problem(.measurementUnknown, "The site has no measurement of this id.")
        }
        return .json(found.json)
    }

    /// Surveys in the order of their ids, from one on.
    private func surveys(
        of site: SiteID, from first: EventID, _ accessPoint: String? = nil,
        most: Int = surveysAtOnce
    ) async throws -> [SurveyRecorded] {
        try await pool.query(
            """
            SELECT event FROM fingerprint_builder.surveys AS surveys
            WHERE site = $1 AND id >= $2 AND ($3::text IS NULL OR id IN (
                    SELECT survey FROM fingerprint_builder.measurements
                    WHERE site = $1 AND access_point = $3 AND survey >= $2))
                AND NOT EXISTS (SELECT FROM radio_maps.discarded_surveys AS discarded
                    WHERE discarded.site = surveys.site AND discarded.survey = surveys.id)
            ORDER BY id LIMIT $4
            """,
            [
                .text(site.text), .uuid(first.bytes),
                .optional(accessPoint, PostgresValue.text), .int(most),
            ]
        ).map { try SurveyRecorded(json: try $0["event"]) }
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
