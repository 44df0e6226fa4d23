import EventLog
import Events
import HTTPClient
import JSON
import Positioning
import ServiceHost
import Site
import Synchronization
import Wire

/// What a position was made with, as far as it can still be had.
struct PositionMaking: Sendable {
    /// What is not as it was.
    enum Difference: String, Sendable {
        case positioner
        case radioMap = "radio-map"
        case site
        case choice
    }

    var positionerName: String
    var radioMapVersion: Int?
    var siteVersion: Int
    var choiceVersion: Int?
    var differences: [Difference]
    var map: RadioMap
    var positioner: any PreparedPositioner
}

/// Makes positioners ready with the radio maps, sites and choices of earlier positions. The last few are
/// kept: who asks for one position often asks for the next.
final class FormerMaps: Sendable {
    private static let mostKept = 2

    private struct Wanted: Hashable {
        var site: SiteID
        var positioner: String
        var radioMapVersion: Int?
        var siteVersion: Int
        var choiceVersion: Int?
    }

    private let host: Host
    private let maps: RadioMaps
    private let preparing = LongWork("former-maps")
    /// The newest comes last.
    private let kept = Mutex<[(wanted: Wanted, making: PositionMaking)]>([])

    init(host: Host, maps: RadioMaps) {
        self.host = host
        self.maps = maps
    }

    /// What the position was made with; nil while no map of its site is loaded, or when the task is
    /// cancelled.
    func making(of position: PositionEstimated) async throws -> PositionMaking? {
        guard let loaded = maps[position.site] else { return nil }
        let index = maps.positioners.firstIndex { $0.name == position.positioner } ?? 0
        let working = maps.positioners[index]
        let isAsThen =
            loaded.announcement?.version == position.radioMapVersion
            && loaded.site.version == position.siteVersion
            && (!working.positioner.followsChoice
                || loaded.choice?.radioMapVersion == position.choiceVersion)
        if isAsThen, working.name == position.positioner {
            return PositionMaking(
                positionerName: working.name, radioMapVersion: loaded.announcement?.version,
                siteVersion: loaded.site.version, choiceVersion: position.choiceVersion,
                differences: [], map: loaded.map, positioner: loaded.prepared[index].positioner)
        }
        let wanted = Wanted(
            site: position.site, positioner: position.positioner,
            radioMapVersion: position.radioMapVersion, siteVersion: position.siteVersion,
            choiceVersion: position.choiceVersion)
        if let known = kept.withLock({ $0.first { $0.wanted == wanted }?.making }) { return known }
        guard let making = try await prepare(position, loaded, working) else { return nil }
        // A program would run for as long as it is kept.
        if !working.isProgram { keep(making, for: wanted) }
        return making
    }

    private func keep(_ making: PositionMaking, for wanted: Wanted) {
        kept.withLock { kept in
            kept.removeAll { $0.wanted == wanted }
            kept.append((wanted, making))
            if kept.count > Self.mostKept { kept.removeFirst() }
        }
    }

    private func prepare(
        _ position: PositionEstimated, _ loaded: LoadedMap, _ working: WorkingPositioner
    ) async throws -> PositionMaking? {
        var differences: [PositionMaking.Difference] = []
        var positioner = working.positioner
        if working.name != position.positioner {
            // It may have been served without parameters before.
            if let known = PositionerRegistry.standard[position.positioner] {
                positioner = known
            } else {
                differences.append(.positioner)
            }
        }
        var (announcement, map) = (loaded.announcement, loaded.map)
        if announcement?.version != position.radioMapVersion {
            if position.radioMapVersion == nil, positioner.worksWithoutMap {
                (announcement, map) = (nil, .empty)
            } else if let former = await former(position.radioMapVersion, of: position.site) {
                (announcement, map) = former
            } else {
                differences.append(.radioMap)
            }
        }
        var site = loaded.site
        if site.version != position.siteVersion {
            if let former = try await self.site(position.siteVersion, of: position.site) {
                site = former
            } else {
                differences.append(.site)
            }
        }
        var choice = positioner.followsChoice ? loaded.choice : nil
        if positioner.followsChoice, choice?.radioMapVersion != position.choiceVersion {
            let former = await self.choice(position.choiceVersion, of: position.site)
            if former != nil || position.choiceVersion == nil {
                choice = former
            } else {
                differences.append(.choice)
            }
        }
        let chosen = positioner.following(choice?.positioner)
        let (known, index) = (map, site.index)
        let prepared = await preparing.run { chosen.prepare(known, site: index) }
        return prepared.map {
            PositionMaking(
                positionerName: positioner.name, radioMapVersion: announcement?.version,
                siteVersion: site.version, choiceVersion: choice?.radioMapVersion,
                differences: differences, map: map, positioner: $0)
        }
    }

    // MARK: Fetching

    /// Nil when fingerprint-builder does not have it, or can't be asked.
    private func former(
        _ version: Int?, of site: SiteID
    ) async -> (announcement: RadioMapAnnounced, map: RadioMap)? {
        guard let version, let announcement = await events(version, of: site)?.map,
            let map = try? await maps.fetch(announcement)
        else { return nil }
        return (announcement, map)
    }

    private func choice(_ version: Int?, of site: SiteID) async -> PositionerChosen? {
        guard let version else { return nil }
        return await events(version, of: site)?.choice
    }

    /// What was announced of a version of the site's radio map.
    private func events(
        _ version: Int, of site: SiteID
    ) async -> (map: RadioMapAnnounced, choice: PositionerChosen?)? {
        let url = host.urls["fingerprint-builder"]
        let answer = try? await host.client.send(
            "GET", "\(url)/v1/sites/\(site.text)/radio-map?version=\(version)",
            headers: [("authorization", "Bearer \(host.serviceSecret)")], timeoutSeconds: 10)
        guard let answer, answer.status == 200 else { return nil }
        return try? JSONParser.read(answer.body) { root in
            guard let object = root.object, let map = object["radioMap"]?.object else { return nil }
            return (
                try RadioMapAnnounced(reading: map),
                try object["choice"]?.object.map { try PositionerChosen(reading: $0) }
            )
        }
    }

    /// From the log, which keeps all versions of a site.
    private func site(_ version: Int, of site: SiteID) async throws -> PublishedSite? {
        let topic = Topic.site.name
        let key = RecordKey.bytes(site)
        let partition = partition(
            forKey: key, of: try await host.log.partitionCount(of: topic))
        let bound = try await host.log.bounds(of: topic)[partition]
        guard bound.start < bound.end else { return nil }
        var found: SitePublished?
        try await host.log.readRange([TopicPartition(topic, partition): bound.start..<bound.end]) {
            for record in $0 where record.key == key {
                guard let event = try? SitePublished(record: record) else { continue }
                if event.version == version { found = event }
            }
        }
        return found.flatMap { event in
            (try? SiteIndex(event.document)).map { PublishedSite(version: version, index: $0) }
        }
    }
}
