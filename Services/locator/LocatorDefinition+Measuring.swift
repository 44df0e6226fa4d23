public import Devices
import EventLog
public import Events
public import LogViews
public import Positioning
public import Postgres
public import ServiceHost
public import ServiceRuntime
import Wire

extension LocatorDefinition {
    /// Prepares the locating of one site's scans, for measurements.
    ///
    /// - Parameters:
    ///   - sources: the radio map's announcement, the site and the choice to locate with.
    ///   - map: the radio map that `sources` announces.
    /// - Returns: a function that locates until its task is cancelled. It runs as many members as
    ///   the settings name, and nothing else of the service.
    public static func backlogLocator(
        _ host: Host, of site: SiteID, _ sources: SiteSources, _ map: RadioMap
    ) throws -> @Sendable () async throws -> Void {
        let settings = try LocatorSettings(host.configuration)
        let sites = knownSites(host, working(host, settings.positioners))
        sites.adopt(map, sources, of: site)
        // Nothing reads the topic, for which scans would wait.
        host.erased.replace(with: ErasedDevices())
        let locating = locating(host, sites, settings.visits)
        let processor = processor(host, settings, locating) { devices, records in
            try await locating.work(&devices, records)
        }
        return {
            try await withThrowingTaskGroup { group in
                for _ in 0..<settings.members { group.addTask { try await processor.run() } }
                try await group.waitForAll()
            }
        }
    }

    /// The view of positions, for measurements without a host.
    public static func positionsView(daysKept: Int64) -> any View {
        PositionsView(daysKept: daysKept)
    }

    /// Writes positions by COPY into the rows and counts of a view of `positionsView`, in one
    /// transaction, without the latest positions.
    public static func copyPositions(
        _ positions: [PositionEstimated], into view: any View, _ pool: PostgresPool
    ) async throws {
        guard let view = view as? PositionsView else { return }
        try await pool.withTransaction(waitingForDisk: false) { connection in
            try view.write(
                positions, positions.map(\.locatedAt.microseconds), schema: view.schema,
                connection: connection, updatingLatest: false)
        }
        view.ended(schema: view.schema, committed: true)
    }

    /// The settings that a host for `backlogLocator` reads.
    public static var settings: [Setting] { LocatorSettings.all }
}
