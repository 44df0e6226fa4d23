import Events
import Site
import Synchronization

/// The last draft and version of each site that were read, already parsed. Parsing a large document
/// takes longer than answering from it. A version never changes, and a site that is made again
/// counts on. A draft is known by its revision and its time: a process of the release before lets
/// revisions begin anew. So an entry is never out of date, even if another process removes its
/// site.
final class SiteCache: Sendable {
    /// A published document as one kind of reader may see it.
    struct Seen: Sendable {
        var document: SiteDocument
        /// Whether something is left out.
        var isFiltered: Bool
    }

    /// The key of a seen document.
    struct SeenKey: Hashable, Sendable {
        var site: SiteID
        var reader: Reader
        var version: Int
        /// The version that is published now: what it hides is hidden in others, too.
        var present: Int
    }

    /// The most seen documents that are kept. Readers ask for the present version, and seldom for
    /// another one.
    private static let mostSeen = 16

    private struct Known {
        var seen: [SeenKey: Seen] = [:]
        var drafts: [SiteID: (draft: SiteDraft, editedAt: Timestamp)] = [:]
        var versions: [SiteID: SitePublished] = [:]
    }

    private let known = Mutex(Known())

    /// The document as a reader may see it. A large one takes longer to make than to answer from.
    func seen(_ key: SeenKey, make: () -> Seen) -> Seen {
        if let seen = known.withLock({ $0.seen[key] }) { return seen }
        let seen = make()
        known.withLock { known in
            if known.seen.count >= Self.mostSeen { known.seen = [:] }
            known.seen[key] = seen
        }
        return seen
    }

    func draft(_ site: SiteID, revision: Int, editedAt: Timestamp) -> SiteDraft? {
        known.withLock { known in
            known.drafts[site].flatMap {
                $0.draft.revision == revision && $0.editedAt == editedAt ? $0.draft : nil
            }
        }
    }

    /// The draft in memory, which may be a former one.
    func lastDraft(of site: SiteID) -> (draft: SiteDraft, editedAt: Timestamp)? {
        known.withLock { $0.drafts[site] }
    }

    func keep(_ draft: SiteDraft, editedAt: Timestamp) {
        known.withLock { $0.drafts[draft.site] = (draft, editedAt) }
    }

    func version(_ version: Int, of site: SiteID) -> SitePublished? {
        known.withLock { known in
            known.versions[site].flatMap { $0.version == version ? $0 : nil }
        }
    }

    func forget(_ site: SiteID) {
        known.withLock { known in
            known.drafts[site] = nil
            known.versions[site] = nil
            known.seen = known.seen.filter { $0.key.site != site }
        }
    }

    /// Keeps the newest version only: older ones are seldom requested.
    func keep(_ published: SitePublished) {
        known.withLock { known in
            if let other = known.versions[published.site], other.version > published.version {
                return
            }
            known.versions[published.site] = published
        }
    }
}
