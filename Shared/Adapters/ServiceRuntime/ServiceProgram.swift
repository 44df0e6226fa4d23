import Glibc

/// The context in which a program makes its components.
public struct ServiceContext: Sendable {
    public let configuration: Configuration
    public let log: Logger
    public let metrics: MetricsRegistry
    public let health: HealthRegistry
    public let time: any TimeSource

    public init(
        configuration: Configuration, log: Logger, metrics: MetricsRegistry = MetricsRegistry(),
        health: HealthRegistry = HealthRegistry(), time: any TimeSource = SystemTimeSource()
    ) {
        self.configuration = configuration
        self.log = log
        self.metrics = metrics
        self.health = health
        self.time = time
    }
}

/// A service as a command: `--help`, `--version`, `--check-config` or `--health`. Without any of
/// these, the service itself until a stop signal.
public struct ServiceProgram: Sendable {
    public var name: String
    /// The command's name, as shown in its help.
    public var command: String
    public var version: String
    /// One sentence about the program for `--help`.
    public var summary: String
    /// The program's own settings. `Setting.standard` is added.
    public var settings: [Setting]
    /// The `WHEREABOUTS_` variables of the family's other programs.
    public var otherNames: Set<String>
    /// Checks the combination of variables that are each valid alone. For example, the chosen log
    /// may lack its address.
    public var requirements: @Sendable (_ environment: [String: String]) -> [ConfigurationFault]
    /// Settings that are probably wrong, although the program can start with them.
    public var warnings: @Sendable (_ environment: [String: String]) -> [ConfigurationFault]
    /// Checks the configuration against other running programs, for `--check-config`.
    public var checkNeighbours: @Sendable (Configuration) async -> [ConfigurationFault]
    /// The settings that `checkHealth` reads. A fault of another setting does not matter to it.
    public var healthSettings: [Setting]
    /// Asks the running service for its health. Nil when it is well, or else the reason.
    public var checkHealth: @Sendable (Configuration) async -> String?
    /// Makes the components in their start order. Called after the signals are registered.
    public var components: @Sendable (ServiceContext) async throws -> [any Component]

    public init(
        name: String, command: String? = nil, version: String, summary: String,
        settings: [Setting], otherNames: Set<String> = [],
        requirements: @escaping @Sendable ([String: String]) -> [ConfigurationFault] = { _ in [] },
        warnings: @escaping @Sendable ([String: String]) -> [ConfigurationFault] = { _ in [] },
        checkNeighbours: @escaping @Sendable (Configuration) async -> [ConfigurationFault] = {
            _ in []
        },
        healthSettings: [Setting]? = nil,
        checkHealth: @escaping @Sendable (Configuration) async -> String?,
        components: @escaping @Sendable (ServiceContext) async throws -> [any Component]
    ) {
        self.name = name
        self.command = command ?? name
        self.version = version
        self.summary = summary
        self.settings = settings
        self.otherNames = otherNames
        self.requirements = requirements
        self.warnings = warnings
        self.checkNeighbours = checkNeighbours
        self.healthSettings = healthSettings ?? settings
        self.checkHealth = checkHealth
        self.components = components
    }

    public var allSettings: [Setting] { settings + Setting.standard }

    /// The options of every service; it accepts one at a time.
    private static let options = ["--help", "-h", "--version", "--check-config", "--health"]

    /// Carries out the arguments (without the program's name), with the process's environment.
    public func run(arguments: [String]) async -> ExitCode {
        await run(
            arguments: arguments, environment: Self.processEnvironment,
            output: { print($0, terminator: "") }, errors: Logger.writeToStandardError)
    }

