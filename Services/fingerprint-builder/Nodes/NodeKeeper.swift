import EventLog
import Events
import Postgres
import RadioMapCare
import Retrying
import ServiceHost
import Site
import Threads

/// Calibrates the nodes of each site that places some, and says which ones have become deaf.
///
/// Several keepers may run: a calibration that is not newer than the stored one is dropped.
struct NodeKeeper: Sendable {
    private static let longWork = LongWork("node-calibration")

    let sites: SiteDirectory
    let clock: EventClock
    let notices: Notices
    let store: NodeStore
    /// The time between two calibrations.
    let interval: Duration

    func run() async {
        await attemptUntilDone("Calibrating nodes", notices: notices) { retry in
            while !Task.isCancelled {
                try await calibrateAll()
                retry.ended()
                try? await Task.sleep(for: interval)
            }
        }
    }

    private func calibrateAll() async throws {
        let hour = Int(clock.now.microseconds / 3_600_000_000)
        let hearings = try await store.hearings(at: hour)
        for (site, heard) in hearings.sorted(by: { $0.key < $1.key }) {
            guard let published = sites[site],
                !published.index.document.scanners.isEmpty
            else { continue }
            try await calibrate(site, published, heard)
        }
        try await store.forget(before: hour)
    }

    private func calibrate(
        _ site: SiteID, _ published: PublishedSite, _ hearings: [NodeHearing]
    ) async throws {
        let before = try await store.calibrations(of: site).first
        let now = clock.now
        let found = await Self.longWork.run {
            NodeCalibrator.findings(hearings, of: site, published, before: before, at: now)
        }
        if let doubted = found?.doubted, !doubted.isEmpty {
            notices.onUnexpected(
                "\(doubted.count) nodes of \(site), more than half, seem deaf at once. "
                    + "None is left out: a server or a channel is the likelier cause.")
        }
        guard let calibration = found?.calibration, calibration.isNews(after: before),
            try await store.publish(calibration, source: MapBuilder.source)
        else { return }
        let deaf = calibration.newlyDeaf(after: before)
        guard !deaf.isEmpty else { return }
        let names = deaf.prefix(10).map(\.text).joined(separator: ", ")
        notices.onUnexpected(
            "\(deaf.count) node(s) of \(site) hear far less than their neighbours' signals should "
                + "give, and are left out until they do: \(names).")
    }
}
