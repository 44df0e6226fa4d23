public import HTTP
public import ServiceRuntime

/// A service as data: its name, its settings, and how its routes and components are made.
/// `whereabouts serve` and the tests run the same definition.
public struct ServiceDefinition: Sendable {
    public var name: String
    /// One sentence for `--help`.
    public var summary: String
    /// The settings of the service beside `Host.settings`.
    public var settings: [Setting]
    /// Whether the service has tables of its own. It needs PostgreSQL then, even when the log is
    /// Kafka.
    public var hasViews: Bool
    /// The services that this one asks. A process without one of them should have its address.
    public var neighbours: [String]
    /// Checks the service's settings that are each valid alone.
    public var requirements: @Sendable (_ environment: [String: String]) -> [ConfigurationFault]
    public var make: @Sendable (Host) throws -> ServiceParts

    public init(
        name: String, summary: String, settings: [Setting], hasViews: Bool,
        neighbours: [String] = [],
        requirements: @escaping @Sendable ([String: String]) -> [ConfigurationFault] = { _ in [] },
        make: @escaping @Sendable (Host) throws -> ServiceParts
    ) {
        self.name = name
        self.summary = summary
        self.settings = settings
        self.hasViews = hasViews
        self.neighbours = neighbours
        self.requirements = requirements
        self.make = make
    }
}

/// The routes and components of a running service.
public struct ServiceParts: Sendable {
    public var routes: [Route]
    /// Components in the order of their start.
    public var components: [any Component]

    public init(routes: [Route], components: [any Component]) {
        self.routes = routes
        self.components = components
    }
}
