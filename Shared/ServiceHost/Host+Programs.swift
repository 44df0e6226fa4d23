public import EventLog
public import ServiceRuntime

extension Host {
    /// The shared parts for a program that is no service, such as a rebuild: with a database,
    /// without a server, and with nothing running.
    ///
    /// - Parameters:
    ///   - settings: those of the services, which stand in the same environment.
    ///   - log: in place of the one that the environment names, such as a `MemoryLog`. The database
    ///     is then there only where the environment names one.
    public static func make(
        environment: [String: String], service: String, settings: [Setting] = [],
        log: (any EventLog)? = nil
    ) throws -> Host {
        try Host(
            context(environment, service, settings),
            needsDatabase: log == nil || environment["DATABASE_URL"] != nil, log: log)
    }

    /// The log alone.
    public static func openLog(
        environment: [String: String], settings: [Setting] = []
    ) throws -> any EventLog {
        try makeLog(context(environment, "whereabouts", settings))
    }

    static func context(
        _ environment: [String: String], _ service: String, _ own: [Setting]
    ) throws -> ServiceContext {
        let configuration = try Configuration(
            environment: environment,
            settings: settings + own + Setting.standard, otherNames: otherNames)
        return ServiceContext(
            configuration: configuration,
            log: Logger(service: service, configuration: configuration))
    }
}
