import Glibc
public import ServiceRuntime

/// The addresses of the other services. A service in the same process has the address of the
/// process itself.
public struct ServiceURLs: Sendable {
    private let byService: [String: String]
    private let own: String
    /// The address of this process for other processes, also on other machines.
    let announced: String

    /// The services that can be addressed, by their names in `whereabouts serve`.
    public static let services = [
        "scan-ingest", "site-editor", "fingerprint-builder", "locator", "router",
        "timetable-fetcher",
    ]

    /// The variable with a service's address: `WHEREABOUTS_SCAN_INGEST_URL` for scan-ingest, and so
    /// on.
    public static func variable(_ service: String) -> String {
        "WHEREABOUTS_" + service.uppercased().replacing("-", with: "_") + "_URL"
    }

    public init(configuration: Configuration) {
        var byService: [String: String] = [:]
        for service in Self.services {
            byService[service] = configuration.optionalText(Self.variable(service))
        }
        self.byService = byService
        let listening = configuration.listenAddress("WHEREABOUTS_LISTEN")
        own = "http://\(listening.reachable)"
        announced = "http://\(listening.announced)"
    }

    /// A fault for each service that these ask, if it is neither one of them nor has an address.
    /// The process asks itself then, and gets 404.
    static func missing(
        in environment: [String: String], running definitions: [ServiceDefinition]
    ) -> [ConfigurationFault] {
        services.compactMap { service in
            guard !definitions.contains(where: { $0.name == service }),
                let asking = definitions.first(where: { $0.neighbours.contains(service) }),
                environment[variable(service)]?.isEmpty != false
            else { return nil }
            return ConfigurationFault(
                name: variable(service),
                problem: "is missing: \(asking.name) asks \(service), which is not in this process")
        }
    }

    /// The address of a service, without a slash at its end.
    public subscript(service: String) -> String {
        var url = byService[service] ?? own
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }
}

extension ListenAddress {
    /// The address for a client on the same machine. A wildcard address becomes the loopback
    /// address, since nothing can connect to a wildcard.
    var reachable: ListenAddress {
        switch host {
        case "0.0.0.0": ListenAddress(host: "127.0.0.1", port: port)
        case "::": ListenAddress(host: "::1", port: port)
        default: self
        }
    }

    /// The address for other machines: in place of a wildcard the name of this one.
    fileprivate var announced: ListenAddress {
        guard host == "0.0.0.0" || host == "::" else { return self }
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return reachable }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.isEmpty ? reachable : ListenAddress(host: text, port: port)
    }
}
