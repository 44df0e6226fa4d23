public import Events
import Synchronization

/// Since when no record tells of a site of which a service has something, as this process knows.
public final class UnknownSites: Sendable {
    /// A new log has all of its sites sooner.
    private static let longMicroseconds: Int64 = 3_600_000_000

    private let since = Mutex<[SiteID: Timestamp]>([:])

    public init() {}

    /// Whether the site was removed, which its tombstone says for a day, or has long been unknown.
    public func isGone(
        _ site: SiteID, from sites: SiteDirectory, at moment: Timestamp
    ) -> Bool {
        // The time counts for a removed site, too.
        let isLongUnknown = isLong(site, isUnknown: sites.isUnknown(site), at: moment)
        return sites.isRemoved(site) || isLongUnknown
    }

    private func isLong(_ site: SiteID, isUnknown: Bool, at moment: Timestamp) -> Bool {
        since.withLock { since in
            guard isUnknown else {
                since[site] = nil
                return false
            }
            let first = since[site] ?? moment
            since[site] = first
            return moment - first >= Self.longMicroseconds
        }
    }

    /// Begins anew: only time during which the log can be trusted counts.
    public func forget() { since.withLock { $0 = [:] } }
}
