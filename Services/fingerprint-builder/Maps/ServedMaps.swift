import Events
import Synchronization

/// The radio maps that were served last, in memory. So locators can start while PostgreSQL is away.
final class ServedMaps: Sendable {
    struct Map: Sendable {
        var hash: String
        /// The sites that have had this map.
        var sites: [SiteID]
        var bytes: [UInt8]
    }

    /// The most bytes of all maps together. The map served longest ago goes first.
    static let mostBytes = 48_000_000

    /// The map served last comes last.
    private let maps = Mutex<[Map]>([])

    subscript(hash: String) -> Map? { maps.withLock { $0.first { $0.hash == hash } } }

    func keep(_ map: Map) {
        maps.withLock { maps in
            maps.removeAll { $0.hash == map.hash }
            maps.append(map)
            var total = maps.reduce(0) { $0 + $1.bytes.count }
            while total > Self.mostBytes { total -= maps.removeFirst().bytes.count }
        }
    }
}
