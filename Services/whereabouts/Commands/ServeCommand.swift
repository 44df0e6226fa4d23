import FingerprintBuilder
import Locator
import Router
import ScanIngest
import ServiceHost
public import ServiceRuntime
import SiteEditor
import TimetableFetcher

extension ServiceProgram {
    /// All services, in the order of their start.
    private static let services: [ServiceDefinition] = [
        SiteEditorDefinition.definition(Command.upkeep), FingerprintBuilderDefinition.definition,
        ScanIngestDefinition.definition, LocatorDefinition.definition,
        RouterDefinition.definition, TimetableFetcherDefinition.definition,
    ]

    static let serviceSettings: [Setting] = services.flatMap(\.settings)

    /// All settings in the groups of deploy/example.env.
    static let settingGroups =
        Host.settingGroups
        + services.filter { !$0.settings.isEmpty }.map { SettingGroup($0.name, $0.settings) }
        + [SettingGroup("Every process", Setting.standard)]

    /// All services in one process, on one port.
    public static let serve = ServiceProgram(
        name: "whereabouts", command: "whereabouts serve [SERVICE ...]",
        summary: "all services in one process, on one port, or those that are named: "
            + services.map(\.name).joined(separator: ", "),
        running: services, family: services)

    /// The named services in one process; all services if no name is given.
    public static func serve(_ names: [String]) throws(UsageFault) -> ServiceProgram {
        if names.isEmpty { return serve }
        let known = services.map(\.name)
        if let other = names.first(where: { !known.contains($0) }) {
            throw UsageFault(
                "\(other) is not a service; there are \(known.joined(separator: ", "))")
        }
        guard Set(names).count == names.count else {
            throw UsageFault("a service is named twice")
        }
        let named = services.filter { names.contains($0.name) }
        return ServiceProgram(
            name: named.count == 1 ? named[0].name : "whereabouts",
            command: "whereabouts serve \(named.map(\.name).joined(separator: " "))",
            summary: named.count == 1
                ? named[0].summary : "\(named.count) services in one process, on one port",
            running: named, family: services)
    }

    /// The arguments without the program's name. When the program was called by a service's name,
    /// `serve` and that name come first: links with the old names work for one release.
    public static func arguments(of commandLine: [String]) -> [String] {
        let called = commandLine.first?.split(separator: "/").last.map(String.init) ?? ""
        let rest = Array(commandLine.dropFirst())
        return services.contains { $0.name == called } ? ["serve", called] + rest : rest
    }
}

extension Command {
    /// Runs services in one process.
    public static let serve = Command(
        name: "serve", summary: "run all services in one process, or those that are named",
        help: ServiceProgram.serve.helpText,
        helpOf: { arguments in
            (try? ServiceProgram.serve(serviceNames(arguments)))?.helpText
                ?? ServiceProgram.serve.helpText
        },
        run: { invocation in
            let names = serviceNames(invocation.arguments)
            let program = try ServiceProgram.serve(names)
            let options = Array(invocation.arguments.dropFirst(names.count))
            let code = await program.run(arguments: options)
            if code != .success { throw ServiceEnded(code: code) }
        })

    /// The arguments before the first option.
    private static func serviceNames(_ arguments: [String]) -> [String] {
        Array(arguments.prefix { !$0.hasPrefix("-") })
    }
}

/// Carries the exit status of services that have ended; they have logged the reason themselves.
public struct ServiceEnded: Error, CustomStringConvertible {
    public let code: ExitCode
    public var description: String { "serve ended" }
}
