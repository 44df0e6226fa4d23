public import Devices
import EventLog
public import Events
public import Positioning
public import ServiceHost
public import ServiceRuntime

extension LocatorDefinition {
    /// Locates scans of one site until the task is cancelled, for measurements. It runs as many
    /// members as the settings name, and nothing else of the service.
    ///
    /// - Parameters:
    ///   - sources: the radio map's announcement, the site and the choice to locate with.
    ///   - map: the radio map that `sources` announces.
    public static func locateBacklog(
        _ host: Host, of site: SiteID, _ sources: SiteSources, _ map: RadioMap
    ) async throws {
        let settings = try LocatorSettings(host.configuration)
        let sites = knownSites(host, working(host, settings.positioners))
        sites.adopt(map, sources, of: site)
        let locating = locating(host, sites, settings.visits)
        let processor = processor(host, settings, locating) { devices, records in
            try await locating.work(&devices, records)
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<settings.members { group.addTask { try await processor.run() } }
            try await group.waitForAll()
        }
    }

    /// The settings that a host for `locateBacklog` reads.
    public static var settings: [Setting] { LocatorSettings.all }
}
