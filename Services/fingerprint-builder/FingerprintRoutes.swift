import Access
import Events
import HTTP
import Postgres
import ServiceHost
import Site
import Wire

/// Serves radio maps by hash, and the fingerprints and readings of a site's surveys.
struct FingerprintRoutes: Sendable {
    let sites: SiteDirectory
    let pool: PostgresPool
    let store: RadioMapStore

    private static let pageLimit = 10_000

    var all: [Route] {
        [
            Route(
                .get, "/v1/radio-maps/{hash}",
                handler: .task { try await artifact($0) }),
            Route(
                .get, "/v1/sites/{site}/radio-map",
                handler: .task { try await radioMap($0) }),
            Route(
                .get, "/v1/sites/{site}/access-points",
                handler: .task { try await accessPoints($0) }),
            Route(
                .get, "/v1/sites/{site}/measurements",
                handler: .task { try await measurements($0) }),
            Route(
                .get, "/v1/sites/{site}/fingerprints",
                handler: .task { try await fingerprints($0) }),
        ]
    }

    private func artifact(_ request: HTTPRequest) async throws -> HTTPResponse {
        let hash = request.parameters["hash"] ?? ""
        // A map of another site gets the same answer as a missing one, so that nobody can probe for
        // it.
        let isTheirs = try await store.sites(of: hash).contains { site in
            (try? request.check(at: site)) != nil
        }
        guard isTheirs, let bytes = try await store.artifact(hash) else {
            throw Problem(.radioMapUnknown, "There is no radio map with this hash.")
        }
        return HTTPResponse(
            headers: [
                ("content-type", "application/octet-stream"),
                ("cache-control", "private, max-age=31536000, immutable"),
            ], body: .bytes(bytes))
    }

    /// The newest announcement of a radio map, or that of `?version=`, with the map's choice.
    ///
    /// The answer also has three numbers: the surveys counted, those that the map was built from,
    /// and those that the newest map leaves out.
    private func radioMap(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let version = request.firstQuery("version")
        let map = try await store.version(version.flatMap { Int($0) ?? 0 }, of: site)
        guard version == nil || map != nil else {
            throw Problem(.radioMapUnknown, "The site has no radio map of this version.")
        }
        let name = PostgresValue.text(site.text)
        let counted = try await pool.query(
            "SELECT surveys FROM fingerprint_builder.sites WHERE site = $1", [name]
        ).first.map { row -> Int in try row["surveys"] }
        let leftOut = try await pool.query(
            "SELECT count(*) AS number FROM radio_maps.discarded_surveys WHERE site = $1", [name]
        ).first.map { row -> Int in try row["number"] }
        let counts = SiteRadioMap.Counts(
            surveys: counted ?? 0, inMap: map?.surveys ?? 0, leftOut: leftOut ?? 0)
        return .json(SiteRadioMap.json(of: site, counts, map: map?.event, choice: map?.choice))
    }

    /// Lists the senders that surveys heard. Without rules, some are shown to surveyors and editors
    /// only: those heard at one place or on one day may be a visitor's own.
    private func accessPoints(_ request: HTTPRequest) async throws -> HTTPResponse {
        let page = try Page(request, limit: Self.pageLimit)
        let site = try sites.site(of: request)
        let hasRules = sites[site]?.index.document.accessPoints.allow.isEmpty == false
        let seesAll = hasRules || request.caller?.has(Self.surveyors, at: site) == true
        let rows = try await pool.query(
            """
            SELECT heard.id, name, first_heard, last_heard, measurements, change, reason, radio
            FROM fingerprint_builder.access_points AS heard
            LEFT JOIN radio_maps.access_point_notes AS notes USING (site, id)
            WHERE heard.site = $1 AND heard.id > $2 AND ($4 OR \(Self.isLasting))
            ORDER BY heard.id LIMIT $3
            """, [.text(site.text), .text(page.after), .int(page.limit), .bool(seesAll)])
        return page.response(
            try rows.map { row in
                ListedAccessPoint(
                    id: try row["id"], name: try row["name"],
                    firstHeard: Timestamp(microseconds: try row["first_heard"]),
                    lastHeard: Timestamp(microseconds: try row["last_heard"]),
                    measurements: try row["measurements"], change: try row["change"],
                    reason: try row["reason"], radio: try row["radio"])
            })
    }

    private static let surveyors = RoleSet(
        .surveyor, .administratorOfSite, .administrator, .service)

    /// Whether a sender was heard at two places and on two days. Beacons and nodes are put up on
    /// purpose.
    private static let isLasting = """
        (heard.id LIKE 'beacon/%' OR heard.id LIKE 'node/%'
            OR (heard.first_heard AT TIME ZONE 'UTC')::date
                < (heard.last_heard AT TIME ZONE 'UTC')::date
            AND (SELECT count(DISTINCT convert_from(surveys.event, 'UTF8')::jsonb -> 'place') > 1
                FROM fingerprint_builder.measurements AS one
                JOIN fingerprint_builder.surveys AS surveys ON surveys.id = one.survey
                WHERE one.site = heard.site AND one.access_point = heard.id))
        """

    /// The readings of one access point, survey by survey, without discarded surveys.
    private func measurements(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let accessPoint = request.firstQuery("accessPoint") else {
            throw Problem(
                .accessPointMissing,
                "Name the access point: ?accessPoint=wifi/00:62:ec:fd:ec:50")
        }
        let page = try Page(request, limit: Self.pageLimit)
        let site = try sites.site(of: request)
        let rows = try await pool.query(
            """
            SELECT survey::text AS survey, rssi, frequency
            FROM fingerprint_builder.measurements AS heard
            WHERE site = $1 AND access_point = $2 AND survey::text > $3
                AND NOT EXISTS (SELECT FROM radio_maps.discarded_surveys AS discarded
                    WHERE discarded.site = heard.site AND discarded.survey = heard.survey)
            ORDER BY survey::text LIMIT $4
            """,
            [.text(site.text), .text(accessPoint), .text(page.after), .int(page.limit)])
        return page.response(
            try rows.map { row in
                ListedMeasurement(
                    survey: try row["survey"], rssi: try row["rssi"],
                    frequency: try row["frequency"])
            })
    }

    private func fingerprints(_ request: HTTPRequest) async throws -> HTTPResponse {
        let page = try Page(request, limit: 1_000)
        let site = try sites.site(of: request)
        let rows = try await pool.query(
            """
            SELECT place, cursor, event::text AS event FROM (
                SELECT place, floor, event, (place || '/' || floor) COLLATE "C" AS cursor
                FROM radio_maps.fingerprints WHERE site = $1) AS all_places
            WHERE cursor > $2 AND ($3::text IS NULL OR floor = $3)
            ORDER BY cursor LIMIT $4
            """,
            [
                .text(site.text), .text(page.after),
                .optional(request.firstQuery("floor"), PostgresValue.text), .int(page.limit),
            ])
        return page.response(
            try rows.map { row in
                ListedFingerprint(
                    place: try row["place"], fingerprint: try row["event"],
                    cursor: try row["cursor"])
            })
    }
}
