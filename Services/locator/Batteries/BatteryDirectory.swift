import Devices
import EventLog
import Events
import ServiceHost
import Site
import Synchronization
import Wire

/// The batteries of all beacons, which each locator reads from the log as a table.
final class BatteryDirectory: Sendable {
    /// A battery below this many percent is low.
    static let lowPercent = 20

    private struct State {
        var batteries = BeaconBatteries()
        var isReady = false
    }

    private let state = Mutex(State())

    /// Whether the topic has been read to its end once.
    var isReady: Bool { state.withLock { $0.isReady } }

    func markReady() { state.withLock { $0.isReady = true } }

    /// Applies a record of the topic; false when it can't be read.
    func apply(_ record: StoredRecord) -> Bool {
        guard record.value != nil else {
            guard let (site, beacon) = BeaconBatteryReported.beacon(of: record) else {
                return false
            }
            state.withLock { $0.batteries.remove(beacon, at: site) }
            return true
        }
        guard let level = try? BeaconBatteryReported(record: record) else { return false }
        state.withLock { $0.batteries.apply(level) }
        return true
    }

    /// Those levels of a scan that are news for the topic; none until the topic has been read.
    func news(_ levels: [BeaconBatteryReported], now: Timestamp) -> [BeaconBatteryReported] {
        guard !levels.isEmpty else { return [] }
        return state.withLock { state -> [BeaconBatteryReported] in
            guard state.isReady else { return [] }
            return levels.filter { state.batteries.note($0, now: now) }
        }
    }

    subscript(site: SiteID) -> [BeaconID: BeaconBatteryReported] {
        state.withLock { $0.batteries[site] }
    }

    /// The sites that have any batteries.
    var sites: [SiteID] { state.withLock { $0.batteries.sites } }

    /// How many batteries of a site are low.
    func lowCount(at site: SiteID) -> Int {
        self[site].values.count { $0.percent < Self.lowPercent }
    }

    /// The levels of beacons that no published site has any more, or has without a battery.
    func gone(from sites: SiteDirectory) -> [BeaconBatteryReported] {
        guard sites.isReady else { return [] }
        let all = state.withLock { $0.batteries.all }
        let present = sites.all.mapValues { site in
            Set(site.index.document.beacons.filter(site.index.beacons.hasBattery).map(\.id))
        }
        return all.filter { level in
            // A site that is announced and can't be read keeps its batteries.
            guard let beacons = present[level.site] else { return sites.isUnknown(level.site) }
            return !beacons.contains(level.beacon)
        }
    }
}
