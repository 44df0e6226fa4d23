import EventLog
import HTTP
public import LogViews
import Postgres
public import ServiceHost
public import ServiceRuntime
import Wire

extension LocatorDefinition {
    /// The group that smooths positions.
    public static let smoothingGroup = PositionSmoothing.group

    /// Whether a process with this configuration smooths positions.
    public static func smooths(_ configuration: Configuration) -> Bool {
        configuration.text(LocatorSettings.smoothing) == "on"
    }

    /// The view of the smoothed positions.
    public static func smoothedView(_ host: Host) -> any View { smoothedPositions(host) }

    static func smoothedPositions(_ host: Host) -> PositionsView {
        PositionsView(daysKept: host.retentionDays(of: .positions), of: .positionsSmoothed)
    }

    static func smoothedHistory(
        _ host: Host, _ routes: LocatorRoutes, _ pool: PostgresPool
    ) -> Route {
        routes.smoothedHistory(
            StoredPositions(pool, schema: smoothedPositions(host).schema),
            isOn: smooths(host.configuration))
    }

    /// Smooths positions, unless the settings leave it out.
    ///
    /// The view is kept in any case: it may have rows from before, which erasures and the retention
    /// remove.
    static func smoothing(_ host: Host) -> [any Component] {
        guard smooths(host.configuration) else {
            let windows = SmoothingWindows(log: host.log)
            return [host.loop("smoother's windows") { await windows.run(host.notices) }]
        }
        let smoothing = PositionSmoothing(
            erased: host.erased, clock: host.clock, metrics: host.context.metrics,
            onUnexpected: { host.unexpected($0) })
        let processor = smoothing.processor(
            host.log, host.deadLetters(of: PositionSmoothing.group, source: Locating.source),
            host.notices)
        return [
            host.consumer("smoother") { try await processor.run() },
            host.lagWatch(group: PositionSmoothing.group, topics: [Topic.positions.name]),
        ]
    }
}

extension LocatorRoutes {
    /// GET /v1/positions-smoothed: the history of smoothed positions.
    ///
    /// The answer says whether new ones come: where the smoother is off, older rows may be left.
    ///
    /// - Parameters:
    ///   - smoothed: reads the rows of the smoothed positions.
    ///   - isOn: whether this process smooths positions.
    func smoothedHistory(_ smoothed: StoredPositions, isOn: Bool) -> Route {
        Route(
            .get, "/v1/positions-smoothed",
            handler: .task { request in
                var response = try await history(request, in: smoothed)
                response.headers.append(("whereabouts-smoothing", isOn ? "on" : "off"))
                return response
            })
    }
}
