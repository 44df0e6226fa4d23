import Events
import HTTP
import ServiceHost
import Site
import Wire

/// Operations on a draft as a whole, or on the surveys at its places.
struct DraftRoutes: Sendable {
    let sites: SiteDirectory
    let clock: EventClock
    let publishing: Publishing
    let store: SiteStore

    var all: [Route] {
        [
            Route(
                .patch, "/v1/sites/{site}",
                maximumBodyBytes: SiteRoutes.bodyLimit, handler: .refusing { try await patch($0) }),
            post("/v1/sites/{site}/publish") { try await publish($0) },
            post("/v1/sites/{site}/undo") { try await undo($0) },
            post("/v1/sites/{site}/link-locations") { request in
                try await edit(request, DraftNote(action: .link)) { _ in .linkLocations }
            },
            post("/v1/sites/{site}/locations/{id}/link/{other}") { try await link($0) },
            post("/v1/sites/{site}/rooms/{id}/clear") { request in
                try await clear(request) { RoomID(validating: $0).map(SiteThing.room) }
            },
            post("/v1/sites/{site}/locations/{id}/clear") { request in
                try await clear(request) { LocationID(validating: $0).map(SiteThing.location) }
            },
            post("/v1/sites/{site}/floors/{id}/clear") { request in
                try await clear(request) { FloorID(validating: $0).map(SiteThing.floor) }
            },
        ]
    }

    /// Publishes the draft to everyone as the site's next version, or to testers with `{"audience":
    /// "test"}`.
    private func publish(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let revision = try request.expectedRevision()
        switch try DraftAudience(json: request.body) {
        case .test:
            let shown = try await store.publishToTesters(
                site, expectedRevision: revision, by: request.principal?.id, at: clock.now)
            await publishing.done(shown.outcome, of: shown.site, by: request)
            return tagged(
                PublicationAnswer.test(
                    of: site, revision: shown.revision,
                    testersSite: shown.site, version: shown.outcome.version),
                .test(shown.revision))
        case .everyone:
            let (outcome, shown, siteAudience) = try await store.publishDraft(
                site, expectedRevision: revision, by: request.principal?.id, at: clock.now)
            await publishing.done(outcome, of: site, by: request)
            return tagged(
                PublicationAnswer.json(
                    of: site, version: outcome.version, isChanged: outcome.isChanged,
                    draft: (revision: shown, audience: .everyone), siteAudience: siteAudience),
                .version(outcome.version))
        }
    }

    /// Changes the draft by a JSON Merge Patch (RFC 7396): its name, its frame, its rules for
    /// access points. A patch may also hold whole lists of records.
    private func patch(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await edit(request, DraftNote(action: .patch)) { document in
            let changed = try document.patched(with: request.body)
            try changed.checkZones(after: document)
            return .rewrite(changed)
        }
    }

    private func undo(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        return try await store.undo(
            site, expectedRevision: try request.expectedRevision(),
            by: try await store.author(of: request, at: site), at: clock.now
        ).response
    }

    private func link(_ request: HTTPRequest) async throws -> HTTPResponse {
        let ends = ["id", "other"].compactMap { name in
            request.parameters[name].flatMap { LocationID(validating: $0) }
        }
        guard ends.count == 2 else { throw Problem.identifierMalformed }
        let note = DraftNote(action: .link, thing: .record(.location(ends[0])))
        return try await edit(request, note) { _ in .link(ends[0], ends[1]) }
    }

    private func clear(
        _ request: HTTPRequest, _ thing: (String) -> SiteThing?
    ) async throws -> HTTPResponse {
        guard let thing = thing(request.parameters["id"] ?? "") else {
            throw Problem.identifierMalformed
        }
        return try await edit(request, DraftNote(action: .clear, thing: .record(thing))) { _ in
            .clear(thing)
        }
    }

    private func edit(
        _ request: HTTPRequest, _ note: DraftNote,
        _ change: @escaping @Sendable (SiteDocument) throws -> SiteEdit
    ) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let author = try await store.author(of: request, at: site)
        return try await store.edit(
            site, expectedRevision: try request.expectedRevision(), by: author, note,
            at: clock.now
        ) { document in
            if case .record(let thing) = note.thing {
                try author.checkSees([thing], in: document)
            }
            return try change(document)
        }.response
    }

    private func post(
        _ pattern: String, _ body: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) -> Route {
        Route(
            .post, pattern, maximumBodyBytes: 4_096,
            handler: .refusing(body))
    }
}

extension Problem {
    static let identifierMalformed = Problem(
        .identifierMalformed, "Send an id of 1 to 64 of A-Z a-z 0-9 . _ -.")
}
