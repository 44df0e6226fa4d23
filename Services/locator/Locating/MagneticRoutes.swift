import Cryptography
public import EventLog
public import Events
public import Magnetic
import Positioning
import ServiceHost
import ServiceRuntime
import Synchronization
import Wire

/// The magnetic routes that serve, of each site: the topic `magnetic-routes` in memory, made ready to match
/// scans with.
final class MagneticRoutes: Sendable {
    /// Under which a device's memory holds what the field has told; no positioner has such a name.
    static let memoryName = "+magnetic"

    struct Following: Sendable {
        var follower: MagneticFollower
        /// Says which routes a device's state was made with.
        var basis: UInt64
    }

    private struct Known {
        var versions: [String]
        var following: Following?
    }

    private let host: Host
    private let known = Mutex<[SiteID: Known]?>(nil)

    init(host: Host) { self.host = host }

    /// Nil for a site without routes that serve.
    subscript(site: SiteID) -> Following? { known.withLock { $0?[site]?.following } }

    /// Returns when the routes have been read from the log, or when the task is cancelled: scans that
    /// are located without them would lose what the device's memory holds of them.
    func untilRead() async {
        while !Task.isCancelled, known.withLock({ $0 == nil }) {
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Reads until the task is cancelled.
    func run() async {
        let health = host.context.health.check("magnetic-routes")
        let table = LogTable<[SiteID: MagneticRouteTable]>(
            log: host.log, topic: Topic.magneticRoutes.name, initial: [:],
            apply: { [host] tables, record in
                if !tables.take(record) {
                    host.unexpected("A record of \(record.topicPartition) is of no magnetic route.")
                }
            },
            onChange: { [self] tables in
                replace(with: tables)
                health.set(.ready)
            },
            notices: host.notices)
        await table.run()
    }

    func replace(with tables: [SiteID: MagneticRouteTable]) {
        let before = known.withLock { $0 } ?? [:]
        var after: [SiteID: Known] = [:]
        for (site, table) in tables {
            let versions = table.versions
            if let known = before[site], known.versions == versions {
                after[site] = known
                continue
            }
            let routes = table.routes
            let follower = MagneticFollower(routes)
            if follower.routeCount < routes.count {
                host.unexpected(
                    "\(routes.count - follower.routeCount) magnetic routes of \(site) are not used: at "
                        + "most \(Int(MagneticFollower.mostMetres)) m of a site are matched.")
            }
            let hash = sha256(versions.joined(separator: " ").utf8)
            let basis = hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            after[site] = Known(
                versions: versions,
                following: follower.routeCount == 0
                    ? nil : Following(follower: follower, basis: basis))
        }
        known.withLock { $0 = after }
    }
}

extension [SiteID: MagneticRouteTable] {
    /// Takes a record of `magnetic-routes` in; false for one that can't be read.
    public mutating func take(_ record: StoredRecord) -> Bool {
        func change(_ site: SiteID, _ body: (inout MagneticRouteTable) -> Void) {
            body(&self[site, default: MagneticRouteTable(site: site)])
        }
        if let event = try? MagneticRouteRecorded(record: record) {
            change(event.site) { $0.take(event) }
        } else if let event = try? MagneticRouteValidated(record: record) {
            change(event.site) { $0.take(event) }
        } else if let event = try? MagneticRouteDeleted(record: record) {
            change(event.site) { $0.take(event) }
        } else {
            return false
        }
        return true
    }
}
