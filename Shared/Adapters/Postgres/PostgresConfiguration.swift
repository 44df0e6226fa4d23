/// Where the server is and how long we wait for it.
public struct PostgresConfiguration: Hashable, Sendable {
    /// A URL (`postgresql://user:password@host/database`) or keywords (`host=... dbname=...`), as
    /// libpq reads them (manual, section 34.1.1).
    public var connectionString: String
    /// Shown in `pg_stat_activity`.
    public var applicationName: String
    /// Whole seconds, at least two (libpq's own granularity).
    public var connectTimeout: Duration
    /// The server cancels a statement that takes longer; we give the connection up five seconds
    /// after that.
    public var statementTimeout: Duration
    /// Statements kept prepared on a connection; the one used longest ago makes room.
    public var maximumPreparedStatements: Int
    /// Set on every new connection, such as `plan_cache_mode`. Not for input of strangers.
    public var settings: [String: String]

    public init(
        _ connectionString: String, applicationName: String = "whereabouts",
        connectTimeout: Duration = .seconds(5), statementTimeout: Duration = .seconds(30),
        maximumPreparedStatements: Int = 256, settings: [String: String] = [:]
    ) {
        self.connectionString = connectionString
        self.applicationName = applicationName
        self.connectTimeout = connectTimeout
        self.statementTimeout = statementTimeout
        self.maximumPreparedStatements = max(1, maximumPreparedStatements)
        self.settings = settings
    }

    /// Keywords and values for `PQconnectdbParams`; the later ones win over the string's.
    var keywords: [(String, String)] {
        [
            ("dbname", connectionString),
            ("application_name", applicationName),
            ("connect_timeout", String(max(2, connectTimeout.components.seconds))),
            ("client_encoding", "UTF8"),
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
        ]
    }

    /// What a session runs first.
    var setUp: String {
        let own = [
            "statement_timeout": "\(statementTimeout.milliseconds)",
            "client_min_messages": "warning",
            "timezone": "UTC",
        ]
        return own.merging(settings) { $1 }.sorted { $0.key < $1.key }
            .map { "SET \($0.key) = '\($0.value)'" }.joined(separator: "; ")
    }
}
