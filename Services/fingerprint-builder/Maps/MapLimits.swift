import Events
import Positioning
import Synchronization

/// The largest radio map of a site. The limits are below those of the locators, with room to spare.
enum MapLimits {
    static let surveys = 250_000
    static let transmitters = 100_000
    /// The most bytes of a map; the locators' client accepts 16 MiB.
    static let bytes = 15 << 20
    /// Versions that are kept of each site's map, with their artifacts.
    static let versionsKept = 100

    /// Describes the limit that the map exceeds; nil where it is small enough.
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

/// Sites whose map would be too large, with the number of surveys and reviews at that time. The
/// build is tried again only after that number has changed.
final class RefusedMaps: Sendable {
    private let refused = Mutex<[SiteID: Int]>([:])

    func isRefused(_ site: SiteID, _ known: Int) -> Bool {
        refused.withLock { $0[site] == known }
    }

    /// Notes the refusal, and calls `report` once for each number.
    func note(_ site: SiteID, _ known: Int, report: () -> Void) {
        let isNew = refused.withLock { $0.updateValue(known, forKey: site) != known }
        if isNew { report() }
    }
}
