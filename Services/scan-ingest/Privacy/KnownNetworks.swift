import Events
import Synchronization

/// Access points of each site that were heard with a name that the site's rules name, or with one
/// that opts out. Some telephones leave names out; their readings are then known by the address.
final class KnownNetworks: Sendable {
    /// The most access points of a site. A large university has about 10,000 with 5 addresses each.
    private static let limit = 100_000

    private let known = Mutex<[SiteID: Set<HardwareAddress>]>([:])

    func contains(_ address: HardwareAddress, at site: SiteID) -> Bool {
        known.withLock { $0[site]?.contains(address) ?? false }
    }

    /// At the limit no more are learned. A stranger who shows the site's network name under many
    /// addresses must not push the real ones out.
    func learn(_ addresses: [HardwareAddress], at site: SiteID) {
        known.withLock { known in
            for address in addresses where known[site, default: []].count < Self.limit {
                known[site, default: []].insert(address)
            }
        }
    }
}
