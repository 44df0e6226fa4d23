import Cryptography
public import EventLog
public import Events
import HTTP
public import HTTPClient
public import Postgres
public import Retrying
public import ServiceRuntime
import Site
import Wire

/// The parts that the services of one process share: the log, the database, and the tables that all
/// of them need.
public struct Host: Sendable {
    public let context: ServiceContext
    public let log: any EventLog
    /// Nil when nothing in the process keeps tables.
    public let database: PostgresPool?
    public let client: HTTPClient
    public let topics: [TopicSpecification]
    /// Whether PostgreSQL's disk is full.
    private let storage = StorageSign()
    private let topicsReady = Gate()
    private let start: StartPhase
    /// Raises an alarm for work that fails for long or has stopped for good.
    public let retries: RetryWatch
    public let tokens: TokenDirectory
    public let sites: SiteDirectory
    /// The erased devices; only services that run `erasureTable` fill it.
    public let erased = ErasureDirectory()
    /// The log of security events.
    public let security: SecurityLog
    let urls: ServiceURLs
    /// Blocked tokens; only services that run `senderWatch` fill this table.
    public let senderBlocks = SenderBlocks()
    /// The secret that services show each other. Where none is set, the process makes one up and
    /// only its own services know it.
    public let serviceSecret: String

    /// The services' secret where the operator has set it. Only that one outlasts the process.
    public var lastingSecret: String? {
        configuration.optionalSecret("WHEREABOUTS_SERVICE_SECRET")?.reveal()
    }

    /// The address at which other processes reach this one.
    public var ownAddress: String { urls.announced }

    /// The address of a service, from the settings.
    public func address(of service: String) -> String { urls[service] }

    public var configuration: Configuration { context.configuration }
    public var now: Timestamp { clock.now }
    public let clock: EventClock

    /// Logs an unexpected event once; the sentence also gives the remedy.
    public func unexpected(_ sentence: String) { context.log.warning(sentence) }

    /// The database of a service that has declared that it needs one.
    public func requiredDatabase() -> PostgresPool {
        guard let database else { preconditionFailure("a service with views has a database") }
        return database
    }

    /// A component that runs the body when the topics exist.
    public func loop(
        _ name: String, body: @escaping @Sendable () async throws -> Void
    ) -> any Component {
        Loop(name) { [topicsReady] in
            await topicsReady.opened()
            try await body()
        }
    }

    /// The same for work that does not need the log.
    public func loopWithoutLog(
        _ name: String, body: @escaping @Sendable () async throws -> Void
    ) -> any Component { Loop(name, body: body) }

    /// A component that runs a consumer. When it fails for good only this consumer stops; an alarm
    /// stays, and the process and its other consumers go on.
    public func consumer(
        _ name: String, body: @escaping @Sendable () async throws -> Void
    ) -> any Component {
        // The series is there before an alarm, so that its absence is noticed.
        RetryWatch.alarms(of: name, in: context.metrics).set(0)
        return loop(name) { [retries] in
            do {
                try await body()
            } catch let stop as ConsumerStopped {
                retries.stopped(name, reason: stop.description)
                await untilCancelled()
            }
        }
    }

    /// Receives the failures and recoveries of long-running work.
    public var notices: Notices {
        Notices(
            onUnexpected: { context.log.warning($0) }, onRecovery: { context.log.info($0) },
            watch: retries, start: start)
    }

    /// Tries the work until it returns or the task is cancelled: the database or the log may come
    /// up later.
    public func untilDone(
        _ work: String, _ attempt: (inout Retry) async throws -> Void
    ) async {
        await attemptUntilDone(work, notices: notices, attempt)
    }

    /// - Parameter log: replaces the log that the settings name.
    init(
        _ context: ServiceContext, needsDatabase: Bool, log other: (any EventLog)? = nil
    ) throws {
        let configuration = context.configuration
        self.context = context
        topics = topicSpecifications(configuration)
        database =
            needsDatabase
            ? try PostgresPool(configuration: configuration, storage: storage) : nil
        log = try other ?? makeLog(context, storage: storage)
        client = HTTPClient(.ofServices(configuration))
        urls = ServiceURLs(configuration: configuration)
        let time = context.time
        clock = EventClock { Timestamp(microseconds: time.nowMicroseconds) }
        serviceSecret =
            configuration.optionalSecret("WHEREABOUTS_SERVICE_SECRET")?.reveal()
            ?? BearerToken().text
        sites = SiteDirectory()
        tokens = TokenDirectory(
            serviceSecret: serviceSecret, openSites: Self.openSites(configuration), sites: sites,
            now: { [clock] in clock.now })
        security = SecurityLog(context)
        retries = RetryWatch(context)
        start = StartPhase { [logger = context.log] in logger.debug($0) }
        registerState()
    }

