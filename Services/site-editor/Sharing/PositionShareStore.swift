import Cryptography
import Events
import Postgres
import Privacy
import ServiceHost
import Wire

/// Stores who shares their position: the last one alone, and only while it is shared.
///
/// The position is sealed with a key made of the link's secret, of which the table has a hash. So
/// the table tells nobody where somebody is, and neither do its dead rows. It is unlogged: it is
/// in no write-ahead log, and empty after a crash.
struct PositionShareStore: Sendable {
    static let table = "site_editor.position_shares"
    static let migration = """
        CREATE UNLOGGED TABLE \(table) (
            -- A hash of the session's change token.
            session bytea PRIMARY KEY,
            site text NOT NULL,
            -- The account's id as callers have it; null for visitors without one.
            visitor text,
            -- A hash of the link's secret.
            link bytea NOT NULL UNIQUE,
            from_at timestamptz NOT NULL,
            until_at timestamptz NOT NULL,
            sent_at timestamptz,
            position bytea);
        CREATE INDEX position_shares_of_site ON \(table) (site);
        CREATE INDEX position_shares_of_visitor ON \(table) (visitor) WHERE visitor IS NOT NULL
        """

    static let mostMicroseconds: Int64 = 3_600_000_000
    /// A page sends the position at least once a minute. Without any for this time it is gone, and
    /// with it perhaps the session that could end the share.
    static let silentMinutes = 15
    /// The most shares of a site at a time.
    static let mostOfSite = 2_000
    /// 192 bits.
    private static let secretBytes = 24
    /// A time so far ahead is of a clock that was wrong.
    private static let aheadMicroseconds: Int64 = 3_600_000_000

    let pool: PostgresPool
    /// Tests need a smaller one.
    var mostOfSite = PositionShareStore.mostOfSite

    /// Begins a share; a former one of the session ends, at whatever site.
    ///
    /// - Returns: the link's secret, which nobody else has; nil where the site has no room.
    func begin(
        _ session: SessionMark, at site: SiteID, moment: Timestamp
    ) async throws -> (share: OwnShare, secret: String)? {
        let secret = base64URL(randomBytes(Self.secretBytes))
        let hour = moment.advanced(byMicroseconds: Self.mostMicroseconds)
        let until = min(hour, session.endsAt ?? hour)
        let made = try await pool.withTransaction { connection in
            // The removal of the site finds this row, or this finds the site removed.
            try DeviceStore.keep(site, connection: connection)
            try session.demandLasts(connection: connection)
            return try connection.query(
                """
                INSERT INTO \(Self.table) (session, site, visitor, link, from_at, until_at)
                SELECT $1, $2, $3, $4, $5, $6 WHERE (SELECT count(*) FROM \(Self.table)
                    WHERE site = $2 AND session <> $1 AND \(Self.isOn("$5"))) < $7
                ON CONFLICT (session) DO UPDATE SET site = excluded.site,
                    visitor = excluded.visitor, link = excluded.link, from_at = excluded.from_at,
                    until_at = excluded.until_at, sent_at = NULL, position = NULL
                RETURNING 1 AS made
                """,
                [
                    .bytes(session.hash), .text(site.text),
                    .optional(session.visitor, PostgresValue.text), .bytes(Self.link(secret)),
                    Self.time(moment), Self.time(until), .int(mostOfSite),
                ])
        }
        guard !made.isEmpty else { return nil }
        return (OwnShare(from: moment, until: until, sentAt: nil), secret)
    }

    /// Replaces the position. False where the session shares nothing by this secret.
    func put(
        _ position: SharedPosition, secret: String, of session: SessionMark, at site: SiteID,
        moment: Timestamp
    ) async throws -> Bool {
        let sealed = Self.key(secret).seal(position.stored)
        let changed = try await pool.query(
            """
            UPDATE \(Self.table) SET position = $5, sent_at = $4
            WHERE session = $1 AND site = $2 AND link = $3 AND \(Self.isOn("$4"))
            RETURNING 1 AS changed
            """,
            [
                .bytes(session.hash), .text(site.text), .bytes(Self.link(secret)),
                Self.time(moment), .bytes(sealed),
            ])
        return !changed.isEmpty
    }

    /// The share of a session; nil where there is none.
    func own(
        _ session: SessionMark, at site: SiteID, moment: Timestamp
    ) async throws -> OwnShare? {
        try await pool.query(
            """
            SELECT from_at, until_at, sent_at FROM \(Self.table)
            WHERE session = $1 AND site = $2 AND \(Self.isOn("$3"))
            """, [.bytes(session.hash), .text(site.text), Self.time(moment)]
        ).first.map { row in
            let sentAt: Int64? = try row["sent_at"]
            return OwnShare(
                from: Timestamp(microseconds: try row["from_at"]),
                until: Timestamp(microseconds: try row["until_at"]),
                sentAt: sentAt.map(Timestamp.init(microseconds:)))
        }
    }

    /// The position that is shared by a secret; nil where none is.
    func look(
        _ secret: String, at site: SiteID, moment: Timestamp
    ) async throws -> (until: Timestamp, position: SharedPosition?)? {
        try await pool.query(
            """
            SELECT until_at, position FROM \(Self.table)
            WHERE link = $1 AND site = $2 AND \(Self.isOn("$3"))
            """, [.bytes(Self.link(secret)), .text(site.text), Self.time(moment)]
        ).first.map { row in
            let sealed: [UInt8]? = try row["position"]
            let opened = sealed.flatMap { Self.key(secret).open($0) }
            return (
                Timestamp(microseconds: try row["until_at"]),
                try opened.map(SharedPosition.init(stored:))
            )
        }
    }

    /// Ends the share of a session, if there is one.
    func end(_ session: SessionMark) async throws {
        try await pool.query(
            "DELETE FROM \(Self.table) WHERE session = $1", [.bytes(session.hash)])
    }

    /// Ends all shares of an account, in the transaction that ends its sessions.
    static func endAll(
        of account: AccountID, connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            "DELETE FROM \(table) WHERE visitor = $1", [.text("account/\(account)")])
    }

    /// Deletes shares that are over, and those of a clock that was ahead.
    func sweep(at moment: Timestamp) async throws {
        let ahead = moment.advanced(byMicroseconds: Self.aheadMicroseconds)
        try await pool.query(
            "DELETE FROM \(Self.table) WHERE NOT (\(Self.isOn("$1"))) OR from_at > $2",
            [Self.time(moment), Self.time(ahead)])
    }

    /// Holds for shares that are not over at the time of the parameter.
    private static func isOn(_ now: String) -> String {
        """
        until_at > \(now) AND coalesce(sent_at, from_at)
            > \(now)::timestamptz - interval '\(silentMinutes) minutes'
        """
    }

    private static func time(_ moment: Timestamp) -> PostgresValue {
        .timestamp(microseconds: moment.microseconds)
    }

    private static func link(_ secret: String) -> [UInt8] {
        sha256("link of a shared position\n\(secret)".utf8)
    }

    private static func key(_ secret: String) -> SealingKey {
        SealingKey("shared positions", secret: secret)
    }
}
