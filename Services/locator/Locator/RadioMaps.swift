import Cryptography
import EventLog
import Events
import HTTPClient
import Positioning
import ServiceHost
import ServiceRuntime
import Site
import Synchronization
import Wire

/// A site's radio map, made ready for one positioner.
struct LoadedMap: Sendable {
    var announcement: RadioMapAnnounced
    var siteVersion: Int
    var positioner: any PreparedPositioner
}

/// The radio maps that this locator works with: each fetched whole by its hash, checked, and swapped
/// in at once. While a newer map is fetched the former one serves.
final class RadioMaps: Sendable {
    private struct State {
        /// What the log says; nil until it has been read whole.
        var announced: [SiteID: RadioMapAnnounced]?
        var loaded: [SiteID: LoadedMap] = [:]
        /// Every map that was announced has been asked for at least once.
        var wasTried = false
    }

    private let host: Host
    private let positioner: any Positioner
    private let state = Mutex(State())

    init(host: Host, positioner: any Positioner) {
        self.host = host
        self.positioner = positioner
    }

    /// The name that positions carry.
    var positionerName: String { positioner.name }

    /// The site's map; nil when none is loaded.
    subscript(site: SiteID) -> LoadedMap? { state.withLock { $0.loaded[site] } }

    /// Waits until the sites' announced maps are loaded, so that no scan is called lost for want of
    /// a map that exists.
    func settled(for sites: Set<SiteID>) async throws {
        while !isSettled(for: sites) {
            try Task.checkCancellation()
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func isSettled(for sites: Set<SiteID>) -> Bool {
        state.withLock { state in
            guard let announced = state.announced else { return false }
            return sites.allSatisfy { announced[$0] == nil || state.loaded[$0] != nil }
        }
    }

    /// Returns when every map that was announced at the start is loaded or could not be, or when the
    /// task is cancelled: a locator that took scans before that could only hold them up, and one
    /// site's missing map must not hold up the others.
    func untilTried() async {
        while !Task.isCancelled, !state.withLock({ $0.wasTried }) {
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Reads the announcements and keeps the maps loaded until the task is cancelled.
    func run() async {
        let health = host.context.health.check("radio-maps")
        let table = LogTable<[SiteID: RadioMapAnnounced]>(
            log: host.log, topic: Topic.radioMaps.name, initial: [:],
            apply: { [host] maps, record in
                guard let announcement = try? RadioMapAnnounced(record: record) else {
                    host.unexpected("A record of \(record.topicPartition) announces no radio map.")
                    return
                }
                if let known = maps[announcement.site], known.version >= announcement.version {
                    return
                }
                maps[announcement.site] = announcement
            },
            onChange: { [self] maps in state.withLock { $0.announced = maps } },
            notices: host.notices)
        await withTaskGroup { group in
            group.addTask { await table.run() }
            group.addTask { [self] in
                var outages: [SiteID: Outage] = [:]
                while !Task.isCancelled {
                    let isWhole = await loadMissing(&outages)
                    if isWhole == true { health.set(.ready) }
                    if isWhole != nil { state.withLock { $0.wasTried = true } }
                    try? await Task.sleep(for: isWhole == false ? .seconds(1) : .milliseconds(200))
                }
            }
        }
    }

    /// Loads what is announced and not loaded, or was made ready for an older site; true when
    /// nothing is missing after that, nil while it is not known what there is.
    private func loadMissing(_ outages: inout [SiteID: Outage]) async -> Bool? {
        guard host.sites.isReady, let announced = state.withLock({ $0.announced }) else {
            return nil
        }
        var isWhole = true
        for (site, announcement) in announced {
            guard let published = host.sites[site] else { continue }
            let known = self[site]
            if known?.announcement.hash == announcement.hash,
                known?.announcement.version == announcement.version,
                known?.siteVersion == published.version
            {
                continue
            }
            do {
                let map = try await fetch(announcement)
                let loaded = LoadedMap(
                    announcement: announcement, siteVersion: published.version,
                    positioner: positioner.prepare(map, site: published.index))
                state.withLock { $0.loaded[site] = loaded }
                outages[site]?.ended()
            } catch {
                isWhole = false
                guard !Task.isCancelled else { return false }
                outages[
                    site,
                    default: Outage(
                        of: "Loading the radio map of \(site)", notices: host.notices)
                ].failed(error)
            }
        }
        return isWhole
    }

    /// The artifact, checked against its hash.
    private func fetch(_ announcement: RadioMapAnnounced) async throws -> RadioMap {
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
