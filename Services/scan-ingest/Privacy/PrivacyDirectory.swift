import Cryptography
import Events
import Privacy
import Site
import Synchronization

/// The keys of pseudonyms and the enrolled devices of each site, as site-editor hands them over.
/// They are in this process's memory only.
final class PrivacyDirectory: Sendable {
    /// A quarter of an hour: telephones change their private addresses about as often.
    private static let lookedUpMicroseconds: Int64 = 900_000_000
    /// The most addresses whose look-up is remembered at a time.
    private static let lookedUpLimit = 100_000

    private struct Site {
        var privacy: SitePrivacy
        var identityKeys: [IdentityResolvingKey]
        /// The devices of private addresses in this quarter of an hour; nil for a stranger's.
        var lookedUp: [HardwareAddress: DeviceID?] = [:]
        var quarter: Int64 = 0
    }

    private let known = Mutex<[SiteID: Site]>([:])

    /// Replaces all that is known. A site whose devices are the same keeps its looked-up addresses.
    func replace(with new: [SiteID: SitePrivacy]) {
        known.withLock { sites in
            sites = new.reduce(into: [:]) { made, entry in
                var site = Site(
                    privacy: entry.value,
                    identityKeys: entry.value.identities.compactMap {
                        IdentityResolvingKey($0.key)
                    })
                if let known = sites[entry.key],
                    known.privacy.identities == entry.value.identities
                {
                    (site.lookedUp, site.quarter) = (known.lookedUp, known.quarter)
                }
                made[entry.key] = site
            }
        }
    }

    func key(of site: SiteID, at: Timestamp, now: Timestamp) throws(DayKeys.Missing) -> DayKey {
        let keys = known.withLock { $0[site]?.privacy.keys } ?? DayKeys([])
        return try keys.key(at: at, now: now)
    }

    func isEnrolled(_ device: DeviceID, at site: SiteID) -> Bool {
        known.withLock { $0[site]?.privacy.enrolled.contains(device) ?? false }
    }

    /// The enrolled device whose identity key made this private address. An address is looked up
    /// once in its quarter of an hour, since each look-up encrypts once for each key.
    func device(of address: HardwareAddress, at site: SiteID, now: Timestamp) -> DeviceID? {
        guard IdentityResolvingKey.isResolvable(address.value) else { return nil }
        return self.known.withLock { all in
            guard var known = all[site], !known.identityKeys.isEmpty else { return nil }
            all[site] = nil
            defer { all[site] = known }
            let quarter = now.microseconds / Self.lookedUpMicroseconds
            if quarter != known.quarter || known.lookedUp.count >= Self.lookedUpLimit {
                (known.lookedUp, known.quarter) = ([:], quarter)
            }
            if let found = known.lookedUp[address] { return found }
            let found = IdentityResolvingKey.resolve(address.value, by: known.identityKeys)
                .map { known.privacy.identities[$0].device }
            known.lookedUp[address] = .some(found)
            return found
        }
    }
}
