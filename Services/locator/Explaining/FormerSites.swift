import Devices
import Events
import HTTPClient
import Positioning
import ServiceHost
import Site
import Synchronization
import Threads
import Wire

/// The inputs of a position, as far as they still exist.
struct PositionMaking: Sendable {
    /// The site as it was, with the position's positioner alone.
    var site: SiteKnowledge
    var positioner: any PreparedPositioner
    /// Inputs that are no longer what they were.
    var differences: [ExplainedPosition.Difference]

    /// - Returns: nil where the site has neither a radio map nor nodes.
    init?(_ site: SiteKnowledge, _ differences: [ExplainedPosition.Difference] = []) {
        guard let positioner = site.positioners.first?.prepared ?? site.nodes?.prepared else {
            return nil
        }
        self.site = site
        self.positioner = positioner
        self.differences = differences
    }

    /// The nodes that located this scan, or the positioner.
    func locator(of scan: ScanRecorded) -> any PreparedPositioner {
        guard let nodes = site.nodes?.prepared, nodes.suits(RadioScan(scan)) else {
            return positioner
        }
        return nodes
    }

    /// The inputs as the answer names them.
    var written: ExplainedPosition.Making {
        ExplainedPosition.Making(
            positioner: site.positioners[0].name, radioMapVersion: site.announcement?.version,
            siteVersion: site.site?.version ?? 0, choiceVersion: site.positioners[0].choiceVersion,
            differences: differences)
    }
    /// The radio map with the floors and transmitters that only the site's document states.
    var map: RadioMap {
        let map = site.map ?? .empty
        return site.site.map { StatedFloors(map, site: $0.index).whole } ?? map
    }
}

/// Prepares sites as they were for earlier positions, with the radio maps and choices of that time.
/// The last few are kept, because somebody who asks about one position often asks about the next.
final class FormerSites: Sendable {
    private static let mostKept = 2

    private struct Wanted: Hashable {
        var site: SiteID
        var positioner: String
        var radioMapVersion: Int?
        var siteVersion: Int
        var choiceVersion: Int?
    }

    private let sites: KnownSites
    /// Site-editor, which stores the versions of sites.
    private let siteEditor: Neighbour
    private let preparing = LongWork("former-sites")
    /// The newest comes last.
    private let kept = Mutex<[(wanted: Wanted, making: PositionMaking)]>([])

    init(sites: KnownSites, siteEditor: Neighbour) {
        self.sites = sites
        self.siteEditor = siteEditor
    }

    /// The inputs of the position. Nil while no map of its site is loaded, or when the task is
    /// cancelled.
    func making(of position: PositionEstimated) async throws -> PositionMaking? {
        guard let now = sites[position.site] else { return nil }
        let working = sites.stock[position.positioner] ?? sites.stock.all[0]
        let isAsThen =
            now.announcement?.version == position.radioMapVersion
            && now.site?.version == position.siteVersion
            && (!working.positioner.followsChoice
                || now.choice?.radioMapVersion == position.choiceVersion)
        let index = now.positioners.firstIndex { $0.name == position.positioner }
        if isAsThen, let index { return PositionMaking(now.only(index)) }
        let wanted = Wanted(
            site: position.site, positioner: position.positioner,
            radioMapVersion: position.radioMapVersion, siteVersion: position.siteVersion,
            choiceVersion: position.choiceVersion)
        if let known = kept.withLock({ $0.first { $0.wanted == wanted }?.making }) { return known }
        guard let making = try await prepare(position, now, working) else { return nil }
        // A program is not kept, because it would run for as long.
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
        _ position: PositionEstimated, _ now: SiteKnowledge, _ working: WorkingPositioner
    ) async throws -> PositionMaking? {
        var differences: [ExplainedPosition.Difference] = []
        var working = working
        if working.name != position.positioner {
            // The position may have been served by a positioner without parameters.
            if let known = PositionerRegistry.standard[position.positioner] {
                working = WorkingPositioner(positioner: known, option: known.name)
            } else {
                differences.append(.positioner)
            }
        }
        let lender = now.site?.lender ?? position.site
        var (announcement, map) = (now.announcement, now.map ?? .empty)
        if announcement?.version != position.radioMapVersion {
            if position.radioMapVersion == nil,
                now.site?.index.document.locatesWithoutSurveys == true
                    || working.positioner.worksWithoutMap
            {
                (announcement, map) = (nil, .empty)
            } else if let former = await former(position.radioMapVersion, of: lender) {
                (announcement, map) = former
            } else {
                differences.append(.radioMap)
            }
        }
        var site = now.site
        if site?.version != position.siteVersion {
            if let former = await self.site(position.siteVersion, of: position.site) {
                site = former
            } else {
                differences.append(.site)
            }
        }
        var choice = working.positioner.followsChoice ? now.choice : nil
        if working.positioner.followsChoice, choice?.radioMapVersion != position.choiceVersion {
            let former = await self.choice(position.choiceVersion, of: lender)
            if former != nil || position.choiceVersion == nil {
                choice = former
            } else {
                differences.append(.choice)
            }
        }
        // The nodes as they are calibrated now: former calibrations are for people.
        let sources = SiteSources(
            position.site, site: site, map: announcement, choice: choice,
            nodes: now.calibration)
        let (known, positioner) = (map, working)
        let routes = sites.routes(of: position.site)
        let prepared = await preparing.run {
            SiteKnowledge(
                sources, map: known, positioners: [positioner], routes: routes, .standard)
        }
        return prepared.flatMap { PositionMaking($0, differences) }
    }

    // MARK: Fetching

    /// The radio map of that version; nil when fingerprint-builder does not have it, or can't be
    /// asked.
    private func former(
        _ version: Int?, of site: SiteID
    ) async -> (announcement: RadioMapAnnounced, map: RadioMap)? {
        guard let version, let announcement = await events(version, of: site)?.map,
            let map = try? await sites.fetch(announcement)
        else { return nil }
        return (announcement, map)
    }

    private func choice(_ version: Int?, of site: SiteID) async -> PositionerChosen? {
        guard let version else { return nil }
        return await events(version, of: site)?.choice
    }

    /// The events that announced this version of the site's radio map.
    private func events(
        _ version: Int, of site: SiteID
    ) async -> (map: RadioMapAnnounced, choice: PositionerChosen?)? {
        let answer = try? await sites.mapStore.get(
            "/v1/sites/\(site.text)/radio-map?version=\(version)", timeoutSeconds: 10)
        guard let answer, answer.status == 200 else { return nil }
        return try? SiteRadioMap.read(answer.body)
    }

    /// The site as it was in that version; nil when site-editor does not have it any more, or can't
    /// be asked.
    private func site(_ version: Int, of site: SiteID) async -> PublishedSite? {
        let answer = try? await siteEditor.get(
            "/v1/sites/\(site.text)/versions/\(version)", timeoutSeconds: 30)
        guard let answer, answer.status == 200,
            let document = try? SiteDocument(json: answer.body),
            let index = try? SiteIndex(document)
        else { return nil }
        return PublishedSite(version: version, index: index)
    }
}
