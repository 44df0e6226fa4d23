import Devices
import Events
import Synchronization
import Wire

/// Locates stored scans again, device by device in the order of the log, and keeps beside each what
/// was said of it before. Devices decide on their scans as they do in the locator.
final class Relocation: Sendable {
    /// One scan, before and now.
    struct Pair: Sendable {
        var before: PositionEstimated?
        var now: PositionEstimated
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

    /// Time to decide on a scan.
    var microsecondsPerScan: Double? {
        state.withLock { $0.located == 0 ? nil : $0.spent / .microseconds($0.located) }
    }

    /// Nil for a scan that its device had before, or of a site without a map.
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
            return Pair(before: before[scan.id], now: now)
        }
    }
}
