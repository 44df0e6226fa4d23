public import Events

/// The last level of each beacon's battery, at all sites (Flair 4.1.2). It is a table of the topic
/// `beacon-batteries`, and decides which levels of scans are news for that topic.
///
/// A level is news if it differs from the last one, at most once in ten minutes. A sender may
/// waver between two levels, and anybody can send a beacon's numbers. Once a day any level is news,
/// so that its time shows when the beacon was received last.
public struct BeaconBatteries: Sendable {
    private static let leastMicroseconds: Int64 = 600_000_000
    private static let mostMicroseconds: Int64 = 86_400_000_000
    /// How long a level may be on its way to the log and back. After that its transaction has
    /// failed.
    private static let wayMicroseconds: Int64 = 60_000_000
    /// A level that is so far ahead has its time from a wrong clock of a server. It is no news, and
    /// keeps no other one away. It is in the topic if the locator's clock was wrong, too.
    private static let aheadMicroseconds: Int64 = 3_600_000_000

    private struct Announced: Sendable {
        var level: BeaconBatteryReported
        var since: Timestamp
    }

    private var levels: [SiteID: [BeaconID: BeaconBatteryReported]] = [:]
    private var announced: [SiteID: [BeaconID: Announced]] = [:]

    public init() {}

    /// Applies an event of the topic. One that is a little older than the last changes nothing: two
    /// processes announced at once. One that is much older was news, since the last was ahead.
    public mutating func apply(_ level: BeaconBatteryReported) {
        if let known = levels[level.site]?[level.beacon], known.at > level.at,
            !Self.isAhead(known, of: level.at)
        {
            return
        }
        levels[level.site, default: [:]][level.beacon] = level
        if let other = announced[level.site]?[level.beacon], other.level.at <= level.at {
            announced[level.site]?[level.beacon] = nil
        }
    }

    /// Applies the removal of a beacon's record.
    public mutating func remove(_ beacon: BeaconID, at site: SiteID) {
        levels[site]?[beacon] = nil
        if levels[site]?.isEmpty == true { levels[site] = nil }
    }

    /// Whether the level of a scan is news. If so it counts as announced, so that the next scans
    /// don't repeat it before the topic has it.
    public mutating func note(_ level: BeaconBatteryReported, now: Timestamp) -> Bool {
        guard !Self.isAhead(level, of: now) else { return false }
        var last = levels[level.site]?[level.beacon]
        if let ahead = last, Self.isAhead(ahead, of: now) { last = nil }
        if let other = announced[level.site]?[level.beacon],
            now - other.since < Self.wayMicroseconds, !Self.isAhead(other.level, of: now),
            last.map({ $0.at < other.level.at }) ?? true
        {
            last = other.level
        }
        if let last {
            let pause =
                last.percent == level.percent ? Self.mostMicroseconds : Self.leastMicroseconds
            guard level.at - last.at >= pause else { return false }
        }
        announced[level.site, default: [:]][level.beacon] = Announced(level: level, since: now)
        return true
    }

    private static func isAhead(_ level: BeaconBatteryReported, of time: Timestamp) -> Bool {
        level.at - time > aheadMicroseconds
    }

    public subscript(site: SiteID) -> [BeaconID: BeaconBatteryReported] { levels[site] ?? [:] }

    /// The sites that have any, in no order.
    public var sites: [SiteID] { Array(levels.keys) }

    /// All levels, in no order.
    public var all: [BeaconBatteryReported] { levels.values.flatMap(\.values) }
}
