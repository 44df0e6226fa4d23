import Events
import HTTP
import JSON
import Postgres
import ServiceHost
import Wire

/// Radio maps by hash, and what surveys have found at a site.
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
        // Whose map it is not is told the same as where there is none.
        let isTheirs = try await store.sites(of: hash).contains { site in
            (try? request.check(at: site)) != nil
        }
        guard isTheirs, let bytes = try await store.artifact(hash) else {
            throw Problem(.radioMapUnknown, "There is no radio map of this hash.")
        }
        return HTTPResponse(
            headers: [
                ("content-type", "application/octet-stream"),
                ("cache-control", "private, max-age=31536000, immutable"),
            ], body: .bytes(bytes))
    }

    /// The newest announcement, or that of `?version=`, with what the map chose, how many surveys were
    /// counted, how many it was built from, and how many the newest leaves out.
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
        var writer = JSONWriter(capacity: 1_024)
        writer.beginObject()
        writer.field("site", site.text)
        writer.field("surveys", counted ?? 0)
        writer.field("surveysInMap", map?.surveys ?? 0)
        writer.field("surveysLeftOut", leftOut ?? 0)
        writer.name("radioMap")
        if let map { map.event.withUnsafeBytes { writer.raw($0) } } else { writer.null() }
        writer.name("choice")
        if let choice = map?.choice {
            choice.withUnsafeBytes { writer.raw($0) }
        } else {
            writer.null()
        }
        writer.endObject()
        return .json(writer.finish())
    }

    private func accessPoints(_ request: HTTPRequest) async throws -> HTTPResponse {
        let page = try Page(request, limit: Self.pageLimit)
        let site = try sites.site(of: request)
        let rows = try await pool.query(
            """
            SELECT heard.id, name, first_heard, last_heard, measurements, change, reason, radio
            FROM fingerprint_builder.access_points AS heard
            LEFT JOIN radio_maps.access_point_notes AS notes USING (site, id)
            WHERE heard.site = $1 AND heard.id > $2 ORDER BY heard.id LIMIT $3
            """, [.text(site.text), .text(page.after), .int(page.limit)])
        return try page.response("accessPoints", rows, cursor: "id") { row, writer in
            writer.field("id", try row["id"] as String)
            writer.field("name", try row["name"] as String?)
            writer.field("firstHeard", microseconds: try row["first_heard"] as Int64)
            writer.field("lastHeard", microseconds: try row["last_heard"] as Int64)
            writer.field("measurements", try row["measurements"] as Int)
            let reason = try row["reason"] as String?
            writer.field("use", reason == nil ? "used" : "ignored")
            writer.field("reason", reason)
            if let change = try row["change"] as String? {
                writer.name("change")
                writer.raw(json: change)
            }
            writer.field("radio", try row["radio"] as String?)
        }
    }

    /// The readings of one access point, survey by survey, without those that were discarded.
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
        return try page.response("measurements", rows, cursor: "survey") { row, writer in
            writer.field("survey", try row["survey"] as String)
            writer.field("rssi", try row["rssi"] as Int)
            writer.field("frequency", try row["frequency"] as Int?)
        }
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
        return try page.response("fingerprints", rows, cursor: "cursor") { row, writer in
            writer.field("place", try row["place"] as String)
            writer.name("fingerprint")
            Array((try row["event"] as String).utf8).withUnsafeBytes { writer.raw($0) }
        }
    }
}
