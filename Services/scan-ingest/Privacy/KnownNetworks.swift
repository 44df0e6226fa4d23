import Events
import Synchronization

/// Access points of each site that were heard with a name that the site's rules name, or with one
/// that opts out. Some telephones leave names out; their readings are then known by the address.
///
/// Any sender can show such a name under any address, so what is not heard again is forgotten.
final class KnownNetworks: Sendable {
    /// The most access points of a site. A large university has about 10,000 with 5 addresses each.
    private static let defaultLimit = 100_000
    private static let keptMicroseconds: Int64 = 86_400_000_000
    /// How often an access point is noted anew while it is heard.
    private static let notedMicroseconds: Int64 = 3_600_000_000
    /// How often old ones are searched for while there is no room.
    private static let sweptMicroseconds: Int64 = 60_000_000

    private struct Site {
        /// When each was heard last.
        var heard: [HardwareAddress: Timestamp] = [:]
        var swept = Timestamp(microseconds: 0)
    }

    private let limit: Int
    private let known = Mutex<[SiteID: Site]>([:])

    init(limit: Int = KnownNetworks.defaultLimit) { self.limit = limit }

    func contains(_ address: HardwareAddress, at site: SiteID, now: Timestamp) -> Bool {
        heard(address, at: site, now, within: Self.keptMicroseconds)
    }

    /// Whether the access point was not noted lately, so that `learn` should be called.
    func isDue(_ address: HardwareAddress, at site: SiteID, now: Timestamp) -> Bool {
        !heard(address, at: site, now, within: Self.notedMicroseconds)
    }

    private func heard(
        _ address: HardwareAddress, at site: SiteID, _ now: Timestamp, within limit: Int64
    ) -> Bool {
        known.withLock { $0[site]?.heard[address] }.map { Self.age($0, now) < limit } ?? false
    }

    /// A time that lies far ahead, from before the clock was set back, is old as well.
    private static func age(_ heard: Timestamp, _ now: Timestamp) -> Int64 { abs(now - heard) }

    /// At the limit no more are learned until old ones are forgotten. A stranger who shows the
    /// site's network name under many addresses must not push the real ones out.
    func learn(_ addresses: [HardwareAddress], at site: SiteID, now: Timestamp) {
        known.withLock { known in
            for address in addresses { learn(address, &known[site, default: Site()], now) }
        }
    }

    private func learn(_ address: HardwareAddress, _ site: inout Site, _ now: Timestamp) {
        if site.heard[address] == nil, site.heard.count >= limit {
            guard Self.age(site.swept, now) >= Self.sweptMicroseconds else { return }
            site.swept = now
            site.heard = site.heard.filter { Self.age($0.value, now) < Self.keptMicroseconds }
            guard site.heard.count < limit else { return }
        }
        site.heard[address] = now
    }
}
