import Cryptography
import Events
import LogViews
import Postgres
import ServiceHost
import Wire

/// Stores who is paired with which scanner, and the codes by which people pair.
///
/// A scanner has one pairing at a time. A wrong code names no scanner. It counts for its caller,
/// who has five within an hour, and for the scanners whose digits begin alike, which have fifty.
///
/// A tenth of the 10^6 codes, 10^5, begin with a scanner's first digit. Fifty tries guess its code
/// with a chance of 1 in 2,000 within an hour. It does not matter who makes them, and how often the
/// scanner shows a new code. The tries of ten callers may slow a tenth of a site's scanners, and
/// those of a hundred callers all. Typing errors mostly count for the scanner that somebody sees.
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
            -- The first digit of a code on a screen.
            lookup text NOT NULL DEFAULT '',
            -- The time of the first of the wrong tries.
            tries_since timestamptz,
            PRIMARY KEY (site, scanner, is_printed))
        """

    private static let codeMicroseconds: Int64 = 600_000_000
    private static let pairingMicroseconds: Int64 = 8 * 3_600_000_000
    private static let slowedMicroseconds: Int64 = 3_600_000_000
    private static let keptMicroseconds: Int64 = 86_400_000_000
    /// A time so far ahead is of a clock that was wrong.
    private static let aheadMicroseconds: Int64 = 3_600_000_000
    /// The wrong tries within an hour at the digits of one scanner.
    static let mostTries = 50
    private static let listMaximum = 1_000
    /// The most ended pairings of a scanner that are kept. A printed code pairs as often as
    /// somebody likes.
    static let mostEnded = 50
    /// How long the printed code of a scanner stays whose tokens were all revoked.
    private static let labelMicroseconds: Int64 = 30 * 86_400_000_000
    private static let columns = "id, site, scanner, from_at, until_at, ended_at, ended_by"

    enum Refusal: Error {
        case codeUnknown
        case slowed(seconds: Int)
        case unknown
    }

    let pool: PostgresPool
    /// The requests that end with a pairing.
    let requests: ScanRequestStore

    /// Makes a code; a former one of the kind ends.
    ///
    /// - Throws: `ScannerStore.Refusal.unknown` for a label of a scanner that has no token.
    func makeCode(
        _ scanner: ScannerID, at site: SiteID, isPrinted: Bool, moment: Timestamp
    ) async throws -> (code: String, expiresAt: Timestamp?) {
        let code = isPrinted ? ScannerCodes.printedCode() : ScannerCodes.digitCode()
        let expiresAt =
            isPrinted ? nil : moment.advanced(byMicroseconds: Self.codeMicroseconds)
        try await pool.withTransaction { connection in
            try DeviceStore.keep(site, connection: connection)
            if isPrinted {
                try ScannerStore.demandToken(
                    of: scanner, at: site, moment: moment, connection: connection)
            }
            // Wrong tries stay counted: else a scanner that shows a code each minute would permit
            // any number of them.
            try connection.query(
                """
                INSERT INTO site_editor.pairing_codes
                    (site, scanner, is_printed, hash, expires_at, lookup)
                VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (site, scanner, is_printed) DO UPDATE
                    SET hash = excluded.hash, expires_at = excluded.expires_at,
                        lookup = excluded.lookup
                """,
                [
                    .text(site.text), .text(scanner.text), .bool(isPrinted),
                    .bytes(Self.hash(ScannerCodes.plain(code), site)),
                    .optional(expiresAt?.microseconds) { .timestamp(microseconds: $0) },
                    .text(isPrinted ? "" : ScannerCodes.firstDigit(code)),
                ])
        }
        return (code, expiresAt)
    }

    /// Pairs the visitor with the scanner that shows this code. A former pairing of the scanner
    /// ends.
    func pair(
        _ code: String, visitor: String, session: SessionMark? = nil, id: EventID,
        at site: SiteID, moment: Timestamp
    ) async throws -> ListedPairing {
        let plain = ScannerCodes.plain(code)
        let outcome = try await pool.withTransaction { connection -> Outcome in
            try session?.demandLasts(connection: connection)
            try ScanRequestStore.lock(site, connection: connection)
            let hash = Self.hash(plain, site)
            switch try Self.match(hash, site, at: moment, connection: connection) {
            case .scanner(let scanner):
                let made = try self.make(
                    id, scanner, visitor, session, at: site, moment: moment,
                    connection: connection)
                return made.map(Outcome.paired) ?? .unknown
            case .slowed(let seconds): return .slowed(seconds: seconds)
            case .none:
                try Self.countTry(
                    ScannerCodes.firstDigit(plain), site, at: moment, connection: connection)
                return .unknown
            }
        }
        switch outcome {
        case .paired(let pairing):
            requests.bell.ring()
            return pairing
        case .slowed(let seconds): throw Refusal.slowed(seconds: seconds)
        case .unknown: throw Refusal.codeUnknown
        }
    }

    private enum Outcome: Sendable {
        case paired(ListedPairing)
        case slowed(seconds: Int)
        case unknown
    }

    private enum Match {
        case scanner(ScannerID)
        case slowed(seconds: Int)
        case none
    }

    private func make(
        _ id: EventID, _ scanner: ScannerID, _ visitor: String, _ session: SessionMark?,
        at site: SiteID, moment: Timestamp, connection: isolated PostgresConnection
    ) throws -> ListedPairing? {
        let now = PostgresValue.timestamp(microseconds: moment.microseconds)
        let former: [String] = try connection.query(
            """
            UPDATE \(Self.table) SET ended_at = least($3, until_at), ended_by = $4
            WHERE site = $1 AND scanner = $2 AND ended_at IS NULL RETURNING visitor
            """,
            [
                .text(site.text), .text(scanner.text), now,
                .text(ListedPairing.Ender.another.rawValue),
            ]
        ).map { try $0["visitor"] }
        for other in former where other != visitor {
            try requests.cancelOpen(
                of: other, to: scanner, at: site, moment: moment, connection: connection)
        }
        try Self.forgetEnded(of: scanner, at: site, connection: connection)
        let longest = moment.advanced(byMicroseconds: Self.pairingMicroseconds)
        let until = min(longest, session?.endsAt ?? longest)
        return try connection.query(
            """
            INSERT INTO \(Self.table) (id, site, scanner, visitor, from_at, until_at, session)
            VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING \(Self.columns)
            """,
            [
                .uuid(id.bytes), .text(site.text), .text(scanner.text), .text(visitor), now,
                .timestamp(microseconds: until.microseconds),
                .optional(session?.hash, PostgresValue.bytes),
            ]
        ).first.flatMap { try Self.read($0, at: moment) }
    }

    private static func forgetEnded(
        of scanner: ScannerID, at site: SiteID, connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            DELETE FROM \(table) WHERE id IN (SELECT id FROM \(table)
                WHERE site = $1 AND scanner = $2 AND ended_at IS NOT NULL
                ORDER BY ended_at DESC, id DESC OFFSET $3)
            """, [.text(site.text), .text(scanner.text), .int(mostEnded)])
    }

    /// The scanner whose code has this hash. Digits are used up.
    private static func match(
        _ hash: [UInt8], _ site: SiteID, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws -> Match {
        let now = PostgresValue.timestamp(microseconds: moment.microseconds)
        let rows = try connection.query(
            """
            SELECT scanner, is_printed, hash, slowed_until FROM site_editor.pairing_codes
            WHERE site = $1 AND (expires_at IS NULL OR expires_at > $2)
            ORDER BY scanner, is_printed FOR UPDATE
            """, [.text(site.text), now])
        for row in rows {
            let known: [UInt8] = try row["hash"]
            guard isEqualInConstantTime(known, hash) else { continue }
            let (scanner, isPrinted): (String, Bool) = (try row["scanner"], try row["is_printed"])
            let slowed: Int64? = try row["slowed_until"]
            if !isPrinted {
                // The row stays, since it has the wrong tries. Digits of a slowed scanner end, too:
                // the answer tells that they are right.
                try connection.query(
                    """
                    UPDATE site_editor.pairing_codes SET expires_at = $3
                    WHERE site = $1 AND scanner = $2 AND NOT is_printed
                    """, [.text(site.text), .text(scanner), now])
            }
            if let slowed, slowed > moment.microseconds {
                return .slowed(seconds: Int((slowed - moment.microseconds) / 1_000_000) + 1)
            }
            return .scanner(ScannerID(scanner))
        }
        return .none
    }

    /// Counts a wrong try for the scanners of the site whose digits begin so. At the fiftieth, they
    /// wait until an hour after the first.
    private static func countTry(
        _ firstDigit: String, _ site: SiteID, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        let begin = moment.advanced(byMicroseconds: -slowedMicroseconds)
        try connection.query(
            """
            UPDATE site_editor.pairing_codes SET
                tries = CASE WHEN tries_since > $3 THEN tries + 1 ELSE 1 END,
                tries_since = CASE WHEN tries_since > $3 THEN tries_since ELSE $4 END,
                slowed_until = CASE WHEN tries_since > $3 AND tries + 1 >= $5
                    THEN tries_since + interval '1 hour' ELSE slowed_until END
            WHERE site = $1 AND lookup = $2 AND NOT is_printed AND expires_at > $4
            """,
            [
                .text(site.text), .text(firstDigit), .timestamp(microseconds: begin.microseconds),
                .timestamp(microseconds: moment.microseconds), .int(mostTries),
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

    func end(
        _ which: String, _ values: [PostgresValue], _ ender: ListedPairing.Ender, _ site: SiteID,
        _ moment: Timestamp
    ) async throws {
        try await pool.withTransaction { connection in
            try ScanRequestStore.lock(site, connection: connection)
            let ended = try connection.query(
                """
                UPDATE \(Self.table) SET ended_at = $2, ended_by = $3
                WHERE site = $1 AND ended_at IS NULL AND until_at > $2 AND \(which)
                RETURNING scanner, visitor
                """,
                [
                    .text(site.text), .timestamp(microseconds: moment.microseconds),
                    .text(ender.rawValue),
                ] + values)
            guard !ended.isEmpty else { throw Refusal.unknown }
            for row in ended {
                try requests.cancelOpen(
                    of: try row["visitor"], to: ScannerID(try row["scanner"]), at: site,
                    moment: moment, connection: connection)
            }
        }
        requests.bell.ring()
    }

    /// Forgets pairings a day after their end, codes that nobody can use, and what a clock left
    /// that was ahead. Labels go a month after the last token of their scanner was revoked.
    func sweep(at moment: Timestamp) async throws {
        func time(_ microseconds: Int64) -> PostgresValue {
            .timestamp(microseconds: moment.advanced(byMicroseconds: microseconds).microseconds)
        }
        let (end, ahead) = (time(-Self.keptMicroseconds), time(Self.aheadMicroseconds))
        try await pool.query(
            """
            DELETE FROM \(Self.table)
            WHERE coalesce(ended_at, until_at) <= $1 OR until_at <= $1 OR from_at > $2
            """, [end, ahead])
        try await pool.query(
            """
            DELETE FROM site_editor.pairing_codes
            WHERE (expires_at <= $1 AND (slowed_until IS NULL OR slowed_until <= $1))
                OR tries_since > $2 OR expires_at > $3 OR slowed_until > $4
            """,
            [
                end, ahead, time(Self.aheadMicroseconds + Self.codeMicroseconds),
                time(Self.aheadMicroseconds + Self.slowedMicroseconds),
            ])
        try await pool.query(
            """
            DELETE FROM site_editor.pairing_codes AS code WHERE is_printed AND NOT EXISTS (
                SELECT FROM site_editor_names.tokens AS token
                WHERE token.site = code.site AND token.device = code.scanner
                AND (token.revoked_at IS NULL OR token.revoked_at > $1))
            """, [time(-Self.labelMicroseconds)])
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
