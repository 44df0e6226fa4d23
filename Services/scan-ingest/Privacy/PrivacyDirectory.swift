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
        /// Grows with each change of the devices.
        var generation = 0
    }

    typealias Resolve = @Sendable (_ address: UInt64, [IdentityResolvingKey]) -> Int?

    private let known = Mutex<[SiteID: Site]>([:])
    private let resolve: Resolve

    /// - Parameter resolve: gives the index of the key that made an address.
    init(resolve: @escaping Resolve = { IdentityResolvingKey.resolve($0, by: $1) }) {
        self.resolve = resolve
    }

    /// Replaces all that is known. A site whose devices are the same keeps its looked-up addresses.
    func replace(with new: [SiteID: SitePrivacy]) {
        known.withLock { sites in
            sites = new.reduce(into: [:]) { made, entry in
                var site = Site(
                    privacy: entry.value,
                    identityKeys: entry.value.identities.compactMap {
                        IdentityResolvingKey($0.key)
                    })
                if let known = sites[entry.key] {
                    let isSame = known.privacy.identities == entry.value.identities
                    if isSame { (site.lookedUp, site.quarter) = (known.lookedUp, known.quarter) }
                    site.generation = known.generation + (isSame ? 0 : 1)
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
    /// once in its quarter of an hour, since each look-up encrypts once for each key. Other scans
    /// go on meanwhile.
    func device(of address: HardwareAddress, at site: SiteID, now: Timestamp) -> DeviceID? {
        guard IdentityResolvingKey.isResolvable(address.value) else { return nil }
        let quarter = now.microseconds / Self.lookedUpMicroseconds
        let (found, keys, identities, generation) = known.withLock {
            all -> (DeviceID??, [IdentityResolvingKey], [SitePrivacy.Identity], Int) in
            guard let known = all[site] else { return (nil, [], [], 0) }
            return (
                known.quarter == quarter ? known.lookedUp[address] : nil, known.identityKeys,
                known.privacy.identities, known.generation
            )
        }
        if let found { return found }
        guard !keys.isEmpty else { return nil }
        let device = resolve(address.value, keys).map { identities[$0].device }
        known.withLock { all in
            // Other devices may have come meanwhile.
            guard all[site]?.generation == generation else { return }
            if all[site]?.quarter != quarter
                || all[site]?.lookedUp.count ?? 0 >= Self.lookedUpLimit
            {
                all[site]?.lookedUp = [:]
                all[site]?.quarter = quarter
            }
            all[site]?.lookedUp[address] = .some(device)
        }
        return device
    }
}
