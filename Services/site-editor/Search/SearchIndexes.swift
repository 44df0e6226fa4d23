import Events
import HTTP
import ServiceHost
import Site
import SiteSearch
import Threads

/// The search index of each site's newest version. It is made at the first search and kept.
actor SearchIndexes {
    private struct Known {
        var version: Int
        var index: Task<SearchIndex?, Never>
    }

    private var known: [SiteID: Known] = [:]
    /// The index of a campus takes a tenth of a second, which would hold up the pool that answers
    /// requests.
    private let work = LongWork("search-index")

    /// The index. Searches that come while it is being made wait for the same one.
    func index(of site: SiteID, _ published: PublishedSite) async throws -> SearchIndex {
        let task: Task<SearchIndex?, Never>
        if let known = known[site], known.version >= published.version {
            task = known.index
        } else {
            let work = work
            task = Task { await work.run { SearchIndex(published.index.document.searchEntries) } }
            known[site] = Known(version: published.version, index: task)
        }
        // Nobody cancels the task, so there is an index.
        guard let index = await task.value else { throw Problem.starting }
        return index
    }
}
