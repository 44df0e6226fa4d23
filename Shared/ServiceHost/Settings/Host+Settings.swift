import Devices
import EventLog
import Events
import HTTP
import Positioners
import Postgres
public import ServiceRuntime
public import Wire

/// Settings that stand together in a file of settings.
public struct SettingGroup: Sendable {
    public let title: String
    public let settings: [Setting]

    public init(_ title: String, _ settings: [Setting]) {
        self.title = title
        self.settings = settings
    }
}

extension Host {
    public static let settings = settingGroups.flatMap(\.settings)

    public static let settingGroups = [
        SettingGroup("The log and the database (the compose files set these)", logSettings),
        SettingGroup("How long topics keep their records", retentionSettings),
        SettingGroup("Backups", backupSettings),
        SettingGroup("HTTP", httpSettings + limitSettings),
        SettingGroup("Who is trusted", trustSettings),
        SettingGroup(
            "Watching and alarms", [DiskSpace.setting] + AlarmSettings.all),
        SettingGroup("Which positioners sites may select", PositionerSettings.choices),
        SettingGroup("When a device is in a zone or a building", VisitRules.settings),
        SettingGroup(
            "Addresses of services that run in other processes",
            ServiceURLs.services.map { service in
                Setting(
                    ServiceURLs.variable(service), .url(schemes: ["http", "https"]), .optional,
                    help: "the address of \(service), if it runs in another process")
            }),
    ]

    public static let logKind = Setting(
        "WHEREABOUTS_LOG", .choice(["postgres", "kafka"]), .defaultsTo("postgres"),
        help: "the server that holds the event log: postgres on one machine, kafka on several")

    private static let logSettings = [
        logKind,
        Setting(
            "DATABASE_URL", .checkedSecret(databaseForm), .optional,
            help: "the database of log and views: postgresql://user:password@host/database"),
        Setting(
            "WHEREABOUTS_DATABASE_CONNECTIONS", .integer(2...200), .defaultsTo("10"),
            help: "the most connections from one process to PostgreSQL"),
        Setting(
            "KAFKA_BOOTSTRAP_SERVERS", .text, .optional,
            help: "host:port, separated by commas; KAFKA_<NAME> sets any librdkafka setting"),
        Setting(
            "WHEREABOUTS_PARTITIONS", .integer(1...1_000), .defaultsTo("12"),
            help: "the number of partitions of each topic; it can't be changed later"),
    ]

    static let listen = Setting(
        "WHEREABOUTS_LISTEN", .listenAddress, .defaultsTo("127.0.0.1:8080"),
        help: "the address and port on which HTTP is served")

    private static let httpSettings = [
        listen,
        Setting(
            "WHEREABOUTS_HTTP_THREADS", .integer(1...64), .defaultsTo("1"),
            help: "the number of threads that read requests"),
        Setting(
            "WHEREABOUTS_CORS_ORIGINS", .checked(OriginList.form), .optional,
            help: "origins whose pages may call the API from a browser, with commas; * for all"),
    ]

    private static let trustSettings = [
        Setting(
            "WHEREABOUTS_SERVICE_SECRET", .checkedSecret(ServiceSecret.form), .optional,
            help: "a secret that separate services show each other, 32 characters or more"),
        Setting(
            "WHEREABOUTS_CA_FILE", .checked(CertificateFile.form), .optional,
            help: "certificates (PEM) to trust in addition to the machine's, such as Caddy's"),
        Setting(
            "WHEREABOUTS_OPEN_SITES", .checked(siteList), .optional,
            help: "sites that need no account, unless they say otherwise themselves, with commas"),
        Setting(
            "WHEREABOUTS_SECURITY_LOG", .choice(["on", "off"]), .defaultsTo("on"),
            help: "whether the security log is written; SECURITY.md lists its lines"),
        // Every process that sets records aside asks for it.
        InboundProof.setting,
    ]

