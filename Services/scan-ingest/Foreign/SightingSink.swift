import Access
import Events
import HTTP
import ServiceHost
import ServiceRuntime
import Synchronization
import Wire

/// Takes what nodes and other systems heard: makes pseudonyms of strangers, and appends it.
protocol SightingSink: Sendable {
    /// Returns when the log has the sightings, or has refused those that it can never take.
    ///
    /// - Returns: the reason of each one that was refused. The log has the others.
    /// - Throws: when they may be sent again: for a reason that passes, or when it is not known
    ///   whether the log has them.
    func accept(_ heard: [HeardDevice], of site: SiteID) async throws(Problem) -> [Problem]
}

/// The intake of sightings, for systems that have no token of their own. Each speaks for all nodes
/// of its site, as a gateway does.
///
/// A site has a gateway's quota. But some systems send once a minute, so as many records as are
/// granted in a minute may come at once.
final class ForeignSightings: SightingSink {
    let intake: SightingIntake
    let clock: EventClock
    private let accepted: Counter
    private let rejected: Counter
    private let burstSeconds: Double
    private let buckets = Mutex<[SiteID: TokenBucket]>([:])

    /// - Parameter burstSeconds: as many records may come at once as are granted in this time.
    init(
        intake: SightingIntake, clock: EventClock, metrics: MetricsRegistry,
        burstSeconds: Double = 60
    ) {
        self.intake = intake
        self.clock = clock
        self.burstSeconds = burstSeconds
        (accepted, rejected) = SightingRoutes.counters(metrics)
    }

    func accept(_ heard: [HeardDevice], of site: SiteID) async throws(Problem) -> [Problem] {
        guard intake.isReady else { throw Problem.starting }
        let caller = Caller(id: "nodes of \(site)", grants: [Grant(.gateway, site: site)])
        let granted = try spend(heard.count, site, caller)
        let outcomes = try await intake.accept(
            Array(heard.prefix(granted)), of: site, from: caller, receivedAt: clock.now)
        var refusals = outcomes.compactMap(\.self)
        accepted.increment(by: outcomes.count - refusals.count)
        if granted < heard.count, let quota = caller.sendingQuota {
            refusals += Array(
                repeating: overQuota(quota, nil), count: heard.count - granted)
        }
        rejected.increment(by: refusals.count)
        return refusals
    }

    /// Spends the site's quota.
    ///
    /// - Returns: how many are granted: all, or as many as fit where they could never fit at once.
    /// - Throws: `quota-exceeded` where none is.
    private func spend(_ count: Int, _ site: SiteID, _ caller: Caller) throws(Problem) -> Int {
        guard let quota = caller.sendingQuota, count > 0 else { return count }
        let now = clock.now.microseconds * 1_000
        let (granted, seconds) = buckets.withLock { buckets -> (Int, Int) in
            var bucket =
                buckets[site]
                ?? TokenBucket(
                    perSecond: quota.recordsPerSecond,
                    burst: quota.recordsPerSecond * burstSeconds, nowNanoseconds: now)
            let granted = bucket.spendRecords(count, at: now)
            buckets[site] = bucket
            return (granted, bucket.secondsToWait(for: Double(count), at: now))
        }
        guard granted > 0 else { throw overQuota(quota, seconds) }
        return granted
    }

    private func overQuota(_ quota: Quota, _ seconds: Int?) -> Problem {
        let burst = quota.recordsPerSecond * burstSeconds
        let limit = Quota(
            recordsPerSecond: quota.recordsPerSecond, burst: burst,
            bytesPerSecond: quota.bytesPerSecond)
        return Problem(
            .quotaExceeded,
            "The nodes of this site have sent too many records; they may send "
                + "\(limit.recordsInWords).", retryAfterSeconds: seconds)
    }
}
