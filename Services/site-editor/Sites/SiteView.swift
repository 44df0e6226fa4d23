import Access
import Events
import HTTP
import ServiceHost
import Site
import Wire

/// One of a site's documents as the caller may see it: a published version, the testers' version,
/// or the draft.
struct SiteView: Sendable {
    var document: SiteDocument
    /// The newest published version; for a published document, its own.
    var version: Int
    /// The draft's revision; nil for published documents.
    var revision: Int?
    var tag: EntityTag
    /// A mark for ETags: readers get different documents under the same address.
    var mark = ""
}

/// The document that a request names with `?version=`.
enum VersionChoice: Hashable, Sendable {
    case published, draft, test
    case number(Int)

    init(_ request: HTTPRequest) throws(Problem) {
        switch request.firstQuery("version") {
        case nil, "published": self = .published
        case "draft": self = .draft
        case "test": self = .test
        case let text?:
            guard let number = Int(text), number > 0 else {
                throw Problem(
                    .versionMalformed,
                    "Send version as published, test, draft or the number of a version.")
            }
            self = .number(number)
        }
    }
}

extension SiteStore {
    /// The document that the request asks for. Only editors of the site may see the draft, and a
    /// visitor without an account the published version alone.
    func view(_ request: HTTPRequest, of site: SiteID) async throws -> SiteView {
        try await view(try VersionChoice(request), of: site, for: request)
    }

    /// Leaves out what is not for the reader. Another version leaves out what is not for them now,
    /// too: it may be from before that was hidden.
    func view(
        _ choice: VersionChoice, of site: SiteID, for request: HTTPRequest
    ) async throws -> SiteView {
        let whole = try await whole(choice, of: site, for: request.caller)
        let reader = request.reader(at: site)
        guard reader < .editor else { return whole.view }
        var view = whole.view
        let seen: SiteCache.Seen
        switch choice {
        case .published, .number:
            seen = cache.seen(
                SiteCache.SeenKey(
                    site: site, reader: reader, version: view.version,
                    present: whole.published.version)
            ) { Self.seen(view.document, by: reader, whole.published.document) }
        case .test, .draft:
            seen = Self.seen(view.document, by: reader, whole.published.document)
        }
        view.document = seen.document
        if seen.isFiltered { view.mark = "-\(reader.rawValue)-\(whole.published.version)" }
        return view
    }

    private static func seen(
        _ document: SiteDocument, by reader: Reader, _ present: SiteDocument
    ) -> SiteCache.Seen {
        SiteCache.Seen(
            document: document.seen(by: reader, asIn: present),
            isFiltered: document.isFiltered(for: reader) || present.isFiltered(for: reader))
    }

    private func whole(
        _ choice: VersionChoice, of site: SiteID, for caller: Caller?
    ) async throws -> (view: SiteView, published: SitePublished) {
        if choice == .draft { try Self.checkSeesDraft(of: site, caller) }
        guard let newest = try await published(site) else { throw Problem.siteUnknown(site) }
        // Things of testers' and former versions may be gone, or not yet for everybody.
        let isPublished = choice == .published || choice == .number(newest.version)
        let isKnown = caller?.grants.contains { $0.role != .anonymous && $0.reaches(site) }
        guard isPublished || isKnown ?? false else {
            throw Problem(
                .roleNotAllowed, "Without an account only the published version is to be seen.")
        }
        return (try await view(choice, of: site, newest), newest)
    }

    private func view(
        _ choice: VersionChoice, of site: SiteID, _ newest: SitePublished
    ) async throws -> SiteView {
        switch choice {
        case .published:
            return SiteView(
                document: newest.document, version: newest.version,
                tag: .version(newest.version))
        case .number(let number):
            guard let version = try await version(number, of: site) else {
                throw Problem.versionUnknown(number)
            }
            return SiteView(
                document: version.document, version: number, tag: .version(number))
        case .test:
            guard let test = try await testVersion(of: site) else {
                throw Problem(.testVersionMissing, "Nothing was published to testers.")
            }
            return SiteView(
                document: test.document, version: newest.version, revision: test.revision,
                tag: .test(test.revision))
        case .draft:
            guard let draft = try await draft(of: site) else { throw Problem.siteUnknown(site) }
            return SiteView(
                document: draft.document, version: newest.version, revision: draft.revision,
                tag: .draft(draft.revision))
        }
    }
}

extension SiteStore {
    /// - Throws: a `Problem` where the caller may edit nothing of the draft.
    static func checkSeesDraft(of site: SiteID, _ caller: Caller?) throws(Problem) {
        guard DraftRights(caller?.grants ?? [], at: site).tasks.isEmpty else { return }
        throw Problem(.roleNotAllowed, "Only those who edit a site see its draft.")
    }
}

extension Problem {
    static func versionUnknown(_ version: Int) -> Problem {
        Problem(.versionUnknown, "The site has no version \(version).")
    }
}
