import HTTP
import HTTPClient
public import ServiceRuntime

/// The version of every program here.
public let whereaboutsVersion = "0.1.0"

extension ServiceProgram {
    /// The program that runs these services in one process, on one port.
    ///
    /// - Parameter family: all services. One file of settings serves every process, so variables of
    ///   the other services are accepted too.
    public init(
        name: String, command: String? = nil, summary: String,
        running definitions: [ServiceDefinition], family: [ServiceDefinition]
    ) {
        let own = definitions.flatMap(\.settings)
        let needsDatabase = definitions.contains { $0.hasViews }
        self.init(
            name: name, command: command, version: whereaboutsVersion, summary: summary,
            settings: Host.settings + own,
            otherNames: Host.otherNames.union(family.flatMap(\.settings).map(\.name)),
            requirements: { environment in
                Host.missing(
                    in: environment, needsDatabase: needsDatabase,
                    running: definitions.map(\.name))
                    + Host.refusedByKafka(environment)
                    + definitions.flatMap { $0.requirements(environment) }
            },
            warnings: { ServiceURLs.missing(in: $0, running: definitions) },
            checkNeighbours: { await ServiceSecret.refused($0, running: definitions.map(\.name)) },
            healthSettings: [Host.listen], checkHealth: { await healthProblem($0) },
            components: { context in
                let host = try Host(context, needsDatabase: needsDatabase)
                let parts = try definitions.map { try $0.make(host) }
                let routes =
                    operationalRoutes(context)
                    + parts.flatMap(\.routes).asServed(notices: host.notices)
                // No component waits for the log when it starts, so health can be asked for at
                // once. The server stops first: requests that it accepted are still appended.
                let server = try HTTPComponent(
                    context, routes: routes, authenticator: host.tokens, security: host.security)
                return host.foundation() + [host.tokenUses()] + parts.flatMap(\.components) + [
                    server
                ]
            })
    }
}

/// The fault of the process that runs with this configuration; nil when it is healthy.
private func healthProblem(_ configuration: Configuration) async -> String? {
    let address = configuration.listenAddress(Host.listen.name).reachable
    var own = HTTPClient.Configuration()
    own.usesProxy = false
    let client = HTTPClient(own)
    defer { client.close() }
    do {
        let answer = try await client.send(
            "GET", "http://\(address)/healthz", timeoutSeconds: 3)
        return answer.status == 200 ? nil : "the process answered \(answer.status)"
    } catch {
        return "nothing answers at \(address): \(error)"
    }
}
