import Events
import Postgres
import Wire

/// Stores what the site asks of its scanners, and what they tell about themselves.
struct ScannerStore: Sendable {
    static let table = "site_editor.scanners"
    static let migration = """
        CREATE TABLE \(table) (
            site text NOT NULL,
            scanner text NOT NULL,
            -- Whether it reports other people's devices.
            is_node boolean NOT NULL DEFAULT false,
            health bytea,
            told_at timestamptz,
            PRIMARY KEY (site, scanner))
        """

    private static let keptMicroseconds: Int64 = 30 * 86_400_000_000
    /// A time so far ahead is of a clock that was wrong.
    private static let aheadMicroseconds: Int64 = 3_600_000_000

    enum Refusal: Error { case unknown(ScannerID) }

    /// The columns that `read` needs. The statement calls the table `known`.
    private static let columns = """
        known.scanner, known.is_node, known.health,
        (SELECT CASE WHEN bool_or(token.expires_at IS NULL) THEN NULL
                ELSE max(token.expires_at) END
            FROM site_editor_names.tokens AS token
            WHERE token.site = known.site AND token.device = known.scanner
                AND token.revoked_at IS NULL) AS expires_at
        """

    let pool: PostgresPool

    /// Notes how a scanner does.
    ///
    /// - Returns: whether it is a node.
    func note(
        _ health: ScannerHealth, at site: SiteID, moment: Timestamp
    ) async throws -> Bool {
        try await pool.withTransaction { connection in
            try DeviceStore.keep(site, connection: connection)
            return try connection.query(
                """
                INSERT INTO \(Self.table) (site, scanner, health, told_at) VALUES ($1, $2, $3, $4)
                ON CONFLICT (site, scanner)
                    DO UPDATE SET health = excluded.health, told_at = excluded.told_at
                RETURNING is_node
                """,
                [
                    .text(site.text), .text(health.scanner.text), .bytes(health.json),
                    .timestamp(microseconds: moment.microseconds),
                ])[0]["is_node"]
        }
    }

    func isNode(_ scanner: ScannerID, at site: SiteID) async throws -> Bool {
        try await pool.query(
            "SELECT is_node FROM \(Self.table) WHERE site = $1 AND scanner = $2",
            [.text(site.text), .text(scanner.text)]
        ).first?["is_node"] ?? false
    }

    /// Makes a scanner that has a token a node, or ends that.
    func set(
        isNode: Bool, _ scanner: ScannerID, at site: SiteID, moment: Timestamp
    ) async throws -> ListedScanner {
        let rows = try await pool.withTransaction { connection in
            try DeviceStore.keep(site, connection: connection)
            if isNode {
                try Self.demandToken(of: scanner, at: site, moment: moment, connection: connection)
            }
            return try connection.query(
                """
                INSERT INTO \(Self.table) AS known (site, scanner, is_node) VALUES ($1, $2, $3)
                ON CONFLICT (site, scanner) DO UPDATE SET is_node = excluded.is_node
                RETURNING \(Self.columns)
                """, [.text(site.text), .text(scanner.text), .bool(isNode)])
        }
        return try Self.read(rows[0])
    }

    /// - Throws: `Refusal.unknown` for a scanner without a valid token.
    static func demandToken(
        of scanner: ScannerID, at site: SiteID, moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        let known = try connection.query(
            """
            SELECT 1 AS one FROM site_editor_names.tokens
            WHERE site = $1 AND device = $2 AND revoked_at IS NULL
                AND (expires_at IS NULL OR expires_at > $3) LIMIT 1
            """,
            [
                .text(site.text), .text(scanner.text),
                .timestamp(microseconds: moment.microseconds),
            ])
        guard !known.isEmpty else { throw Refusal.unknown(scanner) }
    }

    func list(
        at site: SiteID, after: ScannerID?, limit: Int
    ) async throws -> [ListedScanner] {
        try await pool.query(
            """
            SELECT \(Self.columns) FROM \(Self.table) AS known
            WHERE known.site = $1 AND ($2::text IS NULL OR known.scanner > $2)
            ORDER BY known.scanner LIMIT $3
            """,
            [.text(site.text), .optional(after?.text, PostgresValue.text), .int(limit)]
        ).map(Self.read)
    }

    /// Forgets scanners that were silent for 30 days, and those without a valid token. Nobody is a
    /// node for ever: whoever gets the next token of this name would be one.
    func sweep(at moment: Timestamp) async throws {
        let now = PostgresValue.timestamp(microseconds: moment.microseconds)
        let end = moment.advanced(byMicroseconds: -Self.keptMicroseconds)
        let ahead = moment.advanced(byMicroseconds: Self.aheadMicroseconds)
        try await pool.query(
            "UPDATE \(Self.table) SET told_at = $1 WHERE told_at > $2",
            [now, .timestamp(microseconds: ahead.microseconds)])
        try await pool.query(
            """
            DELETE FROM \(Self.table) AS known
            WHERE told_at < $2 OR (told_at IS NULL AND NOT is_node)
                OR NOT EXISTS (
                    SELECT FROM site_editor_names.tokens AS token
                    WHERE token.site = known.site AND token.device = known.scanner
                        AND token.revoked_at IS NULL
                        AND (token.expires_at IS NULL OR token.expires_at > $1))
            """, [now, .timestamp(microseconds: end.microseconds)])
    }

    private static func read(_ row: PostgresRow) throws -> ListedScanner {
        let expiresAt: Int64? = try row["expires_at"]
        return ListedScanner(
            ScannerID(try row["scanner"]), isNode: try row["is_node"],
            expiresAt: expiresAt.map(Timestamp.init(microseconds:)), health: try row["health"])
    }
}