    private static let siteList = Setting.TextForm("SITE,SITE...") { text in
        let words = text.split(separator: ",").map { String($0).trimmingSpaces }
        return words.allSatisfy { SiteID(validating: $0) != nil }
            ? nil : "must be ids of sites with commas between them"
    }

    private static let databaseForm = Setting.TextForm("secret") {
        PostgresConfiguration.fault(in: $0)
    }

    /// Limits for one client, and for all together.
    private static let limitSettings: [Setting] = [
        Setting(
            "WHEREABOUTS_HTTP_CONNECTIONS", .integer(16...100_000), .defaultsTo("16384"),
            help: "the most open connections; beyond it idle ones are closed"),
        Setting(
            "WHEREABOUTS_CONNECTIONS_PER_ADDRESS", .integer(1...100_000), .defaultsTo("1000"),
            help: "the most connections of one IPv4 address or IPv6 /64, except trusted proxies"),
        Setting(
            "WHEREABOUTS_UNFINISHED_PER_ADDRESS", .integer(1...100_000), .defaultsTo("1000"),
            help: "the most requests of one address whose bodies have arrived only in part"),
        Setting(
            "WHEREABOUTS_IDLE_TIMEOUT", .duration(.seconds(1) ... .seconds(3_600)),
            .defaultsTo("60s"),
            help: "the time after which a connection without a request is closed"),
        Setting(
            "WHEREABOUTS_REQUEST_TIMEOUT", .duration(.seconds(1) ... .seconds(600)),
            .defaultsTo("30s"), help: "the most time until a request has arrived completely"),
        Setting(
            "WHEREABOUTS_TRUSTED_PROXIES", .checked(addressRanges), .optional,
            help: "addresses whose X-Forwarded-For is trusted, such as 10.0.0.0/8,::1"),
        requestsPerSecond, requestBurst,
        Setting(
            "WHEREABOUTS_FAILURES_PER_SECOND", .integer(0...1_000_000), .defaultsTo("100"),
            help: "requests a second of one address with a bad or missing token; 0: no limit"),
        Setting(
            "WHEREABOUTS_BODY_MEMORY", .integer(8...65_536), .defaultsTo("256"),
            help: "megabytes for all bodies in memory; one sender gets a quarter at most"),
    ]

    public static let requestsPerSecond = Setting(
        "WHEREABOUTS_REQUESTS_PER_SECOND", .integer(0...1_000_000), .defaultsTo("2000"),
        help: "requests a second of one token, or one address without a token; 0: no limit")
    public static let requestBurst = Setting(
        "WHEREABOUTS_REQUEST_BURST", .integer(1...1_000_000), .defaultsTo("4000"),
        help: "the most requests of one token at once")

    private static let addressRanges = Setting.TextForm("ADDRESS[/BITS],...") { text in
        AddressRange.list(text) == nil
            ? "must be IP addresses or ranges with commas between them" : nil
    }

    /// One variable for each topic whose records are deleted by age.
    private static let retentionSettings: [Setting] = Topic.allCases.compactMap { topic in
        guard topic.hasRetention, case .delete(let age) = topic.defaultCleanup else { return nil }
        return Setting(
            retentionVariable(topic), .duration(.seconds(60) ... .seconds(3_650 * 86_400)),
            .defaultsTo(age.configurationText),
            help: "the time for which \(topic.name) keeps its records")
    }

    /// Variables of the command line and of compose files. They are accepted, but services do not
    /// read them.
    static let otherNames = Set(
        [
            "WHEREABOUTS_URL", "WHEREABOUTS_TOKEN", "WHEREABOUTS_IMAGE",
            "WHEREABOUTS_ANALYST_PASSWORD",
        ] + namesBeforeThePrefix + namesOfFormerTopics + namesOfFormerSettings)

