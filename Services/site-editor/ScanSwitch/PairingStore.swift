import Cryptography
import Events
import Postgres
import ServiceHost
import Wire

/// Stores who is paired with which scanner, and the codes by which people pair.
///
/// A scanner has one pairing at a time. A wrong code names no scanner, so wrong tries count by the
/// caller, and for all scanners of the site that show a code.
struct PairingStore: Sendable {
    static let table = "site_editor.pairings"
    static let migration = """
        CREATE TABLE \(table) (
            id uuid PRIMARY KEY,
            site text NOT NULL,
            scanner text NOT NULL,
            visitor text NOT NULL,
            from_at timestamptz NOT NULL,
            until_at timestamptz NOT NULL,
            ended_at timestamptz,
            ended_by text);
        CREATE UNIQUE INDEX pairings_of_scanner ON \(table) (site, scanner)
            WHERE ended_at IS NULL;
        CREATE TABLE site_editor.pairing_codes (
            site text NOT NULL,
            scanner text NOT NULL,
            -- Digits on a screen, or printed.
            is_printed boolean NOT NULL,
            hash bytea NOT NULL,
            expires_at timestamptz,
            tries integer NOT NULL DEFAULT 0,
            slowed_until timestamptz,
            PRIMARY KEY (site, scanner, is_printed))
        """

    private static let codeMicroseconds: Int64 = 600_000_000
    private static let pairingMicroseconds: Int64 = 8 * 3_600_000_000
    private static let slowedMicroseconds: Int64 = 3_600_000_000
    private static let keptMicroseconds: Int64 = 86_400_000_000
    private static let mostTries = 5
    private static let listMaximum = 1_000
    private static let columns = "id, site, scanner, from_at, until_at, ended_at, ended_by"

    enum Refusal: Error {
        case codeUnknown
        case slowed(seconds: Int)
        case unknown
    }

    let pool: PostgresPool

    /// Makes a code; a former one of the kind ends.
    func makeCode(
        _ scanner: ScannerID, at site: SiteID, isPrinted: Bool, moment: Timestamp
    ) async throws -> (code: String, expiresAt: Timestamp?) {
        let code = isPrinted ? ScannerCodes.printedCode() : ScannerCodes.digitCode()
        let expiresAt =
            isPrinted ? nil : moment.advanced(byMicroseconds: Self.codeMicroseconds)
        try await pool.withTransaction { connection in
            try DeviceStore.keep(site, connection: connection)
            // Wrong tries stay counted: else a scanner that shows a code each minute would permit
            // any number of them.
            try connection.query(
                """
                INSERT INTO site_editor.pairing_codes
                    (site, scanner, is_printed, hash, expires_at)
                VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (site, scanner, is_printed) DO UPDATE
                    SET hash = excluded.hash, expires_at = excluded.expires_at
                """,
                [
                    .text(site.text), .text(scanner.text), .bool(isPrinted),
                    .bytes(Self.hash(ScannerCodes.plain(code), site)),
                    .optional(expiresAt?.microseconds) { .timestamp(microseconds: $0) },
                ])
        }
        return (code, expiresAt)
    }

    /// Pairs the visitor with the scanner that shows this code. A former pairing of the scanner
    /// ends.
    func pair(
        _ code: String, visitor: String, id: EventID, at site: SiteID, moment: Timestamp
    ) async throws -> ListedPairing {
        let hash = Self.hash(ScannerCodes.plain(code), site)
        let now = PostgresValue.timestamp(microseconds: moment.microseconds)
        let found = try await pool.withTransaction { connection -> ListedPairing? in
            guard
                let match = try Self.matching(hash, site, at: moment, connection: connection)
            else {
                try Self.countTry(site, at: moment, connection: connection)
                return nil
            }
            try connection.query(
                """
                UPDATE \(Self.table) SET ended_at = least($3, until_at), ended_by = $4
                WHERE site = $1 AND scanner = $2 AND ended_at IS NULL
                """,
                [.text(site.text), .text(match), now, .text(ListedPairing.Ender.another.rawValue)])
            let until = moment.advanced(byMicroseconds: Self.pairingMicroseconds)
            let made = try connection.query(
                """
                INSERT INTO \(Self.table) (id, site, scanner, visitor, from_at, until_at)
                VALUES ($1, $2, $3, $4, $5, $6) RETURNING \(Self.columns)
                """,
                [
                    .uuid(id.bytes), .text(site.text), .text(match), .text(visitor), now,
                    .timestamp(microseconds: until.microseconds),
                ])
            return try made.first.flatMap { try Self.read($0, at: moment) }
        }
        guard let found else { throw Refusal.codeUnknown }
        return found
    }

