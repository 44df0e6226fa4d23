import Cryptography
import Devices
import EventLog
import Events
import HTTPClient
import Positioning
import Retrying
import ServiceHost
import ServiceRuntime
import Site
import Synchronization
import Wire

/// A site's radio map, made ready for each positioner.
struct LoadedMap: Sendable {
    /// A positioner with the map.
    struct Prepared: Sendable {
        /// Says what a device's state was made with.
        var basis: UInt64
        var positioner: any PreparedPositioner
    }

    /// Nil for the empty map of a site that was never surveyed.
    var announcement: RadioMapAnnounced?
    /// That the positioners were made ready for.
    var site: PublishedSite
    /// What `auto` follows; nil while nothing was chosen for the site.
    var choice: PositionerChosen?
    var map: RadioMap
    /// In the order of `RadioMaps.positioners`.
    var prepared: [Prepared]
}

/// A positioner that works on every scan.
struct WorkingPositioner: Sendable {
    var positioner: any Positioner
    /// Where its positions go to; nil for the one that is served.
    var topic: String?
    /// All that it was asked for with: a state holds for nothing else.
    var option: String
    /// A program of its own blocks, and must not do so on the threads that all share.
    var isProgram = false

    var name: String { positioner.name }
}

/// The radio maps that this locator works with: each fetched whole by its hash, checked, and swapped
/// in at once. While a newer map is fetched the former one serves.
final class RadioMaps: Sendable {
    private struct State {
        /// What the log says; nil until it has been read whole.
        var announced: [SiteID: Announced]?
        var loaded: [SiteID: LoadedMap] = [:]
        /// Every map that was announced has been asked for at least once.
        var wasTried = false
        /// Since when scans wait for a site of which no map is loaded.
        var waits: [SiteID: Wait] = [:]
    }

    private struct Wait {
        /// 0 for a site that was never surveyed.
        var version: Int
        var since: ContinuousClock.Instant
    }

    /// What the log says of a site.
    struct Announced: Sendable {
        /// Nil when the choice was read first, from another partition.
        var map: RadioMapAnnounced?
        var choice: PositionerChosen?

        mutating func take(_ announcement: RadioMapAnnounced) {
            if announcement.version > map?.version ?? 0 { map = announcement }
        }

        mutating func take(_ chosen: PositionerChosen) {
            if chosen.radioMapVersion >= choice?.radioMapVersion ?? 0 { choice = chosen }
        }
    }

    /// How long a site's scans wait for a map.
    private let patience: Duration

    private let host: Host
    /// The served one comes first.
    let positioners: [WorkingPositioner]
    let names: Set<String>
    /// Whether any of them looks at what is told by anything but radio.
    let usesEvidence: Bool
    /// Whether locating may block.
    let isBlocking: Bool
    /// Whether any of them locates on sites that were never surveyed.
    private let worksWithoutMap: Bool
    /// Small networks are trained, or a program is started, while the former map serves.
    private let preparing = LongWork("preparing")
    private let state = Mutex(State())
    private let withTooLargeState = Mutex<Set<String>>([])

    init(host: Host, positioners: [WorkingPositioner], patience: Duration = .seconds(30)) {
        self.host = host
        self.patience = patience
        self.positioners = positioners
        names = Set(positioners.map(\.name))
        usesEvidence = positioners.contains { $0.positioner.usesEvidence }
        isBlocking = positioners.contains { $0.isProgram }
        worksWithoutMap = positioners.contains { $0.positioner.worksWithoutMap }
    }

    /// Tells once for each positioner that what it wants to remember of a device is forgotten.
    func stateIsTooLarge(_ positioner: String, _ byteCount: Int) {
        guard withTooLargeState.withLock({ $0.insert(positioner).inserted }) else { return }
        host.unexpected(
            "\(positioner) returned a state of \(byteCount) bytes, which is forgotten: at most "
                + "\(PositionerMemory.maximumStateBytes) are kept of a device.")
    }

    /// The site's map; nil when none is loaded.
    subscript(site: SiteID) -> LoadedMap? { state.withLock { $0.loaded[site] } }

    /// Whether the site has a map that is not loaded yet, as far as is known.
    func awaitsMap(of site: SiteID) -> Bool {
        state.withLock { state in
            guard let announced = state.announced else { return true }
            return isMissing(site, announced, state.loaded)
        }
    }

