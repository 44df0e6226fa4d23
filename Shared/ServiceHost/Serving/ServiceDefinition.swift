public import HTTP
public import ServiceRuntime

/// A service as data: its name, its settings, and how its routes and components are made. The same
/// definition stands behind the service's own executable and behind `whereabouts serve`.
public struct ServiceDefinition: Sendable {
    public var name: String
    /// One sentence for `--help`.
    public var summary: String
    /// What the service reads beside `Host.settings`.
    public var settings: [Setting]
    /// Whether the service has tables of its own; PostgreSQL is needed then on Kafka too.
    public var hasViews: Bool
    public var make: @Sendable (Host) throws -> ServiceParts

    public init(
        name: String, summary: String, settings: [Setting], hasViews: Bool,
        make: @escaping @Sendable (Host) throws -> ServiceParts
    ) {
        self.name = name
        self.summary = summary
        self.settings = settings
        self.hasViews = hasViews
        self.make = make
    }
}

/// What a service consists of while it runs.
public struct ServiceParts: Sendable {
    public var routes: [Route]
    /// In the order of their start.
    public var components: [any Component]

    public init(routes: [Route], components: [any Component]) {
        self.routes = routes
        self.components = components
    }
}
