import Cryptography
import Events
import LogViews
import Postgres
import Wire

/// Links by which people make accounts; each works once.
struct InvitationStore: Sendable {
    /// Hours for which an invitation is valid; the link of the first start has one hour.
    static let invitationHours: Int64 = 48
    static let firstHours: Int64 = 1
    private static let maximumOpen = 10_000
    /// The most open invitations of one person, so that nobody uses up the room of all.
    private static let maximumOfOne = 500

    let pool: PostgresPool
    let bell: OutboxBell

    struct Row: Sendable {
        var id: EventID
        var note: String
        var grants: [RoleGrant]
        var madeBy: String
        var expiresAt: Timestamp
    }

    /// The secret of a new link: 128 random bits.
    private static func newSecret() -> String { base64URL(randomBytes(16)) }

    /// Makes an invitation; its secret is not stored.
    func invite(
        note: String, grants: [RoleGrant], by keeper: Keeper, at moment: Timestamp
    ) async throws -> (secret: String, row: Row) {
        let row = Row(
            id: Self.newID(at: moment), note: note, grants: grants, madeBy: keeper.id,
            expiresAt: moment.advanced(byHours: Self.invitationHours))
        let secret = Self.newSecret()
        try await pool.withTransaction(attempts: 2) { connection in
            // A removal of the site that is under way ends before this, or withdraws the link.
            try DeviceStore.keepSites(of: grants, connection: connection)
            try keeper.demandStillHolds(connection: connection)
            try UnknownBuilding.refuse(in: grants, connection: connection)
            try Self.forgetExpired(at: moment, connection: connection)
            let open = try connection.query(
                """
                SELECT count(*) AS count, count(*) FILTER (WHERE made_by = $1) AS own
                FROM site_editor_names.invitations
                """, [.text(keeper.id)])
            let count: Int = try open.first?["count"] ?? 0
            let own: Int = try open.first?["own"] ?? 0
            guard count < Self.maximumOpen, own < Self.maximumOfOne else {
                throw AccountRefusal.tooManyInvitations(count)
            }
            try Self.insert(row, secret, isFirst: false, at: moment, connection: connection)
        }
        return (secret, row)
    }

    /// The secret for the first administrator; nil where there is one. Secrets of earlier starts
    /// become invalid.
    func first(at moment: Timestamp) async throws -> String? {
        try await pool.withTransaction { connection in
            try AccountStore.lockAdministrators(connection: connection)
            try connection.query("DELETE FROM site_editor_names.invitations WHERE is_first")
            guard try !AccountStore.hasAdministrator(countsUnread: true, connection: connection)
            else { return nil }
            let secret = Self.newSecret()
            let row = Row(
                id: Self.newID(at: moment), note: "the first administrator",
                grants: [RoleGrant(.administrator)], madeBy: "first start",
                expiresAt: moment.advanced(byHours: Self.firstHours))
            try Self.insert(row, secret, isFirst: true, at: moment, connection: connection)
            return secret
        }
    }

    /// The grants of a link; nil when the link was used, has expired or never existed.
    func invitation(secret: String, at moment: Timestamp) async throws -> Row? {
        try await pool.query(
            """
            SELECT id, note, grants, made_by, expires_at FROM site_editor_names.invitations
            WHERE hash = $1 AND expires_at > $2
            """,
            [.text(sha256Hex(secret)), .timestamp(microseconds: moment.microseconds)]
        ).first.map(Self.read)
    }

    /// Makes the account for a link, which is then used up.
    /// - Throws: an `AccountRefusal` where the link has expired, or the sign-in belongs to somebody
    ///   else.
    func accept(
        secret: String, signIn: String, name: String, password: String, at moment: Timestamp
    ) async throws -> AccountRow {
        let row: AccountRow = try await pool.withTransaction { connection in
            try AccountStore.lockAdministrators(connection: connection)
            let found = try connection.query(
                """
                DELETE FROM site_editor_names.invitations WHERE hash = $1 AND expires_at > $2
                RETURNING id, note, grants, made_by, expires_at, is_first
                """,
                [.text(sha256Hex(secret)), .timestamp(microseconds: moment.microseconds)]
            ).first
            guard let found else { throw AccountRefusal.invitationUnusable }
            let isFirst: Bool = try found["is_first"]
            if isFirst,
                try AccountStore.hasAdministrator(countsUnread: true, connection: connection)
            {
                throw AccountRefusal.invitationUnusable
            }
            let invitation = try Self.read(found)
            let row = AccountRow(
                id: AccountStore.newID(at: moment), signIn: signIn, name: name,
                password: password, issuer: nil, grants: invitation.grants, madeAt: moment,
                madeBy: invitation.madeBy)
            try AccountStore.insert(row, connection: connection)
            return row
        }
        bell.ring()
        return row
    }

