import HTTPClient
public import ServiceRuntime

/// What services show each other, as it is set.
enum ServiceSecret {
    static let variable = "WHEREABOUTS_SERVICE_SECRET"
    /// Whoever guesses it reads all positions; `openssl rand -hex 32` gives 64 characters.
    private static let shortest = 32

    public static let form = Setting.TextForm("secret") { text in
        text.utf8.count >= shortest
            ? nil : "has fewer than \(shortest) characters: openssl rand -hex 32 makes a good one"
    }

    /// A fault where services run apart and have none: each would make up its own, and refuse the
    /// others.
    static func missing(
        in environment: [String: String], running services: [String]
    ) -> [ConfigurationFault] {
        func isGiven(_ name: String) -> Bool {
            [name, name + "_FILE"].contains { environment[$0]?.isEmpty == false }
        }
        let others = ServiceURLs.services.filter { service in
            !services.contains(service) && isGiven(ServiceURLs.variable(service))
        }
        guard let other = others.first, !isGiven(variable) else { return [] }
        return [
            ConfigurationFault(
                name: variable,
                problem: "is missing: \(ServiceURLs.variable(other)) says that services run apart, "
                    + "and then all of them need the same one")
        ]
    }

    /// How long a neighbour may take to answer a check of the configuration.
    private static let answerSeconds = 3.0

    /// A fault where a service that runs by now refuses the secret. One that does not run says
    /// nothing: services start in any order.
    static func refused(
        _ configuration: Configuration, running services: [String]
    ) async -> [ConfigurationFault] {
        guard let secret = configuration.optionalSecret(variable) else { return [] }
        let client = HTTPClient(.ofServices(configuration))
        defer { client.close() }
        let urls = ServiceURLs(configuration: configuration)
        for service in ServiceURLs.services where !services.contains(service) {
            guard configuration.optionalText(ServiceURLs.variable(service)) != nil else { continue }
            // Open to all, but a token that is shown has to be good.
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
    /// For calls between services: past the proxy of the environment, which is for the outside and
    /// must not see the services' secret.
    static func ofServices(_ configuration: Configuration) -> Self {
        var own = Self()
        own.usesProxy = false
        own.certificateFile = configuration.optionalText(CertificateFile.variable)
        return own
    }
}
