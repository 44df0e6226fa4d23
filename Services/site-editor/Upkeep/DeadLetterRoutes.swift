import Access
import Events
import HTTP
import ServiceHost
import Site
import Wire

/// /v1/dead-letters: an administrator looks at the records of a site that were set aside, and puts
/// them back once the cause is mended.
///
/// Those that name no site, or more than one, are for administrators of all sites.
struct DeadLetterRoutes: Sendable {
    private static let pageMaximum = 200
    /// The most bytes of a record that are shown.
    private static let mostBytes = 100_000

    let sites: SiteDirectory
    let security: SecurityLog
    let shelf: LetterShelf
    let putBack: @Sendable (DeadLettered) async throws -> Host.PutBackOutcome
    /// Reports a failure to the operator.
    let unexpected: @Sendable (String) -> Void

    var all: [Route] {
        [
            Route(.get, "/v1/dead-letters", handler: .refusing { try await list($0) }),
            Route(
                .get, "/v1/dead-letters/{topic}/{partition}/{offset}",
                handler: .refusing { try await show($0) }),
            Route(
                .post, "/v1/dead-letters/{topic}/{partition}/{offset}/apply",
                maximumBodyBytes: 1_024, handler: .refusing { try await apply($0) }),
        ]
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        var wanted: SiteID?
        if let text = try request.filled("site") {
            guard let site = SiteID(validating: text) else { throw Problem.identifierMalformed }
            try request.check(at: site)
            wanted = site.tested ?? site
        } else if !request.isOfAllSites {
            throw Problem.siteNotYours
        }
        let limit = try request.pageLimit(maximum: Self.pageMaximum)
        var rows = try await shelf.latest().letters(of: wanted)[...]
        if let wanted { try await sites.checkIsKnown(wanted, hasRows: !rows.isEmpty) }
        if let after = request.firstQuery("after") {
            guard let last = rows.firstIndex(where: { $0.listed.cursor == after }) else {
                throw Problem.cursorMalformed
            }
            rows = rows[(last + 1)...]
        }
        let page = rows.prefix(limit).map(\.listed)
        return .json(
            ListAnswer.page(page, next: page.count < rows.count ? page.last?.cursor : nil))
    }

    private func show(_ request: HTTPRequest) async throws -> HTTPResponse {
        var shown: [(letter: DeadLettered, site: SiteID?, putBackAt: Timestamp?)] = []
        for row in try await rows(request) {
            guard let letter = try await shelf.letter(row) else { continue }
            shown.append((letter, row.listed.site, row.listed.putBackAt))
        }
        guard !shown.isEmpty else { throw Self.unknown }
        return .json(DeadLettersLines.answer(shown, mostBytes: Self.mostBytes))
    }

    private func apply(_ request: HTTPRequest) async throws -> HTTPResponse {
        let rows = try await rows(request)
        var outcomes: [(consumer: String, outcome: Host.PutBackOutcome)] = []
        for row in rows {
            guard let letter = try await shelf.letter(row) else { throw Self.unknown }
            let outcome = await outcome(of: letter)
            outcomes.append((row.listed.consumer, outcome))
            security.note(
                .recordPutBack, by: request,
                [
                    "letter": row.listed.id, "consumer": row.listed.consumer,
                    "outcome": outcome.word,
                ])
        }
        await shelf.expire()
        return .json(DeadLettersLines.answer(outcomes, of: rows[0].listed.id))
    }

    private func outcome(of letter: DeadLettered) async -> Host.PutBackOutcome {
        do {
            return try await putBack(letter)
        } catch {
            unexpected("The dead letter \(letter.id) could not be put back: \(error)")
            return .refused(
                code: ProblemCode.putBackFailed.text,
                detail: "this service can't put it back; an operator runs `whereabouts "
                    + "dead-letters apply \(letter.id)` with the rights of its consumer")
        }
    }

    /// The letters of the record in the path. One that the caller may not see gets the same answer
    /// as a missing one.
    private func rows(_ request: HTTPRequest) async throws -> [LetterIndex.Row] {
        let parts = ["topic", "partition", "offset"].map { request.parameters[$0] ?? "" }
        let found = try await shelf.latest().letters(parts.joined(separator: "/"))
        guard !found.isEmpty, found.allSatisfy({ Self.maySee($0.listed.site, request) }) else {
            throw Self.unknown
        }
        return found
    }

    private static func maySee(_ site: SiteID?, _ request: HTTPRequest) -> Bool {
        guard let site else { return request.isOfAllSites }
        return (try? request.check(at: site)) != nil
    }

    private static let unknown = Problem(
        .notFound, "There is no such dead letter among the newest \(LetterIndex.capacity).")
}

extension HTTPRequest {
    /// Whether the caller looks after all sites.
    fileprivate var isOfAllSites: Bool {
        caller?.grants.contains { $0.role == .administrator } ?? false
    }
}

extension Host.PutBackOutcome {
    fileprivate var word: String {
        switch self {
        case .putBack: "put-back"
        case .notMissing: "not-missing"
        case .notWhole: "not-whole"
        case .refused(let code, _): code
        }
    }
}
