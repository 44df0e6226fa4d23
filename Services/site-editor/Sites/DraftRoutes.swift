import Events
import HTTP
import JSON
import ServiceHost
import Site
import Wire

/// What is done to a draft as a whole, or to what is surveyed in its places.
struct DraftRoutes: Sendable {
    let host: Host
    let store: SiteStore

    var all: [Route] {
        [
            Route(
                .patch, "/v1/sites/{site}",
                maximumBodyBytes: SiteRoutes.bodyLimit, handler: .refusing { try await patch($0) }),
            post("/v1/sites/{site}/publish") { try await publish($0) },
            post("/v1/sites/{site}/undo") { try await undo($0) },
            post("/v1/sites/{site}/link-locations") { request in
                try await edit(request) { _ in .linkLocations }
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

    /// To everyone as the site's next version, or with `{"audience": "test"}` to testers.
    private func publish(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try host.site(of: request)
        let revision = try request.expectedRevision()
        let audience = try Audience(request.body)
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("site", site.text)
        let tag: EntityTag
        switch audience {
        case .test:
            let shown = try await store.publishToTesters(
                site, expectedRevision: revision, by: request.principal?.id, at: host.now)
            await host.published(shown.outcome, of: shown.site, by: request)
            writer.field("testersSite", shown.site.text)
            writer.field("testersVersion", shown.outcome.version)
            writer.field("revision", shown.revision)
            tag = .test(shown.revision)
        case .everyone:
            let (outcome, shown) = try await store.publishDraft(
                site, expectedRevision: revision, by: request.principal?.id, at: host.now)
            await host.published(outcome, of: site, by: request)
            writer.field("version", outcome.version)
            writer.field("changed", outcome.isChanged)
            writer.field("revision", shown)
            tag = .version(outcome.version)
        }
        writer.field("audience", audience.rawValue)
        writer.endObject()
        return tagged(writer.finish(), tag)
    }

    /// RFC 7396, of the draft as one document: for its name, its frame, its rules for access points.
    private func patch(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await edit(request) { document in
            do {
                let merged = try JSONMergePatch.apply(request.body, to: document.json)
                return .replace(try SiteDocument(json: merged))
            } catch let fault as JSONFault {
                throw WireFault(fault)
            }
        }
    }

    private func undo(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await store.undo(
            try host.site(of: request), expectedRevision: try request.expectedRevision(),
            at: host.now
        ).response
    }

    private func link(_ request: HTTPRequest) async throws -> HTTPResponse {
        let ends = ["id", "other"].compactMap { name in
            request.parameters[name].flatMap { LocationID(validating: $0) }
        }
        guard ends.count == 2 else { throw Problem.identifierMalformed }
        return try await edit(request) { _ in .link(ends[0], ends[1]) }
    }

    private func clear(
        _ request: HTTPRequest, _ thing: (String) -> SiteThing?
    ) async throws -> HTTPResponse {
        guard let thing = thing(request.parameters["id"] ?? "") else {
            throw Problem.identifierMalformed
        }
        return try await edit(request) { _ in .clear(thing) }
    }

    private func edit(
        _ request: HTTPRequest,
        _ change: @escaping @Sendable (SiteDocument) throws -> SiteEdit
    ) async throws -> HTTPResponse {
        try await store.edit(
            try host.site(of: request), expectedRevision: try request.expectedRevision(),
            at: host.now, change
        ).response
    }

    private func post(
        _ pattern: String, _ body: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) -> Route {
        Route(
            .post, pattern, maximumBodyBytes: 4_096,
            handler: .refusing(body))
    }
}

/// Whom a draft is published to.
private enum Audience: String {
    case everyone, test

    /// `{"audience": "test"}`; everyone for an empty body.
    init(_ body: [UInt8]) throws {
        guard !body.isEmpty else {
            self = .everyone
            return
        }
        let said: String?
        do {
            said = try JSONParser.read(body) { root in
                guard let object = root.object else {
                    throw WireFault(.notAnObject, "an object is expected")
                }
                guard let value = object["audience"], !value.isNull else { return nil }
                return value.string ?? ""
            }
        } catch let fault as JSONFault {
            throw WireFault(fault)
        }
        guard let audience = Audience(rawValue: said ?? "everyone") else {
            throw WireFault(.fieldOutOfRange, path: "audience", "one of everyone, test")
        }
        self = audience
    }
}

extension Problem {
    static let identifierMalformed = Problem(
        .identifierMalformed, "An id is 1 to 64 of A-Z a-z 0-9 . _ -.")
}
