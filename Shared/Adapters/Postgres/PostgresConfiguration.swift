/// Where the server is and how long we wait for it.
public struct PostgresConfiguration: Hashable, Sendable {
    /// A URL (`postgresql://user:password@host/database`) or keywords (`host=... dbname=...`), as
    /// libpq reads them (manual, section 34.1.1).
    public var connectionString: String
    /// Shown in `pg_stat_activity`.
    var applicationName: String
    /// Whole seconds, at least two (libpq's own granularity).
    var connectTimeout: Duration
    /// The server cancels a statement that takes longer; we give the connection up five seconds
    /// after that.
    public var statementTimeout: Duration
    /// Statements kept prepared on a connection; the one used longest ago makes room.
    public var maximumPreparedStatements: Int
    /// Set on every new connection, such as `plan_cache_mode`. Not for input of strangers.
    public var settings: [String: String]

    /// A schema; sessions whose role is a member of its owner act as the owner, so that what
    /// several roles make in it belongs to none of them alone. Not for input of strangers.
    public var actingForSchema: String?
    /// Told when the server's disk is full.
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

    /// Keywords and values for `PQconnectdbParams`; the later ones win over the string's. After a
    /// fail-over there may be two servers at the address for a moment, and only one takes writes.
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

    /// The server's side of a connection that is cut without a word: it asks after ten seconds of
    /// silence, gives up 15 later and lets go of the locks; a statement that waits looks every five
    /// seconds whether somebody waits for it. What a stopped process holds within a transaction
    /// goes after a minute. Without these, the system's defaults would take two hours.
    private static let limits = [
        "tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3",
        "tcp_user_timeout": "25000", "client_connection_check_interval": "5000",
        "idle_in_transaction_session_timeout": "60000",
    ]

    /// What a session runs first.
    var setUp: String {
        let own = [
            "statement_timeout": "\(statementTimeout.milliseconds)",
            "client_min_messages": "warning",
            "timezone": "UTC",
            // Without the schema of one's own name: whoever may make schemas could make that one,
            // with operators and functions that our statements would take for PostgreSQL's.
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

    /// The same database for another role, as keywords.
    /// - Throws: when the connection string is none.
    public func connectionString(user: String, password: String) throws(PostgresError) -> String {
        try ConnectionWords(connectionString).replacing(["user": user, "password": password])
    }
}
