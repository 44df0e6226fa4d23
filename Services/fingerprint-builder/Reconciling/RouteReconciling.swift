import EventLog
import Events
import LogViews
import Magnetic
import Postgres
import ServiceHost
import Wire

/// Reconciles magnetic routes. The last event of a route has its recording, so that all of it comes
/// back.
struct RouteReconciling: Sendable {
    let host: Host
    let order: ReconcileOrder

    private enum Event: Sendable {
        case recorded(MagneticRouteRecorded)
        case validated(MagneticRouteValidated)
        case deleted(MagneticRouteDeleted)

        init?(_ record: StoredRecord) {
            if let event = try? MagneticRouteRecorded(record: record) {
                self = .recorded(event)
            } else if let event = try? MagneticRouteValidated(record: record) {
                self = .validated(event)
            } else if let event = try? MagneticRouteDeleted(record: record) {
                self = .deleted(event)
            } else {
                return nil
            }
        }

        var place: (site: SiteID, route: MagneticRouteID) {
            switch self {
            case .recorded(let event): (event.site, event.route)
            case .validated(let event): (event.site, event.route)
            case .deleted(let event): (event.site, event.route)
            }
        }
    }

    func run() async throws -> ReconcileReport? {
        var events: [[UInt8]: Event] = [:]
        var unread: Set<[UInt8]> = []
        var newest: Int64 = 0
        try await host.log.readRange(host.log.ranges(of: [Topic.magneticRoutes.name])) { records in
            for record in records {
                newest = max(
                    newest, OutboxNumber.of(record.headers, in: MagneticRouteStore.schema) ?? 0)
                guard let key = record.key else { continue }
                unread.remove(key)
                if let event = Event(record) {
                    events[key] = event
                } else if record.value != nil {
                    unread.insert(key)
                }
            }
        }
        let last = Array(events.values)
        return try await OutboxReconciling(
            host: host, outbox: MagneticRouteStore.outbox, order: order
        ).run(
            newest: newest, unread: unread.count,
            follow: { report, connection in
                for event in last { try Self.follow(event, &report, connection) }
            },
            send: { report, connection in try Self.send(&report, connection) })
    }

    private static func follow(
        _ event: Event, _ report: inout ReconcileReport, _ connection: isolated PostgresConnection
    ) throws {
        let (site, route) = event.place
        var state = try MagneticRouteStore.state(site, route, connection: connection)
        let before = state.version
        var deleted: MagneticRouteDeleted?
        switch event {
        case .recorded(let event): state.evolve(event)
        case .validated(let event): state.evolve(event)
        case .deleted(let event):
            state.evolve(event)
            deleted = event
        }
        guard state.version > before else { return }
        guard state.recording != nil else {
            return report.note(
                "the route \(route) of \(site) was recorded and deleted since: use another id")
        }
        try MagneticRouteStore.replace(state, deleted: deleted, connection: connection)
        report.count("magneticRoutes", 1)
    }

    private static func send(
        _ report: inout ReconcileReport, _ connection: isolated PostgresConnection
    ) throws {
        for row in try connection.query(
            "SELECT site, id FROM magnetic_routes.routes WHERE deleted IS NULL")
        {
            let state = try MagneticRouteStore.state(
                SiteID(try row["site"]), MagneticRouteID(try row["id"]), connection: connection)
            var record = state.recording?.record(source: MapBuilder.source)
            if var validation = state.validation {
                validation.recorded = state.recording
                record = validation.record(source: MapBuilder.source)
            }
            guard let record else { continue }
            try MagneticRouteStore.outbox.put([record], connection: connection)
            report.count("magneticRoutes", 1)
        }
    }
}
