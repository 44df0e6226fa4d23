import Devices
import EventLog
import Events
import HTTPClient
import Magnetic
import Positioning
import Retrying
import ServiceHost
import ServiceRuntime
import Site
import Synchronization
import Wire

extension KnownSites {
    /// Reads what is announced, and keeps the maps loaded, until the task is cancelled.
    func run() async {
        let health = host.context.health.check("radio-maps")
        let table = table(
            of: .radioMaps, saying: "announces no radio map",
            onChange: { [self] sources in state.withLock { $0.announced = sources } })
        await withTaskGroup { group in
            group.addTask { await table.run() }
            group.addTask { [self] in
                var retries: [SiteID: Retry] = [:]
                while !Task.isCancelled {
                    let isWhole = await loadMissing(&retries)
                    if isWhole == true { health.set(.ready) }
                    if isWhole != nil { state.withLock { $0.wasTried = true } }
                    try? await Task.sleep(for: isWhole == false ? .seconds(1) : .milliseconds(200))
                }
            }
        }
    }

    /// Reads magnetic routes until the task is cancelled.
    func runRoutes() async {
        let health = host.context.health.check("magnetic-routes")
        let table = table(
            of: .magneticRoutes, saying: "is of no magnetic route",
            onChange: { [self] sources in
                replaceRoutes(with: sources.mapValues(\.routes))
                health.set(.ready)
            })
        await table.run()
    }

    private func table(
        of topic: Topic, saying fault: String,
        onChange: @escaping @Sendable ([SiteID: SiteSources]) -> Void
    ) -> LogTable<[SiteID: SiteSources]> {
        LogTable(
            log: host.log, topic: topic.name, initial: [:],
            apply: { [host] sources, record in
                if !sources.evolve(record) {
                    host.unexpected("A record of \(record.topicPartition) \(fault).")
                }
            }, onChange: onChange, notices: host.notices)
    }

    func replaceRoutes(with tables: [SiteID: MagneticRouteTable]) {
        let before = state.withLock { $0.routes } ?? [:]
        var after: [SiteID: FollowedRoutes] = [:]
        for (site, table) in tables {
            let known = before[site]
            let routes = FollowedRoutes(table, known: known, .standard)
            if routes.unusedCount > 0, routes.basis != known?.basis {
                host.unexpected(
                    "\(routes.unusedCount) magnetic routes of \(site) are not used: at most "
                        + "\(Int(MagneticFollower.mostMetres)) m of a site are matched.")
            }
            after[site] = routes
        }
        state.withLock { state in
            state.routes = after
            for (site, knowledge) in state.ready {
                state.ready[site] = knowledge.following(after[knowledge.site?.lender ?? site])
            }
        }
    }

    // MARK: Maps

    /// Loads what is announced and not loaded, or was prepared for an older site; true when nothing
    /// is missing after that, nil while it is not known what there is.
    private func loadMissing(_ retries: inout [SiteID: Retry]) async -> Bool? {
        guard host.sites.isReady, let announced = state.withLock({ $0.announced }) else {
            return nil
        }
        forgetEndedTests()
        var isWhole = true
        for (site, published) in host.sites.all {
            let sources = announced.located(site, published: published)
            guard sources.map != nil || worksWithoutMap else { continue }
            if self[site]?.isUpToDate(with: sources) == true { continue }
            do {
                let known = self[site]
                let map = try await map(sources.map, known)
                let ready = await preparing.run { [self] in
                    SiteKnowledge(
                        sources, map: map, positioners: positioners, known: known, .standard)
                }
                guard let ready else { return false }
                state.withLock { $0.swapIn(ready, for: site) }
                retries[site]?.ended()
            } catch {
                isWhole = false
                guard !Task.isCancelled else { return false }
                retries[
                    site,
                    default: Retry(
                        of: "Loading the radio map of \(site)", notices: host.notices,
                        isWatched: true)
                ].failed(error)
            }
        }
        return isWhole
    }

    /// Nothing is located any more at a testers' site that has ended.
    private func forgetEndedTests() {
        state.withLock { state in
            for site in state.ready.keys where site.tested != nil && host.sites[site] == nil {
                state.ready[site] = nil
            }
        }
    }

    /// Prepares the map and swaps it in.
    func adopt(_ map: RadioMap, _ sources: SiteSources, of site: SiteID) {
        let ready = SiteKnowledge(
            sources, map: map, positioners: positioners, known: self[site], .standard)
        state.withLock { $0.swapIn(ready, for: site) }
    }

    /// Empty for a site that was never surveyed.
    private func map(
        _ announcement: RadioMapAnnounced?, _ known: SiteKnowledge?
    ) async throws -> RadioMap {
        guard let announcement else { return .empty }
        if let map = known?.map, known?.announcement == announcement { return map }
        return try await fetch(announcement)
    }

    /// The map, from fingerprint-builder.
    func fetch(_ announcement: RadioMapAnnounced) async throws -> RadioMap {
        let answer = try await host.client.send(
            "GET", "\(host.urls["fingerprint-builder"])/v1/radio-maps/\(announcement.hash)",
            headers: [("authorization", "Bearer \(host.serviceSecret)")], timeoutSeconds: 60)
        guard answer.status == 200 else { throw MapNotAnswered(status: answer.status) }
        return try RadioMapArtifact.decode(answer.body, of: announcement)
    }
}

private struct MapNotAnswered: Error, CustomStringConvertible {
    var status: Int
    var description: String { "fingerprint-builder answered \(status)" }
}
