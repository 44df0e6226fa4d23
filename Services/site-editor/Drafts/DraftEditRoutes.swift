import Events
import HTTP
import ServiceHost
import Site
import Wire

/// The edits of drafts: to make many at once, to undo them, to read and to follow them.
struct DraftEditRoutes: Sendable {
    /// The most bytes of one request with edits. A record has a megabyte at most.
    private static let bodyLimit = 4 << 20
    private static let pageMaximum = 1_000
    /// The most edits that a stream reads at once.
    private static let streamedAtOnce = 100

    let sites: SiteDirectory
    let clock: EventClock
    let store: SiteStore
    let hub: DraftEditHub

    var all: [Route] {
        [
            Route(
                .post, "/v1/sites/{site}/draft/edits", maximumBodyBytes: Self.bodyLimit,
                handler: .refusing { try await make($0) }),
            Route(
                .get, "/v1/sites/{site}/draft/edits", handler: .refusing { try await list($0) }),
            Route(
                .get, "/v1/sites/{site}/draft/edits/stream",
                handler: .task { try await follow($0) }),
            Route(
                .post, "/v1/sites/{site}/draft/undo", maximumBodyBytes: 4_096,
                handler: .refusing { try await undo($0) }),
        ]
    }

    private func make(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let submission = try request.read(DraftEditSubmission.init)
        let made = try await store.make(
            submission, at: site, by: try await store.author(of: request, at: site), clock.now)
        return tagged(
            DraftEditAnswer.json(revision: made.revision, made.results), .draft(made.revision))
    }

    private func undo(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let submission = try request.read(DraftUndoSubmission.init)
        let author = try await store.author(of: request, at: site)
        let undone = try await store.undo(
            submission.revision.map { .revision($0) } ?? .newestOwn, at: site, id: submission.id,
            by: author, clock.now)
        let revision = undone.edited.draft.revision
        return tagged(
            DraftEditAnswer.undone(revision: revision, undoes: undone.undoes), .draft(revision))
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let limit = try request.pageLimit(maximum: Self.pageMaximum)
        let seen = try await store.edits(
            of: site, after: try revision(request.firstQuery("after")), limit: limit,
            for: try await store.author(of: request, at: site))
        return taggedByContent(
            ListAnswer.page(seen.edits, next: seen.hasMore ? String(seen.revision) : nil),
            namesPeople: true)
    }

    /// Server-sent events, whose ids are revisions.
    private func follow(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let author = try await store.author(of: request, at: site)
        let last = try revision(request.header("last-event-id"), .eventIdMalformed)
        var start = try last ?? revision(request.firstQuery("after"))
        if start == nil {
            start = try await store.newestRevisions(of: [site])[site]
        }
        // An answer says that edits are missing, which no stream can.
        _ = try await store.edits(of: site, after: start, limit: 1, for: author)
        let caller = request.principal?.id ?? ""
        try hub.enter(site, caller: caller)
        let stream = DraftEditStream(
            hub, store, site, author, caller, after: start ?? 0, atOnce: Self.streamedAtOnce)
        return HTTPResponse(
            headers: [("content-type", "text/event-stream"), ("cache-control", "no-store")],
            body: .pulled { try await stream.next() })
    }

    private func revision(
        _ text: String?, _ code: ProblemCode = .cursorMalformed
    ) throws(Problem) -> Int? {
        guard let text else { return nil }
        guard let revision = Int(text), revision >= 0, text.allSatisfy(\.isNumber) else {
            throw Problem(code, "Send a revision of the draft as a number from 0.")
        }
        return revision
    }
}

/// The edits of one site for one client.
final class DraftEditStream: Sendable {
    private let hub: DraftEditHub
    private let store: SiteStore
    private let site: SiteID
    private let author: DraftAuthor
    private let caller: String
    private let atOnce: Int
    /// The revision up to which the client has the edits; nil before the first answer.
    private let place: Place

    private actor Place {
        var revision: Int
        var hasBegun = false

        init(_ revision: Int) { self.revision = revision }

        func begin() -> Bool {
            defer { hasBegun = true }
            return !hasBegun
        }

        func move(to revision: Int) { self.revision = revision }
    }

    /// - Parameter caller: has entered the hub, which the stream leaves at its end.
    init(
        _ hub: DraftEditHub, _ store: SiteStore, _ site: SiteID, _ author: DraftAuthor,
        _ caller: String, after revision: Int, atOnce: Int
    ) {
        (self.hub, self.store, self.site, self.author) = (hub, store, site, author)
        (self.caller, self.atOnce, place) = (caller, atOnce, Place(revision))
    }

    deinit { hub.leave(site, caller: caller) }

    /// The next events, or a comment that keeps a quiet stream open; nil at its end.
    func next() async throws -> [UInt8]? {
        if await place.begin() { return Self.comment }
        while !Task.isCancelled {
            let last = await place.revision
            switch await hub.wait(site, after: last) {
            case .ended: return nil
            case .quiet: return Self.comment
            case .edited: break
            }
            let seen = try await store.edits(
                of: site, after: last, limit: atOnce, for: try await present())
            guard seen.revision > last else {
                // The edits are being written into the journal.
                try? await Task.sleep(for: .milliseconds(50))
                continue
            }
            await place.move(to: seen.revision)
            return Self.events(seen)
        }
        return nil
    }

    /// The author with what is hidden from them now.
    private func present() async throws -> DraftAuthor {
        guard author.published != nil else { return author }
        var present = author
        present.published = try await store.published(site)?.document
        return present
    }

    private static let comment = Array(": keep-alive\n\n".utf8)

    private static func events(_ seen: SiteStore.SeenEdits) -> [UInt8] {
        let events = seen.edits.flatMap { edit in
            ServerSentEvent(id: String(edit.revision), data: edit.json).encoded()
        }
        // The client goes on from there, although these edits were not for it.
        guard seen.edits.last?.revision == seen.revision else {
            return events + Array("id: \(seen.revision)\n\n".utf8)
        }
        return events
    }
}