    /// The scanner whose code has this hash. Digits are used up.
    private static func matching(
        _ hash: [UInt8], _ site: SiteID, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws -> String? {
        let rows = try connection.query(
            """
            SELECT scanner, is_printed, hash, slowed_until FROM site_editor.pairing_codes
            WHERE site = $1 AND (expires_at IS NULL OR expires_at > $2)
            ORDER BY scanner, is_printed FOR UPDATE
            """, [.text(site.text), .timestamp(microseconds: moment.microseconds)])
        for row in rows {
            let known: [UInt8] = try row["hash"]
            guard isEqualInConstantTime(known, hash) else { continue }
            let (scanner, isPrinted): (String, Bool) = (try row["scanner"], try row["is_printed"])
            let slowed: Int64? = try row["slowed_until"]
            if let slowed, slowed > moment.microseconds {
                throw Refusal.slowed(
                    seconds: Int((slowed - moment.microseconds) / 1_000_000) + 1)
            }
            if !isPrinted {
                try connection.query(
                    """
                    DELETE FROM site_editor.pairing_codes
                    WHERE site = $1 AND scanner = $2 AND NOT is_printed
                    """, [.text(site.text), .text(scanner)])
            }
            return scanner
        }
        return nil
    }

    /// Counts a wrong try for every code of digits that the site's scanners show. At the fifth, it
    /// waits for an hour.
    private static func countTry(
        _ site: SiteID, at moment: Timestamp, connection: isolated PostgresConnection
    ) throws {
        let slowed = moment.advanced(byMicroseconds: slowedMicroseconds)
        try connection.query(
            """
            UPDATE site_editor.pairing_codes SET
                tries = CASE WHEN tries + 1 >= $2 THEN 0 ELSE tries + 1 END,
                slowed_until = CASE WHEN tries + 1 >= $2 THEN $3 ELSE slowed_until END
            WHERE site = $1 AND NOT is_printed AND expires_at > $4
            """,
            [
                .text(site.text), .int(mostTries),
                .timestamp(microseconds: slowed.microseconds),
                .timestamp(microseconds: moment.microseconds),
            ])
    }

    /// The newest pairings of a visitor, or of a scanner; of the site for neither.
    func list(
        of visitor: String?, scanner: ScannerID? = nil, at site: SiteID, moment: Timestamp
    ) async throws -> [ListedPairing] {
        try await pool.query(
            """
            SELECT \(Self.columns) FROM \(Self.table)
            WHERE site = $1 AND ($2::text IS NULL OR visitor = $2)
                AND ($3::text IS NULL OR (scanner = $3 AND ended_at IS NULL AND until_at > $4))
            ORDER BY id DESC LIMIT $5
            """,
            [
                .text(site.text), .optional(visitor, PostgresValue.text),
                .optional(scanner?.text, PostgresValue.text),
                .timestamp(microseconds: moment.microseconds), .int(Self.listMaximum),
            ]
        ).compactMap { try Self.read($0, at: moment) }
    }

    /// Ends a pairing of the visitor, or of anybody for nil.
    func end(
        _ id: EventID, of visitor: String?, by ender: ListedPairing.Ender, at site: SiteID,
        moment: Timestamp
    ) async throws {
        try await end(
            "id = $4 AND ($5::text IS NULL OR visitor = $5)",
            [.uuid(id.bytes), .optional(visitor, PostgresValue.text)], ender, site, moment)
    }

    /// Ends the pairing of a scanner.
    func end(of scanner: ScannerID, at site: SiteID, moment: Timestamp) async throws {
        try await end("scanner = $4", [.text(scanner.text)], .scanner, site, moment)
    }

    private func end(
        _ which: String, _ values: [PostgresValue], _ ender: ListedPairing.Ender, _ site: SiteID,
        _ moment: Timestamp
    ) async throws {
        let ended = try await pool.query(
            """
            UPDATE \(Self.table) SET ended_at = $2, ended_by = $3
            WHERE site = $1 AND ended_at IS NULL AND until_at > $2 AND \(which) RETURNING id
            """,
            [
                .text(site.text), .timestamp(microseconds: moment.microseconds),
                .text(ender.rawValue),
            ] + values)
        guard !ended.isEmpty else { throw Refusal.unknown }
    }

    /// Forgets pairings a day after their end, and codes that nobody can use.
    func sweep(at moment: Timestamp) async throws {
        let end = moment.advanced(byMicroseconds: -Self.keptMicroseconds)
        try await pool.query(
            "DELETE FROM \(Self.table) WHERE until_at <= $1",
            [.timestamp(microseconds: end.microseconds)])
        try await pool.query(
            """
            DELETE FROM site_editor.pairing_codes
            WHERE expires_at <= $1 AND (slowed_until IS NULL OR slowed_until <= $1)
            """, [.timestamp(microseconds: end.microseconds)])
    }

    private static func read(_ row: PostgresRow, at moment: Timestamp) throws -> ListedPairing? {
        let id: [UInt8] = try row["id"]
        guard let id = EventID(bytes: id) else { return nil }
        let (ended, ender): (Int64?, String?) = (try row["ended_at"], try row["ended_by"])
        return ListedPairing(
            id: id, site: SiteID(try row["site"]), scanner: ScannerID(try row["scanner"]),
            from: Timestamp(microseconds: try row["from_at"]),
            until: Timestamp(microseconds: try row["until_at"]),
            endedAt: ended.map(Timestamp.init(microseconds:)),
            endedBy: ender.flatMap(ListedPairing.Ender.init(rawValue:)), at: moment)
    }

    private static func hash(_ plain: String, _ site: SiteID) -> [UInt8] {
        ScannerCodes.hash(plain, for: "pairing at \(site)")
    }
}
