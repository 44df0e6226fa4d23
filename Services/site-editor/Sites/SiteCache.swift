import Events
import Site
import Synchronization

/// The last draft and version of each site that were read, already parsed. Parsing a large document
/// takes longer than answering from it. A version or revision never changes, and a site that is
/// made again counts on. So an entry is never out of date, even if another process removes its
/// site.
final class SiteCache: Sendable {
    private struct Known {
        var drafts: [SiteID: SiteDraft] = [:]
        var versions: [SiteID: SitePublished] = [:]
    }

    private let known = Mutex(Known())

    func draft(_ site: SiteID, revision: Int) -> SiteDraft? {
        known.withLock { known in
            known.drafts[site].flatMap { $0.revision == revision ? $0 : nil }
        }
    }

    func keep(_ draft: SiteDraft) { known.withLock { $0.drafts[draft.site] = draft } }

    func version(_ version: Int, of site: SiteID) -> SitePublished? {
        known.withLock { known in
            known.versions[site].flatMap { $0.version == version ? $0 : nil }
        }
    }

    func forget(_ site: SiteID) {
        known.withLock { known in
            known.drafts[site] = nil
            known.versions[site] = nil
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
