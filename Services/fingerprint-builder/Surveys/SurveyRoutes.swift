import Access
import Events
import Geometry
import HTTP
import LogViews
import Positioning
import Postgres
import RadioMapCare
import ServiceHost
import Site
import Wire

/// Lists single surveys, withdraws them, and reviews those that were kept aside.
struct SurveyRoutes: Sendable {
    private static let pageMaximum = 1_000
    /// The most surveys in one decision.
    private static let decisionLimit = 1_000
    private static let schema = "fingerprint_builder"

    let sites: SiteDirectory
    let clock: EventClock
    let security: SecurityLog
    let pool: PostgresPool
    let maps: RadioMapStore
    let bell: OutboxBell

    var all: [Route] {
        [
            Route(.get, "/v1/sites/{site}/surveys", handler: .task { try await list($0) }),
            Route(
                .delete, "/v1/sites/{site}/surveys", handler: .task { try await withdrawAll($0) }),
            Route(
                .delete, "/v1/sites/{site}/surveys/{id}",
                handler: .task { try await withdraw($0) }),
            Route(
                .get, "/v1/sites/{site}/survey-reviews", handler: .task { try await reviews($0) }),
            Route(
                .post, "/v1/sites/{site}/survey-reviews", handler: .task { try await decide($0) }),
        ]
    }

    // MARK: Listing

