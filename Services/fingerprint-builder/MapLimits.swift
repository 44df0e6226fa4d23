import Events
import Positioning
import Synchronization

/// How large a site's radio map may be: below what locators take, with room to spare.
enum MapLimits {
    static let surveys = 250_000
    static let transmitters = 100_000
    /// The locators' client takes 16 MiB.
    static let bytes = 15 << 20
    /// Versions that are kept of each site, with their artifacts.
    static let versionsKept = 100

    /// What there is too much of, in words; nil where the map is small enough.
    static func excess(of map: RadioMap, bytes size: Int) -> String? {
        if map.fingerprints.count > surveys {
            return "\(map.fingerprints.count) surveys, and may have \(surveys)"
        }
        if map.transmitters.count > transmitters {
            return "\(map.transmitters.count) transmitters, and may have \(transmitters)"
        }
        return size > bytes ? "\(size) bytes, and may have \(bytes)" : nil
    }
}

/// Sites whose map would be too large, with how many surveys and reviews they had then: until there
/// are more, it need not be tried again.
final class RefusedMaps: Sendable {
    private let refused = Mutex<[SiteID: Int]>([:])

    func isRefused(_ site: SiteID, _ known: Int) -> Bool {
        refused.withLock { $0[site] == known }
    }

    /// Tells it once for each number.
    func note(_ site: SiteID, _ known: Int, tell: () -> Void) {
        let isNew = refused.withLock { $0.updateValue(known, forKey: site) != known }
        if isNew { tell() }
    }
}
