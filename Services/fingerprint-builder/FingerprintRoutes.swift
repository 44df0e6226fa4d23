import Events
import HTTP
import Postgres
import ServiceHost
import Site
import Wire

/// Serves radio maps by hash, and the fingerprints and access points of a site's surveys.
struct FingerprintRoutes: Sendable {
    let sites: SiteDirectory
    let pool: PostgresPool
    let store: RadioMapStore
    private let served = ServedMaps()
    private var senders: HeardSenders { HeardSenders(sites: sites, pool: pool) }

    init(sites: SiteDirectory, pool: PostgresPool, store: RadioMapStore) {
        self.sites = sites
        self.pool = pool
        self.store = store
    }

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
                .get, "/v1/sites/{site}/access-points/{id}",
                handler: .task { try await accessPoint($0) }),
            Route(
                .get, "/v1/sites/{site}/fingerprints",
                handler: .task { try await fingerprints($0) }),
        ]
    }

    private func artifact(_ request: HTTPRequest) async throws -> HTTPResponse {
        let hash = request.parameters["hash"] ?? ""
        var known: ServedMaps.Map?
        do {
            known = try await map(hash)
            if let known { served.keep(known) }
        } catch let error as PostgresError where error.isRetriable {
            known = served[hash]
            if known == nil { throw error }
        }
        // A map of another site gets the same answer as a missing one, so that nobody can probe for
        // it.
        guard let known, known.sites.contains(where: { (try? request.check(at: $0)) != nil }) else {
            throw Problem(.radioMapUnknown, "There is no radio map with this hash.")
        }
        return HTTPResponse(
            headers: [
                ("content-type", "application/octet-stream"),
                ("cache-control", "private, max-age=31536000, immutable"),
            ], body: .bytes(known.bytes))
    }

    /// The map with this hash; nil when there is none.
    private func map(_ hash: String) async throws -> ServedMaps.Map? {
        let sites = try await store.sites(of: hash)
        guard !sites.isEmpty, let bytes = try await store.artifact(hash) else { return nil }
        return ServedMaps.Map(hash: hash, sites: sites, bytes: bytes)
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
        try await sites.checkIsKnown(site, hasRows: map != nil || counted != nil)
        let counts = SiteRadioMap.Counts(
            surveys: counted ?? 0, inMap: map?.surveys ?? 0, leftOut: leftOut ?? 0)
        return .json(SiteRadioMap.json(of: site, counts, map: map?.event, choice: map?.choice))
    }

    /// Lists the senders that surveys heard. Without rules, some are shown to surveyors and editors
    /// only: those heard at one place or on one day may be a visitor's own.
    private func accessPoints(_ request: HTTPRequest) async throws -> HTTPResponse {
        let page = try Page(request, limit: Self.pageLimit)
        let site = try sites.site(of: request)
        let rows = try await pool.query(
            """
            \(Self.heardSenders) AND heard.id > $3
            ORDER BY heard.id LIMIT $4
            """,
            [
                .text(site.text), .bool(senders.seesAll(request, site)), .text(page.after),
                .int(page.limit),
            ])
        try await sites.checkIsKnown(site, hasRows: !rows.isEmpty || !page.after.isEmpty) {
            try await pool.hasRows(ofSite: site.text, in: "fingerprint_builder.access_points")
        }
        return page.response(try rows.map(Self.listed))
    }

    /// One of these senders. Those that the list hides from the caller are unknown here, too.
    private func accessPoint(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        guard let id = AccessPointPath.id(request.parameters["id"] ?? ""),
            let row = try await pool.query(
                "\(Self.heardSenders) AND heard.id = $3",
                [.text(site.text), .bool(senders.seesAll(request, site)), .text(id)]
            ).first
        else {
            throw Problem(.accessPointUnknown, "No survey has heard an access point of this id.")
        }
        return .json(try Self.listed(row).json)
    }

    private static let heardSenders = """
        SELECT heard.id, name, first_heard, last_heard, measurements, change, reason, radio
        FROM fingerprint_builder.access_points AS heard
        LEFT JOIN radio_maps.access_point_notes AS notes USING (site, id)
        WHERE heard.site = $1 AND ($2 OR \(HeardSenders.isLasting))
        """

    private static func listed(_ row: PostgresRow) throws -> ListedAccessPoint {
        ListedAccessPoint(
            id: try row["id"], name: try row["name"],
            firstHeard: Timestamp(microseconds: try row["first_heard"]),
            lastHeard: Timestamp(microseconds: try row["last_heard"]),
            measurements: try row["measurements"], change: try row["change"],
            reason: try row["reason"], radio: try row["radio"])
    }

    private func fingerprints(_ request: HTTPRequest) async throws -> HTTPResponse {
        let page = try Page(request, limit: 1_000)
        let site = try sites.site(of: request)
        let floor = request.firstQuery("floor")
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
                .optional(floor, PostgresValue.text), .int(page.limit),
            ])
        try await sites.checkIsKnown(site, hasRows: !rows.isEmpty || !page.after.isEmpty) {
            try await pool.hasRows(ofSite: site.text, in: "radio_maps.fingerprints")
        }
        if let floor {
            try await sites.checkHas(
                .floor(FloorID(floor)), at: site, for: .editor,
                hasRows: !rows.isEmpty || !page.after.isEmpty)
        }
        return page.response(
            try rows.map { row in
                ListedFingerprint(
                    place: try row["place"], fingerprint: try row["event"],
                    cursor: try row["cursor"])
            })
    }
}