    /// Lists all surveys of a site, or of one author, by id.
    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let page = try Page(request, limit: Self.pageMaximum)
        let author = try request.filled("author")
        let grounds = grounds(of: try request.filled("floor"), at: site)
        let rows = try await pool.query(
            """
            SELECT surveys.id, surveys.event, surveys.author, surveys.at,
                CASE WHEN withdrawn.survey IS NOT NULL OR authors.author IS NOT NULL
                        THEN 'withdrawn'
                    WHEN discarded.survey IS NOT NULL THEN 'cleared'
                    WHEN decisions.accepted THEN 'accepted'
                    WHEN NOT decisions.accepted THEN 'rejected'
                    WHEN aside.survey IS NOT NULL THEN 'kept-aside'
                    ELSE 'taken' END AS state
            FROM \(Self.schema).surveys AS surveys
            LEFT JOIN \(Self.schema).kept_aside AS aside ON aside.survey = surveys.id
            LEFT JOIN \(Self.schema).decisions AS decisions ON decisions.survey = surveys.id
            LEFT JOIN \(Self.schema).withdrawn_surveys AS withdrawn
                ON withdrawn.survey = surveys.id
            LEFT JOIN \(Self.schema).withdrawn_authors AS authors
                ON \(SurveyTimes.isWithdrawn("surveys", by: "authors"))
            LEFT JOIN radio_maps.discarded_surveys AS discarded
                ON discarded.site = surveys.site AND discarded.survey = surveys.id
            WHERE surveys.site = $1 AND ($2::text IS NULL OR surveys.author = $2)
                AND ($3::uuid IS NULL OR surveys.id > $3)
                AND ($5::text[] IS NULL OR surveys.ground = ANY ($5)
                    OR (surveys.ground LIKE 'location/%' AND surveys.ground <> ALL ($6::text[])))
            ORDER BY surveys.id LIMIT $4
            """,
            [
                .text(site.text), .optional(author, PostgresValue.text),
                .optional(try Self.cursor(page.after)) { .uuid($0.bytes) }, .int(page.limit),
                .optional(grounds?.onFloor) { .textArray($0) },
                .textArray(grounds?.locations ?? []),
            ])
        try await sites.checkIsKnown(site, hasRows: !rows.isEmpty || !page.after.isEmpty) {
            try await pool.hasRows(ofSite: site.text, in: "\(Self.schema).surveys")
        }
        return page.response(
            try rows.map { row in
                ListedSurvey(
                    try SurveyRecorded(json: try row["event"]), author: try row["author"],
                    at: Timestamp(microseconds: try row["at"]), state: try row["state"])
            })
    }

    /// The grounds of surveys on a floor, and all locations of the site: a location that is none of
    /// these may be in the draft. Nil without a floor.
    private func grounds(
        of floor: String?, at site: SiteID
    ) -> (onFloor: [String], locations: [String])? {
        guard let floor else { return nil }
        let id = FloorID(floor)
        guard let document = sites[whole: site]?.index.document else { return ([], []) }
        func texts(_ locations: [LocationRecord]) -> [String] {
            locations.map { SurveyGround.location($0.id).text }
        }
        let onFloor = texts(document.locations.filter { $0.floor == id })
        return (onFloor + [SurveyGround.floor(id).text], texts(document.locations))
    }

    private static func cursor(_ text: String) throws(Problem) -> EventID? {
        if text.isEmpty { return nil }
        guard let id = EventID(text) else {
            throw Problem.cursorMalformed
        }
        return id
    }

    // MARK: Withdrawing

    /// Withdraws one survey. Its author and those who keep the site may do so.
    private func withdraw(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        guard let caller = request.caller, let id = EventID(request.parameters["id"] ?? "") else {
            throw Self.unknown
        }
        let rows = try await pool.query(
            "SELECT author FROM \(Self.schema).surveys WHERE id = $1 AND site = $2",
            [.uuid(id.bytes), .text(site.text)])
        guard let row = rows.first else {
            guard try await isWithdrawn(id, site) else { throw Self.unknown }
            return HTTPResponse(status: 202)
        }
        let author: String? = try row["author"]
        guard author == caller.id || caller.has(Self.editors, inAllOf: site) else {
            throw Problem(.surveyNotYours, "A surveyor withdraws own surveys only.")
        }
        try await put([
            SurveysWithdrawn(site: site, which: .survey(id), by: caller.id, at: clock.now)
        ])
        security.note(
            .surveyWithdrawn, by: request, ["site": site.text, "survey": id.description])
        return HTTPResponse(status: 202)
    }

    /// Whether the survey was withdrawn earlier, so that a repeated request is answered alike.
    private func isWithdrawn(_ id: EventID, _ site: SiteID) async throws -> Bool {
        try await pool.query(
            """
            SELECT EXISTS (SELECT FROM \(Self.schema).withdrawn_surveys
                WHERE survey = $1 AND site = $2) AS known
            """, [.uuid(id.bytes), .text(site.text)])[0]["known"]
    }

    /// Withdraws all surveys that an author has sent so far: `?author=`.
    private func withdrawAll(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        guard let caller = request.caller else { throw Problem.tokenMissing }
        guard let author = request.firstQuery("author"), (1...128).contains(author.utf8.count),
            !hasControlCharacter(author)
        else {
            throw Problem(.authorMissing, "Name the author of the surveys: ?author=ID")
        }
        try await put([
            SurveysWithdrawn(site: site, which: .author(author), by: caller.id, at: clock.now)
        ])
        security.note(
            .surveysOfAuthorWithdrawn, by: request, ["site": site.text, "author": author])
        return HTTPResponse(status: 202)
    }

    private static let editors = RoleSet(.administratorOfSite, .administrator)
    private static let unknown = Problem(
        .surveyUnknown, "The site has no such survey.")

    // MARK: Reviewing

    /// Lists the surveys that wait for a review, and those among them that look like a change of
    /// the site's radio.
    private func reviews(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let waiting = try await waiting(site)
        try await sites.checkIsKnown(site, hasRows: !waiting.isEmpty) {
            try await pool.hasRows(ofSite: site.text, in: "\(Self.schema).surveys")
        }
        let changes = try await changes(waiting, site)
        return .json(SurveyReviewDocument(waiting: waiting, changes: changes).json)
    }

    /// A page of waiting surveys, the oldest first. The next page shows once these are decided.
    private func waiting(
        _ site: SiteID
    ) async throws -> [(aside: SurveyKeptAside, survey: SurveyRecorded)] {
        try await pool.query(
            """
            SELECT aside.event AS aside, surveys.event AS survey
            FROM \(Self.schema).kept_aside AS aside
            JOIN \(Self.schema).surveys AS surveys ON surveys.id = aside.survey
            LEFT JOIN \(Self.schema).decisions AS decisions ON decisions.survey = aside.survey
            LEFT JOIN \(Self.schema).withdrawn_surveys AS withdrawn
                ON withdrawn.survey = aside.survey
            LEFT JOIN \(Self.schema).withdrawn_authors AS authors
                ON \(SurveyTimes.isWithdrawn("surveys", by: "authors"))
            WHERE aside.site = $1 AND decisions.survey IS NULL AND withdrawn.survey IS NULL
                AND authors.author IS NULL
            ORDER BY aside.survey LIMIT $2
            """, [.text(site.text), .int(Self.pageMaximum)]
        ).map { row in
            (
                try SurveyKeptAside(json: try row["aside"]),
                try SurveyRecorded(json: try row["survey"])
            )
        }
    }

    private func changes(
        _ waiting: [(aside: SurveyKeptAside, survey: SurveyRecorded)], _ site: SiteID
    ) async throws -> [SurveyedChange] {
        let doubted = waiting.filter { $0.aside.doubt == .againstMap }.map(\.survey)
        guard doubted.count >= SurveyedChange.fewestSurveys, let published = sites[whole: site],
            let newest = try await maps.newest(site), let map = try await maps.map(newest.hash)
        else { return [] }
        let judge = SurveyJudge(map, site: published.index)
        return SurveyedChange.all(in: doubted, site: published.index, agree: judge.agree)
    }

    private func decide(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        guard let caller = request.caller else { throw Problem.tokenMissing }
        let decision = try request.read(SurveyDecision.init(json:))
        guard (1...Self.decisionLimit).contains(decision.surveys.count) else {
            throw Problem(
                .surveysOutOfRange,
                "A decision is about 1 to \(Self.decisionLimit) surveys.")
        }
        let rows = try await pool.query(
            """
            SELECT count(*) AS known FROM \(Self.schema).kept_aside
            WHERE site = $1 AND survey = ANY ($2::text[]::uuid[])
            """, [.text(site.text), .textArray(decision.surveys.map(\.description))])
        let known = try rows.first.map { try $0["known"] as Int } ?? 0
        guard known == Set(decision.surveys).count else { throw Self.unknown }
        let now = clock.now
        try await put(
            decision.surveys.map {
                SurveyDecided(
                    site: site, survey: $0, isAccepted: decision.isAccepted, by: caller.id, at: now)
            })
        security.note(
            .surveysReviewed, by: request,
            [
                "site": site.text, "decision": decision.isAccepted ? "accept" : "reject",
                "surveys": String(decision.surveys.count),
            ])
        return HTTPResponse(status: 202)
    }

    private func put(_ events: [some WireEvent]) async throws {
        let records = events.map { $0.record(source: MapBuilder.source) }
        try await pool.withTransaction { connection in
            try RadioMapStore.outbox.put(records, connection: connection)
        }
        bell.ring()
    }
}
