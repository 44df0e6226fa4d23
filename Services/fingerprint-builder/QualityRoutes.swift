import Events
import Geometry
import HTTP
import Magnetic
import Postgres
import RadioMapCare
import ServiceHost
import Site
import Wire

/// Serves the quality of a site's radio map, and the advice where to survey next.
struct QualityRoutes: Sendable {
    let sites: SiteDirectory
    let clock: EventClock
    let pool: PostgresPool

    private static let usualCount = 5

    var all: [Route] {
        [
            Route(
                .get, "/v1/sites/{site}/survey-quality",
                handler: .task { try await quality($0) }),
            Route(
                .get, "/v1/sites/{site}/survey-coach",
                handler: .task { try await coach($0) }),
        ]
    }

    /// Answers with the radio map's version, its floors, and a page of its places.
    private func quality(_ request: HTTPRequest) async throws -> HTTPResponse {
        let page = try Page(request, limit: 10_000)
        let site = try sites.publishedSite(of: request)
        let own = try ownFloors(request, site)
        let asked = QualityStore.value(try floors(of: request, site, among: own))
        // One snapshot, so that floors and places are of the same map.
        let (known, rows) = try await pool.withTransaction { connection in
            try connection.execute(
                script: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            let known = try connection.query(
                """
                SELECT version, positioner,
                    \(QualityStore.part(of: "floors", where: "one->>'floor' = ANY ($2)"))
                FROM radio_maps.quality WHERE site = $1
                """,
                [.text(site.text), QualityStore.value(own)]
            ).first.map { row in
                (
                    version: try row["version"] as Int, positioner: try row["positioner"] as String,
                    floors: try row["floors"] as String
                )
            }
            let rows = try connection.query(
                """
                SELECT id, document FROM radio_maps.quality_places
                WHERE site = $1 AND id > $2 AND ($3::text[] IS NULL OR floor = ANY ($3))
                ORDER BY id LIMIT $4
                """,
                [
                    .text(site.text), .text(page.after),
                    asked, .int(page.limit),
                ]
            ).map { row in (id: try row["id"] as String, json: try row["document"] as String) }
            return (known, rows)
        }
        let next = rows.count == page.limit ? rows.last?.id : nil
        return .json(
            QualityAnswer.quality(of: site, known, places: rows.map(\.json), next: next))
    }

    private func coach(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.publishedSite(of: request)
        let floors = try floors(of: request, site, among: ownFloors(request, site))
        let count = try count(of: request)
        let version = try await pool.query(
            "SELECT version FROM radio_maps.quality WHERE site = $1", [.text(site.text)]
        ).first.map { row -> Int in try row["version"] }
        let rows = try await pool.query(
            """
            SELECT document FROM radio_maps.survey_advice
            WHERE site = $1 AND ($2::text[] IS NULL OR floor = ANY ($2))
            ORDER BY worth DESC, floor, rank LIMIT $3
            """,
            [.text(site.text), QualityStore.value(floors), .int(count)])
        let places = try rows.map { row -> String in try row["document"] }
        let expected = try await expectedErrors(
            at: site, on: request.firstQuery("floor").map { FloorID($0) })
        let taps = try await TapStore.findings(
            of: site, on: floors, limit: SurveyCoach.mostAdvice, pool)
        return .json(
            QualityAnswer.advice(
                of: site, version: version, places: places, disagreeing: taps.places,
                changes: taps.changes, gaps: try await gaps(of: site, on: floors),
                expected: expected))
    }

    /// Those of one floor: all floors of a campus would be megabytes.
    private func expectedErrors(at site: SiteID, on floor: FloorID?) async throws -> String? {
        guard let floor else { return nil }
        return try await pool.query(
            "SELECT document FROM radio_maps.expected_errors WHERE site = $1 AND floor = $2",
            [.text(site.text), .text(floor.text)]
        ).first.map { row -> String in try row["document"] }
    }

    /// The corridors without a magnetic route; none where the site's document can't be read.
    private func gaps(
        of site: SiteID, on floors: Set<FloorID>?
    ) async throws -> [MagneticGap] {
        guard let document = sites[whole: site]?.index.document else { return [] }
        let corridors = MagneticGap.floors(of: document, on: floors)
        guard !corridors.isEmpty else { return [] }
        let rows = try await pool.query(
            """
            SELECT floor, polyline::text AS polyline
            FROM magnetic_routes.routes
            WHERE site = $1 AND state = 'valid' AND floor = ANY($3::text[])
                AND (validation->>'validatedAt')::timestamptz > $2
            """,
            [
                .text(site.text),
                .timestamp(
                    microseconds: MagneticRouteState.oldestValidation(at: clock.now).microseconds),
                .textArray(corridors.map(\.text)),
            ])
        let lines = try rows.map { row in
            let points = try MagneticRouteRecorded.polyline(storedJSON: row["polyline"])
            return (floor: FloorID(try row["floor"]), line: points.map { Point(x: $0.x, y: $0.y) })
        }
        return MagneticGap.all(in: document, beside: lines, on: floors)
    }

    /// The floors of an answer: the one of the request, or all that the caller may see; nil for
    /// all. Any is accepted at a site whose document can't be read.
    ///
    /// - Parameter own: the floors that the caller may see; nil for all.
    private func floors(
        of request: HTTPRequest, _ site: SiteID, among own: Set<FloorID>?
    ) throws(Problem) -> Set<FloorID>? {
        guard let asked = request.firstQuery("floor").map({ FloorID($0) }) else { return own }
        if let document = sites[whole: site]?.index.document {
            try NamedRecord.floor(asked).check(in: document)
        }
        guard own?.contains(asked) ?? true else { throw .buildingNotYours }
        return [asked]
    }

    /// The floors of the buildings in which the caller has a role; nil for all.
    private func ownFloors(
        _ request: HTTPRequest, _ site: SiteID
    ) throws(Problem) -> Set<FloorID>? {
        guard case .buildings(let own) = try request.reach(at: site) else { return nil }
        guard let document = sites[whole: site]?.index.document else { throw .starting }
        return Set(document.floors.filter { own.contains($0.building) }.map(\.id))
    }

    private func count(of request: HTTPRequest) throws(Problem) -> Int {
        guard let text = request.firstQuery("count") else { return Self.usualCount }
        guard let count = Int(text), (1...SurveyCoach.mostAdvice).contains(count) else {
            throw Problem(
                .countOutOfRange,
                "count is between 1 and \(SurveyCoach.mostAdvice).")
        }
        return count
    }
}