    /// Whether scans of the sites are to be located now. A site of which no map is loaded yet is
    /// waited for, so that no scan is called lost for want of a map that exists: once for each version
    /// that is announced, and half a minute at most, since other sites share its partitions.
    func isSettled(
        for sites: Set<SiteID>, at now: ContinuousClock.Instant = .now
    ) -> Bool {
        state.withLock { state in
            guard let announced = state.announced else { return false }
            var isSettled = true
            for site in sites where isMissing(site, announced, state.loaded) {
                let version = announced[site]?.map?.version ?? 0
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
        _ site: SiteID, _ announced: [SiteID: Announced], _ loaded: [SiteID: LoadedMap]
    ) -> Bool {
        guard loaded[site] == nil else { return false }
        return announced[site]?.map != nil || worksWithoutMap && host.sites[site] != nil
    }

    /// Why devices of the site are lost, where it is for want of something that exists.
    func lostReason(_ site: SiteID) -> PositionEstimated.LostReason? {
        let isWanted: Bool = state.withLock { state in
            isMissing(site, state.announced ?? [:], state.loaded)
        }
        guard isWanted else { return nil }
        return host.sites[site] == nil ? .siteMissing : .mapMissing
    }

    /// Returns when every map that was announced at the start is loaded or could not be, after half a
    /// minute, or when the task is cancelled: a locator that took scans before that could only hold
    /// them up, and one site's missing map must not hold up the others.
    func untilTried() async {
        let deadline = ContinuousClock.now + patience
        while !Task.isCancelled, .now < deadline, !state.withLock({ $0.wasTried }) {
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Reads the announcements and keeps the maps loaded until the task is cancelled.
    func run() async {
        let health = host.context.health.check("radio-maps")
        let table = LogTable<[SiteID: Announced]>(
            log: host.log, topic: Topic.radioMaps.name, initial: [:],
            apply: { [host] announced, record in
                if let announcement = try? RadioMapAnnounced(record: record) {
                    announced[announcement.site, default: Announced()].take(announcement)
                } else if let chosen = try? PositionerChosen(record: record) {
                    announced[chosen.site, default: Announced()].take(chosen)
                } else {
                    host.unexpected("A record of \(record.topicPartition) announces no radio map.")
                }
            },
            onChange: { [self] maps in state.withLock { $0.announced = maps } },
            notices: host.notices)
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

    /// Loads what is announced and not loaded, or was made ready for an older site; true when
    /// nothing is missing after that, nil while it is not known what there is.
    private func loadMissing(_ retries: inout [SiteID: Retry]) async -> Bool? {
        guard host.sites.isReady, let announced = state.withLock({ $0.announced }) else {
            return nil
        }
        var isWhole = true
        for (site, published) in host.sites.all {
            let said = announced[site] ?? Announced()
            guard said.map != nil || worksWithoutMap else { continue }
            let known = self[site]
            if let known, known.announcement == said.map, known.site.version == published.version,
                known.choice == said.choice
            {
                continue
            }
            do {
                let map =
                    if let announcement = said.map { try await fetch(announcement) } else {
                        RadioMap.empty
                    }
                let loaded = await preparing.run { [self] in
                    ready(map, said.map, choice: said.choice, site: published, id: site)
                }
                guard let loaded else { return false }
                swapIn(loaded, for: site)
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

    /// The map with all positioners. Those that it has already, made ready for just the same, are kept.
    ///
    /// - Parameter choice: the newest for the site, be it of this map or of the one before.
    private func ready(
        _ map: RadioMap, _ announcement: RadioMapAnnounced?, choice: PositionerChosen?,
        site: PublishedSite, id: SiteID
    ) -> LoadedMap {
        let known = self[id]?.prepared
        let prepared = positioners.enumerated().map { index, working in
            let chosen = working.positioner.followsChoice ? choice?.positioner ?? "" : ""
            let text = "\(working.option) \(announcement?.hash ?? "") \(site.version) \(chosen)"
            let basis = sha256(text.utf8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            if let same = known?[index], same.basis == basis { return same }
            return LoadedMap.Prepared(
                basis: basis,
                positioner: working.positioner.following(choice?.positioner)
                    .prepare(map, site: site.index))
        }
        return LoadedMap(
            announcement: announcement, site: site, choice: choice,
            map: map, prepared: prepared)
    }

    /// Makes the map ready and swaps it in.
    func adopt(
        _ map: RadioMap, _ announcement: RadioMapAnnounced, choice: PositionerChosen?,
        site: PublishedSite
    ) {
        let id = announcement.site
        swapIn(ready(map, announcement, choice: choice, site: site, id: id), for: id)
    }

    /// Never takes the place of a newer one.
    private func swapIn(_ map: LoadedMap, for site: SiteID) {
        state.withLock { state in
            let known = state.loaded[site]?.announcement?.version ?? 0
            guard map.announcement?.version ?? 0 >= known else { return }
            state.loaded[site] = map
            // Known already, unless a locator is handed its map.
            state.announced = state.announced ?? [site: Announced(map: map.announcement)]
        }
    }

    /// The artifact, checked against its hash.
    func fetch(_ announcement: RadioMapAnnounced) async throws -> RadioMap {
        let answer = try await host.client.send(
            "GET", "\(host.urls["fingerprint-builder"])/v1/radio-maps/\(announcement.hash)",
            headers: [("authorization", "Bearer \(host.serviceSecret)")], timeoutSeconds: 60)
        guard answer.status == 200 else { throw RadioMapFault.answered(answer.status) }
        guard sha256Hex(answer.body) == announcement.hash else { throw RadioMapFault.otherBytes }
        let map = try RadioMapArtifact.decode(answer.body)
        if let fault = map.fault { throw RadioMapFault.malformed(fault) }
        return map
    }
}

enum RadioMapFault: Error, CustomStringConvertible {
    case answered(Int)
    case otherBytes
    case malformed(String)

    var description: String {
        switch self {
        case .answered(let status): "fingerprint-builder answered \(status)"
        case .otherBytes: "the bytes do not have the announced hash"
        case .malformed(let fault): "the map is malformed: \(fault)"
        }
    }
}