    /// Open invitations, the oldest first.
    func open(at moment: Timestamp) async throws -> [Row] {
        try await pool.query(
            """
            SELECT id, note, grants, made_by, expires_at FROM site_editor_names.invitations
            WHERE NOT is_first AND expires_at > $1 ORDER BY id
            """, [.timestamp(microseconds: moment.microseconds)]
        ).map(Self.read)
    }

    func withdraw(_ id: EventID) async throws {
        _ = try await pool.query(
            "DELETE FROM site_editor_names.invitations WHERE id = $1 AND NOT is_first",
            [.uuid(id.bytes)])
    }

    /// Deletes the open invitations of an account that it could not make any more.
    static func withdrawIssued(
        by keeper: Keeper, connection: isolated PostgresConnection
    ) throws {
        try withdraw("made_by = $1", .text(keeper.id), connection) {
            !$0.grants.allSatisfy(keeper.mayGrant)
        }
    }

    /// Withdraws the invitations to one of the sites, in the transaction that removes them.
    static func withdraw(
        of sites: [SiteID], connection: isolated PostgresConnection
    ) throws {
        try withdraw(AccountStore.namesSite, .textArray(sites.map(\.text)), connection) { row in
            row.grants.contains { $0.site.map(sites.contains) ?? false }
        }
    }

    private static func withdraw(
        _ condition: String, _ value: PostgresValue, _ connection: isolated PostgresConnection,
        where isGone: (Row) -> Bool
    ) throws {
        let rows = try connection.query(
            """
            SELECT id, note, grants, made_by, expires_at, id::text AS name
            FROM site_editor_names.invitations WHERE \(condition)
            """, [value])
        // One that can't be read, such as one of a later release, goes: it must keep no right.
        let gone: [String] = try rows.filter { row in (try? read(row)).map(isGone) ?? true }
            .map { try $0["name"] }
        try connection.query(
            "DELETE FROM site_editor_names.invitations WHERE id = ANY ($1::text[]::uuid[])",
            [.textArray(gone)])
    }

    // MARK: Rows

    private static func newID(at moment: Timestamp) -> EventID {
        let id = UniqueIdentifier(millisecondsSinceEpoch: moment.milliseconds)
        return EventID(high: id.high, low: id.low)
    }

    private static func read(_ row: PostgresRow) throws -> Row {
        let bytes: [UInt8] = try row["id"]
        guard let id = EventID(bytes: bytes) else { throw AccountRow.UnreadableRow() }
        let grants: String = try row["grants"]
        return Row(
            id: id, note: try row["note"], grants: try RoleGrant.list(json: Array(grants.utf8)),
            madeBy: try row["made_by"],
            expiresAt: Timestamp(microseconds: try row["expires_at"]))
    }

    private static func insert(
        _ row: Row, _ secret: String, isFirst: Bool, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            INSERT INTO site_editor_names.invitations
                (id, hash, is_first, note, grants, made_at, made_by, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .uuid(row.id.bytes), .text(sha256Hex(secret)), .bool(isFirst), .text(row.note),
                .text(row.grants.storedJSON),
                .timestamp(microseconds: moment.microseconds), .text(row.madeBy),
                .timestamp(microseconds: row.expiresAt.microseconds),
            ])
    }

    static func forgetExpired(
        at moment: Timestamp, connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            "DELETE FROM site_editor_names.invitations WHERE expires_at <= $1",
            [.timestamp(microseconds: moment.microseconds)])
    }
}
