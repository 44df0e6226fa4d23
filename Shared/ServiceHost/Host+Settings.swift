import EventLog
import Events
import Postgres
public import ServiceRuntime
public import Wire

extension Host {
    /// What every service reads. deploy/example.env lists them all.
    public static let settings: [Setting] =
        [
            Setting(
                "WHEREABOUTS_LOG", .choice(["postgres", "kafka"]), .defaultsTo("postgres"),
                help: "the event log: postgres on one machine, kafka on several"),
            Setting(
                "DATABASE_URL", .secret, .optional,
                help: "postgresql://user:password@host/database; the log, and the views"),
            Setting(
                "WHEREABOUTS_DATABASE_CONNECTIONS", .integer(2...200), .defaultsTo("10"),
                help: "connections that the process keeps to PostgreSQL at most"),
            Setting(
                "KAFKA_BOOTSTRAP_SERVERS", .text, .optional,
                help: "host:port, comma separated; KAFKA_<NAME> passes any librdkafka setting"),
            Setting(
                "WHEREABOUTS_LISTEN", .listenAddress, .defaultsTo("127.0.0.1:8080"),
                help: "where HTTP is served"),
            Setting(
                "WHEREABOUTS_HTTP_THREADS", .integer(1...64), .defaultsTo("1"),
                help: "threads that read requests"),
            Setting(
                "WHEREABOUTS_HTTP_CONNECTIONS", .integer(16...100_000), .defaultsTo("4096"),
                help: "connections at once"),
            Setting(
                "WHEREABOUTS_REQUESTS_PER_SECOND", .integer(0...1_000_000), .defaultsTo("2000"),
                help: "of one token, or of one address without a token; 0 counts nothing"),
            Setting(
                "WHEREABOUTS_REQUEST_BURST", .integer(1...1_000_000), .defaultsTo("4000"),
                help: "requests of one token that may come at once"),
            Setting(
                "WHEREABOUTS_REQUEST_TIMEOUT", .duration(.seconds(1) ... .seconds(600)),
                .defaultsTo("30s"), help: "within this a request must have arrived whole"),
            Setting(
                "WHEREABOUTS_SERVICE_SECRET", .secret, .optional,
                help: "what services show each other; needed where they run apart"),
            Setting(
                "WHEREABOUTS_OPEN_SITES", .checked(siteList), .optional,
                help: "sites, with commas, whose maps, search and routes anybody may use"),
            Setting(
                "WHEREABOUTS_SECURITY_LOG", .choice(["on", "off"]), .defaultsTo("on"),
                help: "whether refusals, tokens, publications and look-ups are logged"),
            Setting(
                "WHEREABOUTS_PARTITIONS", .integer(1...1_000), .defaultsTo("12"),
                help: "of each topic; chosen once for life"),
        ] + retentionSettings
        + ServiceURLs.services.map { service in
            Setting(
                ServiceURLs.variable(service), .url(schemes: ["http", "https"]), .optional,
                help: "where \(service) answers; the process itself when absent")
        }

    private static let siteList = Setting.TextForm("SITE,SITE...") { text in
        let words = text.split(separator: ",").map { String($0).trimmingSpaces }
        return words.allSatisfy { SiteID(validating: $0) != nil }
            ? nil : "must be ids of sites with commas"
    }

    /// One variable for each topic that forgets by age.
    private static let retentionSettings: [Setting] = Topic.allCases.compactMap { topic in
        guard case .delete(let age) = topic.defaultCleanup else { return nil }
        return Setting(
            retentionVariable(topic), .duration(.seconds(60) ... .seconds(3_650 * 86_400)),
            .defaultsTo("\(age.components.seconds / 86_400)d"),
            help: "how long \(topic.name) keeps its records")
    }

    /// Variables of other services, of the command line and of the tests: no misspelling here.
    static let otherNames = Set(
        ServiceSettings.all.map(\.name) + [
            "WHEREABOUTS_URL", "WHEREABOUTS_TOKEN", "WHEREABOUTS_FAULT", "WHEREABOUTS_PLANTED",
            "WHEREABOUTS_SHARED", "WHEREABOUTS_IMAGE", "WHEREABOUTS_TEST_LOGS",
            "WHEREABOUTS_FUZZ", "WHEREABOUTS_PROGRAMS",
        ])
}

private func retentionVariable(_ topic: Topic) -> String {
    "WHEREABOUTS_RETENTION_" + topic.rawValue.uppercased().replacing("-", with: "_")
}

extension Host {
    /// Whole days, at least one, for which a topic that forgets by age keeps its records.
    public func retentionDays(of topic: Topic) -> Int64 {
        max(1, configuration.duration(retentionVariable(topic)).components.seconds / 86_400)
    }

    /// What the chosen log, or the tables of a service, need and the environment does not name.
    static func missing(
        in environment: [String: String], needsDatabase: Bool
    ) -> [ConfigurationFault] {
        func isGiven(_ name: String) -> Bool {
            [name, name + "_FILE"].contains { environment[$0]?.isEmpty == false }
        }
        let isKafka = environment["WHEREABOUTS_LOG"] == "kafka"
        var faults: [ConfigurationFault] = []
        if needsDatabase || !isKafka, !isGiven("DATABASE_URL") { faults.append(noDatabase) }
        if isKafka, !isGiven("KAFKA_BOOTSTRAP_SERVERS") { faults.append(noBrokers) }
        return faults
    }

    static let noDatabase = ConfigurationFault(
        name: "DATABASE_URL",
        problem: "is missing: this process keeps tables, or its log, in PostgreSQL")
    static let noBrokers = ConfigurationFault(
        name: "KAFKA_BOOTSTRAP_SERVERS", problem: "is missing: WHEREABOUTS_LOG is kafka")
}

/// What the topics are made with, as the settings say.
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
    /// The server that the settings name.
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

extension String {
    var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
