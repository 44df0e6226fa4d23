import Retrying
public import ServiceHost
import ServiceRuntime

/// The service that finds routes. It stores nothing: its graphs are made from the log.
public enum RouterDefinition {
    public static let definition = ServiceDefinition(
        name: "router", summary: "finds routes between places", settings: [], hasViews: false,
        neighbours: ["locator"], make: make)

    private static func make(_ host: Host) -> ServiceParts {
        let networks = RouteNetworks(
            sites: host.sites, onUnexpected: { host.unexpected($0) },
            onRecovery: host.notices.onRecovery)
        let outages = Outages(log: host.log, clock: host.clock, notices: host.notices)
        let places = PlaceFinder(
            locator: host.neighbour("locator", asItself: false), clock: host.clock)
        return ServiceParts(
            routes: RouterRoutes(
                sites: host.sites, networks: networks, outages: outages, places: places,
                clock: host.clock
            ).all,
            components: [
                host.loop("outages") {
                    let health = host.context.health.check("outages")
                    await outages.run { health.set(.ready) }
                },
                host.loop("networks") {
                    let health = host.context.health.check("networks")
                    await networks.run { health.set(.ready) }
                },
            ])
    }
}
