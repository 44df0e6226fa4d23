import Events
import HTTP
import ServiceHost
import Site
import SiteSearch
import Threads

/// The search index of each site's newest version, for each kind of reader. It is made at the
/// first search and kept.
actor SearchIndexes {
    private struct Seen: Hashable {
        var site: SiteID
        /// An editor where every reader sees the same.
        var reader: Reader
    }

    private struct Known {
        var version: Int
        var index: Task<SearchIndex?, Never>
    }

    private var known: [Seen: Known] = [:]
    /// The index of a campus takes a tenth of a second, which would hold up the pool that answers
    /// requests.
    private let work = LongWork("search-index")

    /// The index. Searches that come while it is being made wait for the same one.
    func index(of site: SiteID, _ published: SeenSite) async throws -> SearchIndex {
        let seen = Seen(site: site, reader: published.isFiltered ? published.reader : .editor)
        let task: Task<SearchIndex?, Never>
        if let known = known[seen], known.version >= published.version {
            task = known.index
        } else {
            let work = work
            task = Task { await work.run { SearchIndex(published.index.document.searchEntries) } }
            known[seen] = Known(version: published.version, index: task)
        }
        // Nobody cancels the task, so there is an index.
        guard let index = await task.value else { throw Problem.starting }
        return index
    }
}
