import Devices
import EventLog
import Events
import Positioning
import Retrying
import ServiceHost
import Site
import Synchronization
import Threads
import Wire

/// The knowledge that scans are located with, site by site. A newer value replaces a site's whole;
/// the former one serves while it is prepared.
final class KnownSites: Sendable {
    struct State {
        /// The radio maps and choices that the log announces; nil until it has been read whole.
        var announced: [SiteID: SiteSources]?
        /// The same of magnetic routes.
        var routes: [SiteID: FollowedRoutes]?
        /// Sites whose positioners are prepared.
        var ready: [SiteID: SiteKnowledge] = [:]
        /// Every map that was announced has been asked for at least once.
        var wasTried = false
        /// Since when scans wait for a site of which no map is loaded.
        var waits: [SiteID: Wait] = [:]

        /// A site's knowledge never takes the place of a newer map's.
        mutating func swapIn(_ knowledge: SiteKnowledge, for site: SiteID) {
            let known = ready[site]?.announcement?.version ?? 0
            guard knowledge.announcement?.version ?? 0 >= known else { return }
            ready[site] = knowledge.following(routes?[knowledge.site?.lender ?? site])
            // Known already, unless a locator is handed its map.
            announced = announced ?? [site: SiteSources(site, map: knowledge.announcement)]
        }
    }

    struct Wait {
        /// 0 for a site that was never surveyed.
        var version: Int
        var since: ContinuousClock.Instant
    }

    /// How long a site's scans wait for a map.
    private let patience: Duration
    let log: any EventLog
    /// What site-editor has published.
    let published: SiteDirectory
    /// fingerprint-builder, which keeps the maps.
    let mapStore: Neighbour
    let notices: Notices
    /// The served one comes first.
    let positioners: [WorkingPositioner]
    /// Whether locating may block.
    let isBlocking: Bool
    /// Whether any of them locates on sites that were never surveyed.
    let worksWithoutMap: Bool
    /// Small networks are trained, or a program is started, while the former map serves.
    let preparing = LongWork("preparing")
    let state = Mutex(State())
    private let withTooLargeState = Mutex<Set<String>>([])

    init(
        log: any EventLog, published: SiteDirectory, mapStore: Neighbour, notices: Notices,
        positioners: [WorkingPositioner], patience: Duration = .seconds(30)
    ) {
        self.log = log
        self.published = published
        self.mapStore = mapStore
        self.notices = notices
        self.patience = patience
        self.positioners = positioners
        isBlocking = positioners.contains { $0.isProgram }
        worksWithoutMap = positioners.contains { $0.positioner.worksWithoutMap }
    }

    /// The site's present knowledge; without a map every device is lost.
    func knowledge(of site: SiteID) -> SiteKnowledge {
        let newest = published[site]
        let lender = newest?.lender ?? site
        let (ready, routes) = state.withLock { ($0.ready[site], $0.routes?[lender]) }
        return ready
            ?? SiteKnowledge(
                withoutMap: SiteSources(site, site: newest), positioners: positioners,
                routes: routes, lostBecause: lostReason(site))
    }

    /// The same; nil where no map is loaded.
    subscript(site: SiteID) -> SiteKnowledge? { state.withLock { $0.ready[site] } }

    /// The site's magnetic routes.
    func routes(of site: SiteID) -> FollowedRoutes? {
        let lender = published[site]?.lender ?? site
        return state.withLock { $0.routes?[lender] }
    }

    /// Reports once for each positioner that its state of a device is too large and is forgotten.
    func stateIsTooLarge(_ positioner: String, _ byteCount: Int) {
        guard withTooLargeState.withLock({ $0.insert(positioner).inserted }) else { return }
        notices.onUnexpected(
            "\(positioner) returned a state of \(byteCount) bytes, which is forgotten: at most "
                + "\(PositionerMemory.maximumStateBytes) are kept of a device.")
    }

    // MARK: Waiting for maps

    /// Whether the site has a map that is not loaded yet, as far as is known.
    func awaitsMap(of site: SiteID) -> Bool {
        state.withLock { state in
            guard let announced = state.announced else { return true }
            return isMissing(site, announced, state.ready)
        }
    }

    /// Whether scans of the sites are to be located now. A site of which no map is loaded yet is
    /// waited for, so that no scan is called lost for want of a map that exists: once for each
    /// version that is announced, and half a minute at most, since other sites share its
    /// partitions.
    func isSettled(
        for sites: Set<SiteID>, at now: ContinuousClock.Instant = .now
    ) -> Bool {
        state.withLock { state in
            guard let announced = state.announced else { return false }
            var isSettled = true
            for site in sites where isMissing(site, announced, state.ready) {
                let version = map(of: site, announced)?.version ?? 0
                let known = state.waits[site]
                let wait = known?.version == version ? known : nil
                let since = wait?.since ?? now
                state.waits[site] = Wait(version: version, since: since)
                if now - since < patience { isSettled = false }
            }
            return isSettled
        }
    }

    private func isMissing(
        _ site: SiteID, _ announced: [SiteID: SiteSources], _ ready: [SiteID: SiteKnowledge]
    ) -> Bool {
        guard ready[site] == nil else { return false }
        return map(of: site, announced) != nil || worksWithoutMap && published[site] != nil
    }

    /// Its own, or the one that it borrows.
    private func map(
        of site: SiteID, _ announced: [SiteID: SiteSources]
    ) -> RadioMapAnnounced? {
        announced.located(site, published: published[site]).map
    }

    /// Why devices of the site are lost, where it is for want of something that exists.
    func lostReason(_ site: SiteID) -> PositionEstimated.LostReason? {
        let isWanted: Bool = state.withLock { state in
            isMissing(site, state.announced ?? [:], state.ready)
        }
        guard isWanted else { return nil }
        return published[site] == nil ? .siteMissing : .mapMissing
    }

    /// Returns when every map that was announced at the start is loaded or could not be, after half
    /// a minute, or when the task is cancelled. Scans that were read earlier would only wait, and
    /// one site's missing map must not hold up the others.
    func untilTried() async {
        let deadline = ContinuousClock.now + patience
        while !Task.isCancelled, .now < deadline, !state.withLock({ $0.wasTried }) {
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Returns when magnetic routes have been read from the log, or when the task is cancelled.
    /// Scans that are located without them would lose what a device's memory holds of them.
    func untilRoutesAreRead() async {
        while !Task.isCancelled, state.withLock({ $0.routes == nil }) {
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}
