import Devices
import Events
import Magnetic
import Positioning
import Site
import Synchronization
import Wire

/// Locates stored scans again, device by device in the order of the log, and keeps beside each what
/// was said of it before. It locates like the locator: a scan once, and with what the positioner
/// remembers of the device, which a late or older scan does not change.
final class Relocation: Sendable {
    /// A site with its map, ready.
    struct Place: Sendable {
        var site: SiteIndex
        var siteVersion: Int
        /// Nil for a site that was never surveyed.
        var mapVersion: Int?
        var choiceVersion: Int?
        var positioner: any PreparedPositioner
        /// Of the site's magnetic routes; nil where the positioner does not look at them.
        var follower: MagneticFollower?
    }

    /// One scan, before and now.
    struct Pair: Sendable {
        var before: PositionEstimated?
        var now: PositionEstimated
    }

    private struct State {
        var devices: [String: LocatedDevice] = [:]
        var seen: Set<EventID> = []
        var scratch = PositionerScratch()
        var spent = Duration.zero
        var located = 0
    }

    private let name: String
    private let places: [SiteID: Place]
    private let before: [EventID: PositionEstimated]
    private let state = Mutex(State())

    init(name: String, places: [SiteID: Place], before: [EventID: PositionEstimated]) {
        self.name = name
        self.places = places
        self.before = before
    }

    /// Time in the positioner for each scan.
    var microsecondsPerScan: Double? {
        state.withLock { $0.located == 0 ? nil : $0.spent / .microseconds($0.located) }
    }

    /// Nil for a scan that was taken before, or of a site without a map.
    func locate(_ scan: ScanRecorded) -> Pair? {
        guard let place = places[scan.site] else { return nil }
        return state.withLock { state in
            guard state.seen.insert(scan.id).inserted else { return nil }
            let key = "\(scan.site)/\(scan.device)"
            let began = ContinuousClock.now
            let answer = state.devices[key, default: LocatedDevice()].locate(
                scan, by: place.positioner, beside: place.follower, scratch: &state.scratch)
            state.spent += ContinuousClock.now - began
            state.located += 1
            let now = locateScan(
                scan, estimate: answer.estimate, id: EventID(positionOf: scan.id, by: name),
                locatedAt: scan.receivedAt, isLate: answer.isLate, site: place.site,
                context: LocatingContext(
                    positioner: name, siteVersion: place.siteVersion,
                    radioMapVersion: place.mapVersion, choiceVersion: place.choiceVersion))
            return Pair(before: before[scan.id], now: now)
        }
    }
}
