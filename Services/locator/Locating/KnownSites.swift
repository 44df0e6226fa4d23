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

/// The values that scans are located with, one for each site. A new value replaces the old one as a
/// whole, and the old one serves while the new one is prepared.
final class KnownSites: Sendable {
    struct State {
        /// The radio maps and choices that the log announces; nil until the topic has been read to
        /// its end.
        var announced: [SiteID: SiteSources]?
        /// The magnetic routes of each site; nil until their topic has been read to its end.
        var routes: [SiteID: FollowedRoutes]?
        /// Sites whose maps are loaded and positioners prepared.
        var ready: [SiteID: SiteKnowledge] = [:]
        /// True once every announced map has been asked for.
        var wasTried = false
        /// Since when scans wait for a site whose map is not loaded.
        var waits: [SiteID: Wait] = [:]

        /// Replaces a site's value, unless the present one is of a newer map.
        mutating func swapIn(_ knowledge: SiteKnowledge, for site: SiteID) {
            let known = ready[site]?.announcement?.version ?? 0
            guard knowledge.announcement?.version ?? 0 >= known else { return }
            ready[site] = knowledge.following(routes?[knowledge.site?.lender ?? site])
            // A site whose announcements are missing gets those of its loaded map.
            announced = announced ?? [site: SiteSources(site, map: knowledge.announcement)]
        }
    }

    struct Wait {
        /// 0 for a site that was never surveyed.
        var version: Int
        var since: ContinuousClock.Instant
    }

    /// The longest time for which a site's scans wait for a map.
    private let patience: Duration
    let log: any EventLog
    /// The sites that site-editor has published.
    let published: SiteDirectory
    /// Fingerprint-builder, which stores the maps.
    let mapStore: Neighbour
    let notices: Notices
    let stock: PositionerStock
    /// Preparing may train small networks or start a program; the old map serves meanwhile.
    let preparing = LongWork("preparing")
    let state = Mutex(State())
    let parts = LoadedParts()
    private let withTooLargeState = Mutex<Set<String>>([])
    /// The selections whose missing positioners were reported.
    private let withMissing = Mutex<Set<String>>([])

    /// - Parameter positioners: those that sites may have; the default comes first.
    init(
        log: any EventLog, published: SiteDirectory, mapStore: Neighbour, notices: Notices,
        positioners: [WorkingPositioner], patience: Duration = .seconds(30)
    ) {
        self.log = log
        self.published = published
        self.mapStore = mapStore
        self.notices = notices
        self.patience = patience
        stock = PositionerStock(positioners)
    }

    /// The site's present value. Without a map it calls every device lost.
    func knowledge(of site: SiteID) -> SiteKnowledge {
        let newest = published[whole: site]
        let lender = newest?.lender ?? site
        let (ready, routes, selected) = state.withLock {
            ($0.ready[site], $0.routes?[lender], $0.announced?[lender]?.selected)
        }
        return ready
            ?? SiteKnowledge(
                withoutMap: SiteSources(site, site: newest, selected: selected),
                positioners: stock.working(for: selected), routes: routes,
                lostBecause: lostReason(site))
    }

    /// The site's present value; nil where no map is loaded.
    subscript(site: SiteID) -> SiteKnowledge? { state.withLock { $0.ready[site] } }

    func routes(of site: SiteID) -> FollowedRoutes? {
        let lender = published[whole: site]?.lender ?? site
        return state.withLock { $0.routes?[lender] }
    }

    /// Reports once for each positioner that its state of a device is too large and is forgotten.
    func stateIsTooLarge(_ positioner: String, _ byteCount: Int) {
        guard withTooLargeState.withLock({ $0.insert(positioner).inserted }) else { return }
        notices.onUnexpected(
            "\(positioner) returned a state of \(byteCount) bytes, which is forgotten: at most "
                + "\(PositionerMemory.maximumStateBytes) are kept of a device.")
    }

    /// The positioners of a site. Reports once for each selection that some are not allowed.
    func positioners(_ sources: SiteSources, of site: SiteID) -> [WorkingPositioner] {
        let missing = stock.missing(in: sources.selected)
        if let revision = sources.selected?.revision, !missing.isEmpty,
            withMissing.withLock({ $0.insert("\(site)/\(revision)").inserted })
        {
            notices.onUnexpected(
                "\(site) selected \(missing.joined(separator: ", ")), which "
                    + "WHEREABOUTS_POSITIONERS does not have: the site is located without.")
        }
        return stock.working(for: sources.selected)
    }

    /// The names of the positioners that a site has beside the served one; nil while the
    /// announcements are not read.
    func namesBeside(of site: SiteID) -> [String]? {
        let lender = published[whole: site]?.lender ?? site
        guard let announced = state.withLock({ $0.announced }) else { return nil }
        return stock.working(for: announced[lender]?.selected).dropFirst().map(\.name)
    }

    // MARK: Waiting for maps

    /// Whether the site has a map that is not loaded yet; true while the announcements are not
    /// read.
    func awaitsMap(of site: SiteID) -> Bool {
        state.withLock { state in
            guard let announced = state.announced else { return true }
            return isMissing(site, announced, state.ready)
        }
    }

    /// Whether scans of these sites may be located now.
    ///
    /// Scans wait for a map that exists but is not loaded yet, so that none is called lost without
    /// reason. They wait once for each announced version, and for half a minute at most, since
    /// other sites share the partitions.
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
        let sources = announced.located(site, published: published[whole: site])
        return sources.map != nil || locatesWithoutMap(sources)
    }

    /// Whether devices can be located at a site that was never surveyed.
    func locatesWithoutMap(_ sources: SiteSources) -> Bool {
        guard let site = sources.site else { return false }
        return site.index.document.locatesWithoutSurveys
            || stock.working(for: sources.selected).contains { $0.positioner.worksWithoutMap }
    }

    /// The site's own radio map, or that of the site it borrows from.
    private func map(
        of site: SiteID, _ announced: [SiteID: SiteSources]
    ) -> RadioMapAnnounced? {
        announced.located(site, published: published[whole: site]).map
    }

    /// The reason for a lost device, where a site or map exists but is not loaded.
    func lostReason(_ site: SiteID) -> PositionEstimated.LostReason? {
        let isWanted: Bool = state.withLock { state in
            isMissing(site, state.announced ?? [:], state.ready)
        }
        guard isWanted else { return nil }
        return published[whole: site] == nil ? .siteMissing : .mapMissing
    }

    /// Waits until every map that was announced at the start has been loaded or has failed, at most
    /// half a minute. It also returns when the task is cancelled.
    ///
    /// Scans that are read earlier would only wait, and one site's missing map must not delay the
    /// others.
    func untilTried() async {
        let deadline = ContinuousClock.now + patience
        while !Task.isCancelled, .now < deadline, !state.withLock({ $0.wasTried }) {
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Waits until magnetic routes have been read from the log, or the task is cancelled. Scans
    /// that are located without routes would lose them from a device's memory.
    func untilRoutesAreRead() async {
        while !Task.isCancelled, state.withLock({ $0.routes == nil }) {
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}
