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
import Threads
import Wire

extension KnownSites {
    /// Reads announcements and loads their radio maps until the task is cancelled.
    /// - Parameter onWhole: is called each time that no map is missing.
    func run(onWhole: @escaping @Sendable () -> Void = {}) async {
        let changes = ChangeCounter()
        let table = table(
            of: .radioMaps, saying: "announces no radio map",
            onChange: { [self] sources in
                state.withLock { $0.announced = sources }
                changes.add()
            })
        published.countChanges(in: changes)
        await withTaskGroup { group in
            group.addTask { await table.run() }
            group.addTask { [self] in
                var retries: [SiteID: Retry] = [:]
                while !Task.isCancelled {
                    let count = changes.count
                    let isWhole = await loadMissing(&retries)
                    if isWhole == true { onWhole() }
                    if isWhole != nil { state.withLock { $0.wasTried = true } }
                    if isWhole == false {
                        try? await Task.sleep(for: .seconds(1))
                    } else {
                        await changes.rest(since: count)
                    }
                }
            }
        }
    }

    /// Reads magnetic routes until the task is cancelled.
    /// - Parameter onRead: is called each time that the end of the topic has been reached.
    func runRoutes(onRead: @escaping @Sendable () -> Void) async {
        let table = table(
            of: .magneticRoutes, saying: "is of no magnetic route",
            onChange: { [self] sources in
                replaceRoutes(with: sources.mapValues(\.routes))
                onRead()
            })
        await table.run()
    }

    private func table(
        of topic: Topic, saying fault: String,
        onChange: @escaping @Sendable ([SiteID: SiteSources]) -> Void
    ) -> LogTable<[SiteID: SiteSources]> {
        LogTable(
            log: log, topic: topic.name, initial: [:],
            apply: { [notices] sources, record in
                if !sources.evolve(record) {
                    notices.onUnexpected("A record of \(record.topicPartition) \(fault).")
                }
            }, onChange: onChange, notices: notices)
    }

    func replaceRoutes(with tables: [SiteID: MagneticRouteTable]) {
        let before = state.withLock { $0.routes } ?? [:]
        var after: [SiteID: FollowedRoutes] = [:]
        for (site, table) in tables {
            let known = before[site]
            let routes = FollowedRoutes(table, known: known, .standard)
            if routes.unusedCount > 0, routes.basis != known?.basis {
                notices.onUnexpected(
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

    /// Loads radio maps that are announced and not loaded, or were prepared for an older site. The
    /// result is true when none is missing after that, and nil while the announcements have not
    /// been read.
    private func loadMissing(_ retries: inout [SiteID: Retry]) async -> Bool? {
        guard published.isReady, let announced = state.withLock({ $0.announced }) else {
            return nil
        }
        forgetEndedTests()
        for site in retries.keys where published[whole: site] == nil {
            retries[site]?.forgotten()
            retries[site] = nil
        }
        var isWhole = true
        for (site, newest) in published.all {
            let sources = announced.located(site, published: newest)
            guard sources.map != nil || locatesWithoutMap(sources) else { continue }
            if self[site]?.isUpToDate(with: sources) == true { continue }
            do {
                let known = self[site]
                let map = try await map(sources.map, known)
                let working = positioners(sources, of: site)
                let ready = await preparing.run {
                    SiteKnowledge(
                        sources, map: map, positioners: working, known: known, .standard)
                }
                guard let ready else { return false }
                state.withLock { $0.swapIn(ready, for: site) }
                forgetFormerParts()
                ProcessMemory.giveBackFreed()
                retries[site]?.ended()
            } catch {
                isWhole = false
                guard !Task.isCancelled else { return false }
                retries[
                    site,
                    default: Retry(
                        of: "Loading the radio map of \(site)", notices: notices,
                        isWatched: true)
                ].failed(error)
            }
        }
        return isWhole
    }

    /// Removes testers' sites whose test has ended, so that nothing is located there any more.
    private func forgetEndedTests() {
        state.withLock { state in
            for site in state.ready.keys where site.tested != nil && published[whole: site] == nil {
                state.ready[site] = nil
            }
            // The next test of the same site waits for its map again.
            for site in state.waits.keys where published[whole: site] == nil {
                state.waits[site] = nil
            }
        }
    }

    func adopt(_ map: RadioMap, _ sources: SiteSources, of site: SiteID) {
        let ready = SiteKnowledge(
            sources, map: map, positioners: positioners(sources, of: site), known: self[site],
            .standard)
        state.withLock { $0.swapIn(ready, for: site) }
    }

    /// The radio map; an empty one for a site that was never surveyed.
    private func map(
        _ announcement: RadioMapAnnounced?, _ known: SiteKnowledge?
    ) async throws -> RadioMap {
        guard let announcement else { return .empty }
        if let map = known?.map, known?.announcement == announcement { return map }
        // A testers' site and its lender share one map in memory.
        let loaded = state.withLock { state in
            state.ready.values.first { $0.announcement?.hash == announcement.hash }?.map
        }
        if let loaded { return loaded }
        return try await fetch(announcement)
    }

    /// Fetches those parts of the map that are not in memory, or the map as a whole where it has no
    /// parts.
    func fetch(_ announcement: RadioMapAnnounced) async throws -> RadioMap {
        guard !announcement.parts.isEmpty else {
            return try RadioMapArtifact.decode(try await bytes(announcement.hash), of: announcement)
        }
        var parts: [RadioMapPart] = []
        for announced in announcement.parts {
            let known = try self.parts.file(announced.hash)
            let file = if let known { known } else { try await bytes(announced.hash) }
            parts.append(try RadioMapPartArtifact.decode(file, of: announced))
            if known == nil { try self.parts.keep(file, as: announced.hash) }
        }
        return try RadioMap(joining: parts, of: announcement)
    }

    private func bytes(_ hash: String) async throws -> [UInt8] {
        let answer = try await mapStore.get("/v1/radio-maps/\(hash)", timeoutSeconds: 60)
        guard answer.status == 200 else { throw MapNotAnswered(status: answer.status) }
        return answer.body
    }

    /// Forgets parts that no loaded or announced map has.
    private func forgetFormerParts() {
        let wanted = state.withLock { state in
            state.ready.values.compactMap(\.announcement)
                + (state.announced ?? [:]).values.compactMap(\.map)
        }
        parts.forget(allBut: Set(wanted.flatMap { $0.parts.map(\.hash) }))
    }
}

private struct MapNotAnswered: Error, CustomStringConvertible {
    var status: Int
    var description: String { "fingerprint-builder answered \(status)" }
}