    /// Carries out the arguments. Everything from outside is an argument, for tests.
    public func run(
        arguments: [String], environment: [String: String],
        output: @Sendable (String) -> Void, errors: @escaping @Sendable (String) -> Void
    ) async -> ExitCode {
        // This comes first, because an earlier signal would be lost.
        let signals = arguments.isEmpty ? StopSignals() : nil
        switch arguments {
        case ["--help"], ["-h"]:
            output(helpText)
            return .success
        case ["--version"]:
            output("\(name) \(version)\n")
            return .success
        case [], ["--check-config"], ["--health"]: break
        default:
            let unknown = arguments.first { !Self.options.contains($0) }
            let fault = unknown.map { "there is no option \($0)" } ?? "only one option is allowed"
            errors("\(name): \(fault); see --help\n")
            return .usage
        }
        let configuration: Configuration
        do throws(ConfigurationError) {
            configuration =
                try arguments == ["--health"]
                ? forHealth(environment) : checked(environment)
        } catch {
            errors(Self.faultText(error))
            return .configuration
        }
        let warnings = warnings(environment).map { "\($0)" }
        if let signals {
            return await serve(configuration, warnings, until: signals, errors: errors)
        }
        if arguments == ["--check-config"] {
            let faults = await checkNeighbours(configuration)
            guard faults.isEmpty else {
                errors(Self.faultText(ConfigurationError(faults: faults)))
                return .configuration
            }
            for warning in warnings { errors("warning: \(warning)\n") }
            output("configuration is good\n")
            return .success
        }
        guard let reason = await checkHealth(configuration) else {
            output("healthy\n")
            return .success
        }
        errors("\(name): \(reason)\n")
        return .failure
    }

    /// The configuration for `checkHealth` alone.
    private func forHealth(
        _ environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        let names = Set(healthSettings.map(\.name))
        return try Configuration(
            environment: environment.filter { names.contains($0.key) }, settings: healthSettings)
    }

    /// The configuration. Throws all of its faults together.
    private func checked(
        _ environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        let missing = requirements(environment)
        let configuration: Configuration
        do throws(ConfigurationError) {
            configuration = try Configuration(
                environment: environment, settings: allSettings, otherNames: otherNames)
        } catch {
            throw ConfigurationError(faults: error.faults + missing)
        }
        guard missing.isEmpty else { throw ConfigurationError(faults: missing) }
        return configuration
    }

    private func serve(
        _ configuration: Configuration, _ warnings: [String], until signals: StopSignals,
        errors: @escaping @Sendable (String) -> Void
    ) async -> ExitCode {
        let context = ServiceContext(
            configuration: configuration,
            log: Logger(service: name, configuration: configuration, write: errors))
        for warning in warnings { context.log.warning(warning) }
        ProcessMetrics.register(in: context.metrics, time: context.time)
        do {
            let components = try await components(context)
            return await ServiceGroup(
                components, log: context.log,
                stopLimit: configuration.duration("WHEREABOUTS_STOP_LIMIT")
            ).run(until: signals)
        } catch let error as ConfigurationError {
            errors(Self.faultText(error))
            return .configuration
        } catch {
            context.log.error("could not be set up", ["reason": .text("\(error)")])
            return .failure
        }
    }

    private static func faultText(_ error: ConfigurationError) -> String {
        "the configuration has "
            + (error.faults.count == 1 ? "1 fault" : "\(error.faults.count) faults") + ":\n"
            + error.faults.map { "  \($0)\n" }.joined()
    }

    /// The process's environment. If a name occurs twice, the first value counts, as in getenv.
    public static var processEnvironment: [String: String] {
        var result: [String: String] = [:]
        var entry = environ
        while let pointer = entry.pointee {
            let text = String(cString: pointer)
            if let equals = text.firstIndex(of: "=") {
                let name = String(text[..<equals])
                if result[name] == nil { result[name] = String(text[text.index(after: equals)...]) }
            }
            entry += 1
        }
        return result
    }
}

extension Logger {
    /// A logger with `WHEREABOUTS_LOG_LEVEL` and `WHEREABOUTS_LOG_FORMAT` of the standard settings.
    public init(
        service: String, configuration: Configuration,
        write: @escaping @Sendable (String) -> Void = Self.writeToStandardError
    ) {
        let format: Format =
            switch configuration.text("WHEREABOUTS_LOG_FORMAT") {
            case "json": .json
            case "human": .human
            default: Self.isTerminal ? .human : .json
            }
        self.init(
            service: service,
            level: LogLevel(name: configuration.text("WHEREABOUTS_LOG_LEVEL")) ?? .info,
            format: format, write: write)
    }
}
