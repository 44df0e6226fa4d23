public import EventLog
public import Events
import Retrying
public import ServiceRuntime
public import Site

extension Host {
    /// Makes the shared parts for a program that is no service, such as a rebuild: with a database,
    /// without a server, and without running components.
    ///
    /// - Parameters:
    ///   - settings: the settings of the services, which stand in the same environment.
    ///   - log: replaces the log that the environment names, such as a `MemoryLog`. There is a
    ///     database then only if the environment names one.
    public static func make(
        environment: [String: String], service: String, settings: [Setting] = [],
        log: (any EventLog)? = nil
    ) throws -> Host {
        try Host(
            context(environment, service, settings),
            needsDatabase: log == nil || isSecretGiven("DATABASE_URL", in: environment), log: log)
    }

    /// Makes the shared parts for a program that only looks. It may lack a database, and it leaves
    /// the upkeep of the log's tables to others.
    public static func makeObserver(
        environment: [String: String], service: String, settings: [Setting]
    ) throws -> Host {
        let context = try context(environment, service, settings)
        return try Host(
            context, needsDatabase: isSecretGiven("DATABASE_URL", in: environment),
            log: makeLog(context, isObserver: true))
    }

    /// Opens the log alone.
    public static func openLog(
        environment: [String: String], settings: [Setting] = []
    ) throws -> any EventLog {
        try makeLog(context(environment, "whereabouts", settings))
    }

    /// The sites that are published now, read from the log once.
    ///
    /// - Parameter note: gets a sentence about each site that can't be read.
    public static func publishedSites(
        in log: any EventLog, note: @escaping @Sendable (String) -> Void
    ) async throws -> [SiteID: PublishedSite] {
        try await SiteTable.sites(
            in: log, notices: Notices(onUnexpected: note, onRecovery: { _ in }))
    }

    /// The most that a program that is no service reads ahead on Kafka. It reads whole topics in a
    /// small container, and a fourth of a service's reading ahead makes it no slower.
    private static let readAheadKilobytes = 16_384

    static func context(
        _ environment: [String: String], _ service: String, _ own: [Setting]
    ) throws -> ServiceContext {
        let readAhead = ["KAFKA_QUEUED_MAX_MESSAGES_KBYTES": "\(readAheadKilobytes)"]
        let configuration = try Configuration(
            environment: environment.merging(readAhead) { given, _ in given },
            settings: settings + own + Setting.standard, otherNames: otherNames)
        return ServiceContext(
            configuration: configuration,
            log: Logger(service: service, configuration: configuration))
    }
}