    private static func openSites(_ configuration: Configuration) -> [SiteID] {
        (configuration.optionalText("WHEREABOUTS_OPEN_SITES") ?? "").split(separator: ",")
            .compactMap { SiteID(validating: String($0).trimmingSpaces) }
    }

    /// The components that every service needs, in the order of their start.
    func foundation() -> [any Component] {
        let log = log
        let warn: @Sendable (String) -> Void = { unexpected($0) }
        let tokensReady = context.health.check("tokens")
        let sitesReady = context.health.check("sites")
        let tokenTable = LogTable<TrustTable>(
            log: log, topic: Topic.tokens.name, initial: TrustTable(),
            apply: { table, record in
                if !table.apply(record) {
                    warn("A record of \(record.topicPartition) is no token and is left out.")
                }
            },
            onChange: { [tokens] table in
                tokens.replace(with: table)
                tokensReady.set(.ready)
            }, notices: notices)
        let siteTable = SiteTable(
            log: log,
            onChange: { [sites] table in
                sites.replace(
                    with: table.sites, announced: table.announced, removed: table.removed,
                    removedAt: table.removedAt)
                sitesReady.set(.ready)
            }, notices: notices)
        return [
            Loop("outages") { [retries] in await retries.run() },
            diskWatch(),
            LogPreparation(
                log: log, topics: topics, health: context.health.check("log"),
                ready: topicsReady, notices: notices, requireNoRestore: requireNoRestore),
            loop("tokens") { await tokenTable.run() },
            loop("sites") { await siteTable.run() },
        ] + databaseWatch()
    }

    /// Throws while a backup is being restored. A database that does not answer, or that this role
    /// may not ask, says nothing: some services start without it.
    private func requireNoRestore() async throws {
        let isLog = configuration.text("WHEREABOUTS_LOG") == "postgres"
        let other =
            database == nil && isLog
            ? try? PostgresPool(configuration: configuration, storage: storage) : nil
        guard let pool = database ?? other else { return }
        let mark = try? await RestoreMark.unfinished(pool)
        await other?.close()
        if let mark { throw RestoreUnfinished(mark: mark) }
    }

    /// Empty where nothing in the process writes to PostgreSQL.
    private func storageWatch() -> [any Component] {
        guard database != nil || configuration.text("WHEREABOUTS_LOG") == "postgres",
            let server = try? PostgresConfiguration(configuration, storage: storage)
        else { return [] }
        return [
            StorageWatch(
                sign: storage, database: server, health: context.health.check("storage"),
                notices: notices)
        ]
    }

    /// Empty where nothing in the process keeps tables.
    private func databaseWatch() -> [any Component] {
        guard let database else { return storageWatch() }
        let watch = DependencyWatch(health: context.health.check("database"), name: "PostgreSQL") {
            try await database.query("SELECT 1")
        }
        return [Loop("database") { await watch.run() }, figuresWatch(database)] + storageWatch()
    }
}

/// Makes the topics, waits for a log that comes up later, watches the log, and closes it as the
/// last component.
private struct LogPreparation: Component {
    let name = "log"
    let log: any EventLog
    let topics: [TopicSpecification]
    let health: HealthCheck
    let ready: Gate
    let notices: Notices
    let requireNoRestore: @Sendable () async throws -> Void

    func run() async throws {
        let stopAtWrongTopics = { (error: any Error) throws(EventLogError) in
            if let error = error as? EventLogError, !error.isRetriable { throw error }
            let isRestoring = error is RestoreUnfinished
            health.set(
                .failing(
                    reason: isRestoring
                        ? "a backup is being restored" : "the log can't be reached"))
        }
        try await attemptUntilDone(
            "Preparing the log", notices: notices, throwIfFinal: stopAtWrongTopics
        ) { _ in
            try await requireNoRestore()
            try await log.createTopics(topics)
            health.set(.ready)
            ready.open()
        }
        await DependencyWatch(health: health, name: "the log") {
            _ = try await log.ranges(of: topics.prefix(1).map(\.name))
        }.run()
    }

    func stop() async { await log.close() }
}
