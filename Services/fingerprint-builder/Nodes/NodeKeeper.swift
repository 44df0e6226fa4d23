import EventLog
import Events
import LogViews
import Postgres
import RadioMapCare
import Retrying
import ServiceHost
import Site
import Threads
import Wire

/// Calibrates the nodes of each site that places some, and says which ones have become deaf.
///
/// Several keepers may run: a calibration that is not newer than the stored one is dropped.
struct NodeKeeper: Sendable {
    private static let longWork = LongWork("node-calibration")
    /// The pause after a first failure.
    private static let firstPause = Duration.seconds(1)

    let sites: SiteDirectory
    let clock: EventClock
    let notices: Notices
    let store: NodeStore
    /// The time between two calibrations.
    let interval: Duration
    /// A log that lost its sites would seem to have removed them.
    let guarding: OutboxGuard
    /// Waits until the next calibration.
    var wait: @Sendable (Duration) async -> Void = { pause in try? await Task.sleep(for: pause) }
    private let unknown = UnknownSites()
    /// Calibrations that can't be read are reported once a day for a site.
    private let unreadable = Occasional<SiteID>(1, per: .seconds(86_400))

    func run() async {
        var retry = Retry(of: "Calibrating nodes", notices: notices, isWatched: true)
        defer { retry.forgotten() }
        // If one site fails each time, all the others are still calibrated no more often.
        var pause = GrowingPause(from: Self.firstPause, to: interval)
        while !Task.isCancelled {
            do {
                try await calibrateAll()
                retry.ended()
                pause.reset()
                await wait(interval)
            } catch {
                guard !Task.isCancelled else { return }
                retry.failed(error)
                await wait(pause.next())
            }
        }
    }

    /// Removes what is old or of removed sites, and calibrates all others. A failure with one site
    /// does not hold up the others; it is thrown at the end.
    func calibrateAll() async throws {
        guard guarding.fits else { return unknown.forget() }
        let hour = Int(clock.now.microseconds / 3_600_000_000)
        try await store.forget(before: hour)
        var failure: (any Error)?
        for site in try await store.sites()
        where unknown.isGone(site, from: sites, at: clock.now) {
            do { try await store.remove(site) } catch { failure = failure ?? error }
        }
        let hearings = try await store.hearings(at: hour)
        for (site, heard) in hearings.sorted(by: { $0.key < $1.key }) {
            guard let published = sites[whole: site],
                !published.index.document.scanners.isEmpty
            else { continue }
            do {
                try await calibrate(site, published, heard)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// The newest calibration. Nil for none, for one that can't be read, and for one of an earlier
    /// site with the same id.
    private func calibration(
        of site: SiteID, _ published: PublishedSite
    ) async throws -> NodesCalibrated? {
        do {
            let newest = try await store.calibrations(of: site).first
            return newest?.siteVersion ?? 0 > published.version ? nil : newest
        } catch let fault as WireFault {
            if case .admit = unreadable.decide(site) {
                notices.onUnexpected(
                    "The newest calibration of nodes of \(site) can't be read, and does not count: "
                        + "\(fault)")
            }
            return nil
        }
    }

    private func calibrate(
        _ site: SiteID, _ published: PublishedSite, _ hearings: [NodeHearing]
    ) async throws {
        let now = clock.now
        let places = try await store.places(
            of: site, published.index.document, at: Int(now.microseconds / 3_600_000_000))
        let known = try await calibration(of: site, published)
        let found = await Self.longWork.run {
            NodeCalibrator.findings(
                hearings, of: site, published, places: places, before: known, at: now)
        }
        if let doubted = found?.doubted, !doubted.isEmpty {
            notices.onUnexpected(
                "\(doubted.count) nodes of \(site), more than half, seem deaf at once. "
                    + "None is left out: a server or a channel is the likelier cause.")
        }
        guard let calibration = found?.calibration, calibration.isNews(after: known),
            try await store.publish(calibration, source: MapBuilder.source)
        else { return }
        let deaf = calibration.newlyDeaf(after: known)
        guard !deaf.isEmpty else { return }
        let names = deaf.prefix(10).map(\.text).joined(separator: ", ")
        notices.onUnexpected(
            "\(deaf.count) node(s) of \(site) hear far less than their neighbours' signals should "
                + "give, and are left out until they do: \(names).")
    }
}