    /// Old names of variables of Tests/System, from before they began with
    /// `Configuration.testPrefix`.
    private static let namesBeforeThePrefix = [
        "WHEREABOUTS_FAULT", "WHEREABOUTS_PLANTED", "WHEREABOUTS_SHARED", "WHEREABOUTS_FUZZ",
        "WHEREABOUTS_PROGRAMS",
    ]

    /// Variables of topics that no longer exist; the `example.env` of earlier releases had them.
    private static let namesOfFormerTopics = ["WHEREABOUTS_RETENTION_SCAN_REQUESTS"]

    /// Variables of earlier releases: a site's own selection has replaced them.
    private static let namesOfFormerSettings = ["WHEREABOUTS_POSITIONERS_BESIDE"]
}

private func retentionVariable(_ topic: Topic) -> String {
    "WHEREABOUTS_RETENTION_" + topic.rawValue.uppercased().replacing("-", with: "_")
}

extension Host {
    /// The retention of a topic that is deleted by age, in complete days, at least one.
    public func retentionDays(of topic: Topic) -> Int64 {
        Self.retentionDays(of: topic, configuration)
    }

    static func retentionDays(of topic: Topic, _ configuration: Configuration) -> Int64 {
        max(1, configuration.duration(retentionVariable(topic)).components.seconds / 86_400)
    }

    /// Variables that the chosen log, or the tables of a service, need and the environment lacks.
    static func missing(
        in environment: [String: String], needsDatabase: Bool, running services: [String] = []
    ) -> [ConfigurationFault] {
        func isGiven(_ name: String) -> Bool { isSecretGiven(name, in: environment) }
        let isKafka = environment["WHEREABOUTS_LOG"] == "kafka"
        var faults: [ConfigurationFault] = []
        if needsDatabase || !isKafka, !isGiven("DATABASE_URL") { faults.append(noDatabase) }
        if isKafka, !isGiven("KAFKA_BOOTSTRAP_SERVERS") { faults.append(noBrokers) }
        return faults + ServiceSecret.missing(in: environment, running: services)
    }

    static let noDatabase = ConfigurationFault(
        name: "DATABASE_URL",
        problem: "is missing: set it, because this process keeps tables or its log in PostgreSQL")
    static let noBrokers = ConfigurationFault(
        name: "KAFKA_BOOTSTRAP_SERVERS",
        problem: "is missing: set it, because WHEREABOUTS_LOG is kafka")
}

/// The topics with the settings of the configuration.
func topicSpecifications(_ configuration: Configuration) -> [TopicSpecification] {
    let aging = Topic.allCases.filter(\.hasRetention)
    return Topic.specifications(
        partitions: configuration.integer("WHEREABOUTS_PARTITIONS"),
        retention: Dictionary(
            aging.map { ($0, configuration.duration(retentionVariable($0))) },
            uniquingKeysWith: { first, _ in first }))
}

extension PostgresPool {
    convenience init(
        configuration: Configuration, storage: StorageSign
    ) throws(ConfigurationError) {
        self.init(
            try PostgresConfiguration(configuration, storage: storage),
            maximumConnections: configuration.integer("WHEREABOUTS_DATABASE_CONNECTIONS"))
    }
}

extension PostgresConfiguration {
    /// The database that the settings name.
    init(
        _ configuration: Configuration, storage: StorageSign?
    ) throws(ConfigurationError) {
        self.init(try databaseURL(configuration))
        self.storage = storage
    }
}

func databaseURL(_ configuration: Configuration) throws(ConfigurationError) -> String {
    guard let url = configuration.optionalSecret("DATABASE_URL") else {
        throw ConfigurationError(faults: [Host.noDatabase])
    }
    return url.reveal()
}

/// Whether the environment has the secret, or the path of its file.
func isSecretGiven(_ name: String, in environment: [String: String]) -> Bool {
    [name, name + "_FILE"].contains { environment[$0]?.isEmpty == false }
}

extension String {
    var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
