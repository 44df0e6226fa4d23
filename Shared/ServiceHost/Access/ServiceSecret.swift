public import HTTPClient
public import ServiceRuntime

/// The secret that services show each other, as a setting.
enum ServiceSecret {
    static let variable = "WHEREABOUTS_SERVICE_SECRET"
    /// The least number of characters: a caller with this secret reads all positions. `openssl rand
    /// -hex 32` gives 64.
    private static let shortest = 32

    public static let form = Setting.TextForm("secret") { text in
        text.utf8.count >= shortest
            ? nil : "has fewer than \(shortest) characters: openssl rand -hex 32 makes a good one"
    }

    /// A fault where services run in several processes without a common secret. Each would make up
    /// its own and refuse the others.
    static func missing(
        in environment: [String: String], running services: [String]
    ) -> [ConfigurationFault] {
        func isGiven(_ name: String) -> Bool { isSecretGiven(name, in: environment) }
        let others = ServiceURLs.services.filter { service in
            !services.contains(service) && isGiven(ServiceURLs.variable(service))
        }
        guard let other = others.first, !isGiven(variable) else { return [] }
        return [
            ConfigurationFault(
                name: variable,
                problem:
                    "is missing: \(ServiceURLs.variable(other)) is set, so services run in several "
                    + "processes, and all of them need the same secret")
        ]
    }

    /// The longest wait for another service's answer when the configuration is checked.
    private static let answerSeconds = 3.0

    /// A fault where a running service refuses the secret. A service that does not run yet is no
    /// fault: services start in any order.
    static func refused(
        _ configuration: Configuration, running services: [String]
    ) async -> [ConfigurationFault] {
        guard let secret = configuration.optionalSecret(variable) else { return [] }
        let client = HTTPClient(.ofServices(configuration))
        defer { client.close() }
        let urls = ServiceURLs(configuration: configuration)
        for service in ServiceURLs.services where !services.contains(service) {
            guard configuration.optionalText(ServiceURLs.variable(service)) != nil else { continue }
            // The path is open to all, but a wrong token is refused.
            let answer = try? await client.send(
                "GET", urls[service] + "/healthz",
                headers: [("authorization", "Bearer \(secret.reveal())")],
                timeoutSeconds: answerSeconds)
            guard answer?.status == 401 else { continue }
            return [
                ConfigurationFault(
                    name: variable,
                    problem: "is not the one that \(service) has: all services need the same")
            ]
        }
        return []
    }
}

extension HTTPClient.Configuration {
    /// The client for calls between services. It does not use the proxy of the environment: that
    /// proxy is for the outside, and must not see the secret.
    public static func ofServices(_ configuration: Configuration) -> Self {
        var own = Self()
        own.usesProxy = false
        own.certificateFile = configuration.optionalText(CertificateFile.variable)
        return own
    }
}
