public import EventLog
import ServiceRuntime

extension Host {
    /// The shared parts for a program that is no service, such as a rebuild: with a database,
    /// without a server, and with nothing running.
    public static func make(environment: [String: String], service: String) throws -> Host {
        try Host(context(environment, service), needsDatabase: true)
    }

    /// The log alone.
    public static func openLog(environment: [String: String]) throws -> any EventLog {
        try makeLog(context(environment, "whereabouts"))
    }

    static func context(
        _ environment: [String: String], _ service: String
    ) throws -> ServiceContext {
        let configuration = try Configuration(
            environment: environment,
            settings: settings + ServiceSettings.all + Setting.standard, otherNames: otherNames)
        return ServiceContext(
            configuration: configuration,
            log: Logger(service: service, configuration: configuration))
    }
}
