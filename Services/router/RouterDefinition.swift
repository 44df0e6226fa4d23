public import ServiceHost

/// The service that answers how one gets somewhere. It keeps nothing: its graphs are made from the log.
public enum RouterDefinition {
    public static let definition = ServiceDefinition(
        name: "router", summary: "answers how one gets somewhere", settings: [], hasViews: false,
        make: make)

    private static func make(_ host: Host) -> ServiceParts {
        let networks = RouteNetworks(host: host)
        let outages = Outages(host: host)
        let places = PlaceFinder(host: host)
        return ServiceParts(
            routes: RouterRoutes(
                host: host, networks: networks, outages: outages, places: places
            ).all,
            components: [
                host.loop("outages") { await outages.run() },
                host.loop("networks") { await networks.run() },
            ])
    }
}
