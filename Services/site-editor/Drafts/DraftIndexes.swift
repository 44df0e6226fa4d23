import Events
import HTTP
import ServiceHost
import Site
import Threads
import Wire

/// The drafts that maps were drawn of last, indexed. Each is made once for a revision and a kind of
/// reader.
actor DraftIndexes {
    /// The most drafts that are kept. An index of a campus has some tens of megabytes.
    private static let most = 4

    private struct Key: Hashable {
        var site: SiteID
        var reader: Reader
        var revision: Int
        /// The published version: what it hides is hidden in the draft, too.
        var present: Int
    }

    private let store: SiteStore
    private var made: [(key: Key, task: Task<SiteIndex?, Never>)] = []
    private let work = LongWork("draft-indexes")

    init(_ store: SiteStore) { self.store = store }

    /// The site's draft as the caller may see it.
    /// - Throws: a `Problem` where the caller may not see it, or it has faults.
    func drawn(_ site: SiteID, for request: HTTPRequest) async throws -> DrawnSite {
        let view = try await store.view(.draft, of: site, for: request)
        let isFiltered = !view.mark.isEmpty
        let key = Key(
            site: site, reader: isFiltered ? request.reader(at: site) : .editor,
            revision: view.revision ?? 0, present: isFiltered ? view.version : 0)
        let task: Task<SiteIndex?, Never>
        if let known = made.first(where: { $0.key == key }) {
            task = known.task
        } else {
            let (document, work) = (view.document, work)
            task = Task { await work.run { try? SiteIndex(document) } ?? nil }
            made.append((key, task))
            if made.count > Self.most { made.removeFirst() }
        }
        guard let index = await task.value else {
            throw Problem(
                .siteInvalid, "The draft has faults, so no map of it can be drawn: review it.")
        }
        return DrawnSite(
            index: index, reader: key.reader, version: key.revision, besides: key.present,
            tag: "draft-\(key.revision)\(view.mark)", isDraft: true)
    }
}

/// A site from which maps are drawn: as it is published, or its draft.
struct DrawnSite: Sendable {
    var index: SiteIndex
    /// The kind of reader for whom the map is; an editor where every reader sees the same.
    var reader: Reader
    /// The version; of a draft the revision.
    var version: Int
    /// The published version, where it hides a part of the draft.
    var besides = 0
    /// The beginning of the map's ETag.
    var tag: String
    var isDraft = false

    /// The site as it is published.
    init(_ seen: SeenSite) {
        self.init(
            index: seen.index, reader: seen.isFiltered ? seen.reader : .editor,
            version: seen.version, tag: "\(seen.version)\(seen.mark)")
    }

    init(
        index: SiteIndex, reader: Reader, version: Int, besides: Int = 0, tag: String,
        isDraft: Bool = false
    ) {
        (self.index, self.reader, self.version) = (index, reader, version)
        (self.besides, self.tag, self.isDraft) = (besides, tag, isDraft)
    }
}

extension SiteDirectory {
    /// The site that a request wants to see on a map: `?version=draft`, or as it is published.
    ///
    /// - Parameter drafts: nil where no drafts are served.
    func drawn(
        _ site: SiteID, for request: HTTPRequest, _ drafts: DraftIndexes?
    ) async throws -> DrawnSite {
        switch (try VersionChoice(request), drafts) {
        case (.published, _): return DrawnSite(try seen(site, by: request))
        case (.draft, let drafts?): return try await drafts.drawn(site, for: request)
        default:
            throw Problem(
                .versionMalformed, "A map is of version=published or version=draft.")
        }
    }
}
