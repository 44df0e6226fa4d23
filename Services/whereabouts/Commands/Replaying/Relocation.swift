import Devices
import Events
import Synchronization
import Wire

/// Locates stored scans again in the order of the log, with the same code as the locator. Pairs
/// each new position with the one in the log.
final class Relocation: Sendable {
    /// The two positions of one scan: the one in the log, if any, and the new one.
    struct Pair: Sendable {
        var before: PositionEstimated?
        var now: PositionEstimated
        /// The visits that begin or end with the new position.
        var visits: [VisitEvent] = []
    }

    private struct State {
        var devices = DeviceTable()
        var scratch = DeviceScratch()
        var spent = Duration.zero
        var located = 0
    }

    private let sites: [SiteID: SiteKnowledge]
    private let before: [EventID: PositionEstimated]
    private let rules = DeviceRules(digests: .standard)
    private let state = Mutex(State())

    init(sites: [SiteID: SiteKnowledge], before: [EventID: PositionEstimated]) {
        self.sites = sites
        self.before = before
    }

    /// The mean time of one scan's decision, in microseconds; nil before the first.
    var microsecondsPerScan: Double? {
        state.withLock { $0.located == 0 ? nil : $0.spent / .microseconds($0.located) }
    }

    /// Locates the scan. Nil for a duplicate scan, and for a scan of a site without a radio map.
    func locate(_ scan: ScanRecorded) -> Pair? {
        guard let site = sites[scan.site] else { return nil }
        return state.withLock { state in
            let began = ContinuousClock.now
            let (decision, _) = state.devices.decide(
                scan, in: site, by: rules, locatedAt: scan.receivedAt, scratch: &state.scratch)
            guard case .located(let located) = decision, let now = located.served else {
                return nil
            }
            state.spent += ContinuousClock.now - began
            state.located += 1
            return Pair(before: before[scan.id], now: now, visits: located.visits)
        }
    }
}
