/// The server's address and the limits of its connections.
public struct PostgresConfiguration: Hashable, Sendable {
    /// A URL (`postgresql://user:password@host/database`) or keywords (`host=... dbname=...`), as
    /// libpq reads them (manual, section 34.1.1).
    public var connectionString: String
    /// The application's name in `pg_stat_activity`.
    var applicationName: String
    /// In whole seconds, at least two (libpq's own granularity).
    var connectTimeout: Duration
    /// The server cancels a statement that takes longer. This process closes the connection five
    /// seconds after that.
    public var statementTimeout: Duration
    /// A `statementTimeout` that nothing reaches. A dead connection is still found by its
    /// keep-alives. The server's largest value is 24 days.
    public static let unlimited = Duration.seconds(20 * 86_400)
    /// The number of statements kept prepared on a connection. A new one replaces the least
    /// recently used.
    public var maximumPreparedStatements: Int
    /// Server settings for every new connection, such as `plan_cache_mode`. Never put other
    /// people's input here.
    public var settings: [String: String]

    /// A schema. A session whose role is a member of the schema's owner acts as the owner. So
    /// objects that several roles create belong to the owner. Never put other people's input here.
    public var actingForSchema: String?
    /// Notes when the server's disk is full.
    public var storage: StorageSign?

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

    /// Keywords and values for `PQconnectdbParams`; later ones override the string's. After a
    /// fail-over two servers may share the address for a moment, and only one accepts writes.
    var keywords: [(String, String)] {
        [
            ("dbname", connectionString),
            ("application_name", applicationName),
            ("connect_timeout", String(max(2, connectTimeout.components.seconds))),
            ("client_encoding", "UTF8"),
            ("target_session_attrs", "read-write"),
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "25000"),
        ]
    }

    /// The server's limits for connections that are cut silently. After ten seconds of silence it
    /// probes, and 15 s later it gives up and releases the locks. A running statement checks every
    /// five seconds that its client is still there. A stopped process loses an open transaction
    /// after a minute. The system's defaults would take two hours.
    private static let limits = [
        "tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3",
        "tcp_user_timeout": "25000", "client_connection_check_interval": "5000",
        "idle_in_transaction_session_timeout": "60000",
    ]

    /// The statements that a session runs first.
    var setUp: String {
        let own = [
            "statement_timeout": "\(statementTimeout.milliseconds)",
            "client_min_messages": "warning",
            "timezone": "UTC",
            // Compiling one of our statements takes longer than running it.
            "jit": "off",
            // The search path leaves out the schema named after the role. A role with the right to
            // create schemas could create it and put operators and functions there. Our statements
            // would use them instead of PostgreSQL's.
            "search_path": "public",
        ].merging(Self.limits) { $1 }
        return own.merging(settings) { $1 }.sorted { $0.key < $1.key }
            .map { "SET \($0.key) = '\($0.value)'" }.joined(separator: "; ") + acting
    }

    private var acting: String {
        guard let actingForSchema else { return "" }
        return """
            ; SELECT set_config('role', owner.rolname, false)
            FROM pg_namespace space JOIN pg_roles owner ON owner.oid = space.nspowner
            WHERE space.nspname = '\(actingForSchema)' AND owner.rolname <> session_user
                AND pg_has_role(session_user, owner.oid, 'MEMBER')
            """
    }

    /// The connection string, as keywords, of another role for the same database.
    ///
    /// - Throws: when the connection string can't be parsed.
    public func connectionString(user: String, password: String) throws(PostgresError) -> String {
        try ConnectionWords(connectionString).replacing(["user": user, "password": password])
    }
}
