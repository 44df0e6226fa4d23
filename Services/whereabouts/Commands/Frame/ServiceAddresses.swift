import ServiceHost

/// The addresses of the services that the environment names: one origin for all
/// (`WHEREABOUTS_URL`), and each service's own (`WHEREABOUTS_SCAN_INGEST_URL`, ...) before it.
struct ServiceAddresses: Sendable {
    private static let originVariable = "WHEREABOUTS_URL"
    private let origin: String
    /// By the variable's name.
    private let own: [String: String]

    /// - Throws: `CommandFault` for a value that is no address of HTTP.
    init(_ environment: [String: String]) throws(CommandFault) {
        origin =
            try Self.address(Self.originVariable, in: environment) ?? "http://127.0.0.1:8080"
        var own: [String: String] = [:]
        for service in ServiceURLs.services {
            let variable = ServiceURLs.variable(service)
            own[variable] = try Self.address(variable, in: environment)
        }
        self.own = own
    }

    /// The address of the service, and the variable that names it.
    func of(_ service: String) -> (url: String, variable: String) {
        let variable = ServiceURLs.variable(service)
        return own[variable].map { ($0, variable) } ?? (origin, Self.originVariable)
    }

    /// The variable's value without slashes at its end; nil if it is not set.
    private static func address(
        _ variable: String, in environment: [String: String]
    ) throws(CommandFault) -> String? {
        guard var url = environment[variable], !url.isEmpty else { return nil }
        while url.hasSuffix("/") { url.removeLast() }
        let scheme = ["http://", "https://"].first { url.lowercased().hasPrefix($0) }
        guard let scheme, url.count > scheme.count else {
            throw CommandFault(
                "\(variable) is \(url), which is no address: it should look like "
                    + "http://127.0.0.1:8080 or https://whereabouts.example.org")
        }
        return url
    }
}
