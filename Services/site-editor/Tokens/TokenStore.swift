import Access
import Cryptography
import EventLog
public import Events
import LogViews
public import Postgres
public import Wire

/// Stores issued and revoked tokens. Only their hashes are stored; the text is shown once.
public struct TokenStore: Sendable {
    let pool: PostgresPool
    let bell: OutboxBell

    public init(pool: PostgresPool) { self.init(pool: pool, bell: OutboxBell()) }

    init(pool: PostgresPool, bell: OutboxBell) {
        self.pool = pool
        self.bell = bell
    }

    /// Makes site-editor's tables where they are missing, for programs that run before it.
    public func prepare() async throws { try await SiteEditorSchema.migrate(pool) }

    /// Issues a token; its text is not stored.
    /// - Throws: a `FormFault` or an `Issuing.Refusal`.
    public func issue(
        _ order: TokenOrder, by issuer: Issuer? = nil, at moment: Timestamp
    ) async throws -> (token: String, issued: TokenIssued) {
        let token = BearerToken()
        let id = UniqueIdentifier(millisecondsSinceEpoch: moment.milliseconds)
        try order.checkForm()
        try Issuing.check(
            order.role, site: order.site, buildings: order.buildings, device: order.device,
            issuer: issuer?.grants)
        let expiry = try Issuing.expiry(
            of: Role(order.role, isBoundToSite: order.site != nil), asked: order.expiresAt,
            issuerEnd: issuer?.expiresAt, at: moment)
        let issued = TokenIssued(
            hash: token.hash, id: EventID(high: id.high, low: id.low), role: order.role,
            site: order.site, buildings: order.buildings, device: order.device, note: order.note,
            issuedAt: moment, expiresAt: Timestamp(milliseconds: expiry.milliseconds),
            issuedBy: issuer?.id,
            signingKey: order.signingKey, quota: order.quota)
        try await pool.withTransaction(attempts: 2) { connection in
            if let issuer {
                // A token of a site that is being removed would open the next site of its id.
                if let site = order.site, !order.role.makesSites {
                    try DeviceStore.keep(site, connection: connection)
                }
                try Self.demandStillHolds(
                    issuer.id, grants: issuer.grants, connection: connection)
                let grant = RoleGrant(order.role, site: order.site, buildings: order.buildings)
                try UnknownBuilding.refuse(in: [grant], connection: connection)
            }
            try Self.insert(issued, connection: connection)
            try SiteEditorSchema.outbox.put(
                [issued.withoutNote.record(source: SiteEditorSchema.source)],
                connection: connection)
        }
        bell.ring()
        return (token.text, issued)
    }

    /// Checks the caller's rights again and locks their row. So a revocation at the same moment
    /// waits, or this waits for it, and nobody issues a token that outlives their own right.
    /// - Parameters:
    ///   - id: the id of a token, or of an account after `account/`.
    ///   - grants: the grants that the caller had when the request was checked.
    static func demandStillHolds(
        _ id: String, grants: [Grant], connection: isolated PostgresConnection
    ) throws {
        let isAsBelieved: Bool
        if id.hasPrefix(AccountChanged.keyPrefix),
            let account = AccountID(String(id.dropFirst(AccountChanged.keyPrefix.count)))
        {
            let row = try AccountStore.account(account, connection: connection)
            isAsBelieved = row?.grants.map(Grant.init) == grants
        } else if let token = EventID(id) {
            let rows = try connection.query(
                """
                SELECT revoked_at IS NULL AS holds FROM site_editor_names.tokens WHERE id = $1
                FOR SHARE
                """, [.uuid(token.bytes)])
            isAsBelieved = try rows.first.map { try $0["holds"] } ?? true
        } else {
            isAsBelieved = true
        }
        guard isAsBelieved else {
            throw GrantsChanged()
        }
    }

    static func insert(
        _ issued: TokenIssued, connection: isolated PostgresConnection
    ) throws {
        let buildings = issued.buildings.map(\.text).joined(separator: ",")
        try connection.query(
            """
            INSERT INTO site_editor_names.tokens
                (id, hash, role, site, device, note, issued_at, expires_at, buildings, issued_by,
                    event)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            [
                .uuid(issued.id.bytes), .text(issued.hash), .text(issued.role.rawValue),
                .optional(issued.site?.text, PostgresValue.text),
                .optional(issued.device?.text, PostgresValue.text), .text(issued.note),
                .timestamp(microseconds: issued.issuedAt.microseconds),
                .optional(issued.expiresAt?.microseconds) { .timestamp(microseconds: $0) },
                .text(buildings), .optional(issued.issuedBy, PostgresValue.text),
                .bytes(issued.json),
            ])
    }

    /// Revokes a token, and with `children` all tokens that it issued, and that those issued. It
    /// returns the hashes of tokens that were valid until now.
    ///
    /// - Parameter sites: the sites where the caller may revoke; nil for all. Children lie within
    ///   them.
    public func revoke(
        _ id: EventID, children: Bool = false, within sites: [SiteID]? = nil,
        by revoker: String? = nil, at moment: Timestamp
    ) async throws -> [String] {
        let hashes = try await pool.withTransaction { connection -> [String] in
            try Self.revokeRepeatedly(
                """
                WITH RECURSIVE gone AS (
                    SELECT id FROM site_editor_names.tokens
                    WHERE id = $1 AND ($4::text[] IS NULL OR site = ANY ($4))
                    UNION
                    SELECT child.id FROM site_editor_names.tokens AS child
                    JOIN gone ON child.issued_by = gone.id::text
                    WHERE $3 AND ($4::text[] IS NULL OR child.site = ANY ($4)))
                UPDATE site_editor_names.tokens SET revoked_at = $2, revoked_by = $5
                WHERE id IN (SELECT id FROM gone) AND revoked_at IS NULL RETURNING hash
                """,
                [
                    .uuid(id.bytes), .timestamp(microseconds: moment.microseconds),
                    .bool(children), .optional(sites) { .textArray($0.map(\.text)) },
                    .optional(revoker, PostgresValue.text),
                ], connection: connection)
        }
        if !hashes.isEmpty { bell.ring() }
        return hashes
    }

    /// Revokes the tokens of a site, in the transaction that removes the site.
    static func revokeAll(
        of site: SiteID, by remover: String, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        _ = try revokeRepeatedly(
            """
            UPDATE site_editor_names.tokens SET revoked_at = $2, revoked_by = $3
            WHERE site = $1 AND revoked_at IS NULL RETURNING hash
            """,
            [
                .text(site.text), .timestamp(microseconds: moment.microseconds), .text(remover),
            ], connection: connection)
    }

    /// Revokes the tokens with these hashes. Returns how many.
    static func revoke(
        _ hashes: [String], by revoker: String, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws -> Int {
        try revokeRepeatedly(
            """
            UPDATE site_editor_names.tokens SET revoked_at = $2, revoked_by = $3
            WHERE hash = ANY ($1) AND revoked_at IS NULL RETURNING hash
            """,
            [
                .textArray(hashes), .timestamp(microseconds: moment.microseconds),
                .text(revoker),
            ], connection: connection
        ).count
    }

    /// Revokes the tokens of erased devices, and takes the devices and their notes off the rows of
    /// all that they ever had.
    ///
    /// - Parameter end: later tokens stay; nil for none.
    static func erase(
        _ devices: [DeviceID], of site: SiteID, issuedUntil end: Timestamp?, by remover: String,
        at moment: Timestamp, connection: isolated PostgresConnection
    ) throws {
        let which: [PostgresValue] = [
            .text(site.text), .textArray(devices.map(\.text)),
            .optional(end?.microseconds) { .timestamp(microseconds: $0) },
        ]
        let condition =
            "site = $1 AND device = ANY ($2) AND ($3::timestamptz IS NULL OR issued_at <= $3)"
        _ = try revokeRepeatedly(
            """
            UPDATE site_editor_names.tokens SET revoked_at = $4, revoked_by = $5
            WHERE \(condition) AND revoked_at IS NULL RETURNING hash
            """,
            which + [.timestamp(microseconds: moment.microseconds), .text(remover)],
            connection: connection)
        try connection.query(
            """
            UPDATE site_editor_names.tokens SET device = NULL, note = '', event = NULL
            WHERE \(condition)
            """, which)
    }

    /// Repeats the statement until it revokes nothing more. A token that waited for its turn may
    /// have issued another; the next statement sees that one. A revoked token can't issue any more.
    ///
    /// - Parameter statement: revokes tokens, and returns their hashes.
    static func revokeRepeatedly(
        _ statement: String, _ values: [PostgresValue], connection: isolated PostgresConnection
    ) throws -> [String] {
        var hashes: [String] = []
        while true {
            let rows = try connection.query(statement, values)
            if rows.isEmpty { return hashes }
            hashes += try announceRevoked(rows, connection: connection)
        }
    }

    /// Puts the tombstones of the tokens into the outbox, and returns the hashes. It also deletes
    /// invitations by these tokens, so that a person without rights can't come back through one.
    static func announceRevoked(
        _ rows: PostgresRows, connection: isolated PostgresConnection
    ) throws -> [String] {
        let hashes: [String] = try rows.map { try $0["hash"] }
        let tombstones = hashes.sorted().map { hash in
            LogRecord.tombstone(of: .tokens, Array(hash.utf8))
        }
        try SiteEditorSchema.outbox.put(tombstones, connection: connection)
        try connection.query(
            """
            DELETE FROM site_editor_names.invitations AS invitations
            USING site_editor_names.tokens AS tokens
            WHERE invitations.made_by = tokens.id::text AND tokens.revoked_at IS NOT NULL
            """)
        return hashes
    }

    public struct Query: Sendable {
        public var sites: [SiteID]?
        public var issuedBy: String?
        /// Only tokens with a greater id are listed.
        public var after: EventID?
        public var limit: Int

        public init(
            sites: [SiteID]? = nil, issuedBy: String? = nil, after: EventID? = nil,
            limit: Int = .max
        ) {
            self.sites = sites
            self.issuedBy = issuedBy
            self.after = after
            self.limit = limit
        }
    }

    public struct Row: Sendable {
        public var issued: TokenIssued
        /// To about a minute; nil when no use was recorded.
        public var lastUsedAt: Timestamp?
    }

    /// The columns that `row` reads.
    static let columns =
        "id, hash, role, site, device, note, issued_at, expires_at, event, last_used_at"

    /// Selects tokens that hold at the time `$1`.
    private static let liveRows = """
        SELECT \(columns) FROM site_editor_names.tokens
        WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)
        """

    /// Tokens that are neither revoked nor expired, the oldest first.
    public func live(_ query: Query = Query(), at moment: Timestamp) async throws -> [Row] {
        try await pool.query(
            """
            \(Self.liveRows)
                AND ($2::text[] IS NULL OR site = ANY ($2))
                AND ($3::text IS NULL OR issued_by = $3) AND ($4::uuid IS NULL OR id > $4)
            ORDER BY id LIMIT $5
            """,
            [
                .timestamp(microseconds: moment.microseconds),
                .optional(query.sites) { .textArray($0.map(\.text)) },
                .optional(query.issuedBy, PostgresValue.text),
                .optional(query.after) { .uuid($0.bytes) }, .int(query.limit),
            ]
        ).compactMap(Self.row)
    }

    static func row(_ row: PostgresRow) throws -> Row? {
        let used: Int64? = try row["last_used_at"]
        let lastUsedAt = used.map(Timestamp.init(microseconds:))
        let event: [UInt8]? = try row["event"]
        if let event, let issued = try? TokenIssued(json: event) {
            return Row(issued: issued, lastUsedAt: lastUsedAt)
        }
        // A token without a readable event, from an earlier release. It is listed so that it can be
        // revoked.
        let (id, role): ([UInt8], String) = (try row["id"], try row["role"])
        let (site, device): (String?, String?) = (try row["site"], try row["device"])
        let expiresAt: Int64? = try row["expires_at"]
        guard let id = EventID(bytes: id), let role = TokenRole(rawValue: role) else { return nil }
        let issued = TokenIssued(
            hash: try row["hash"], id: id, role: role, site: site.map(SiteID.init),
            device: device.map(DeviceID.init), note: try row["note"],
            issuedAt: Timestamp(microseconds: try row["issued_at"]),
            expiresAt: expiresAt.map(Timestamp.init(microseconds:)))
        return Row(issued: issued, lastUsedAt: lastUsedAt)
    }

    /// The record of every token that was ever issued: the event of one that holds, and a tombstone
    /// for any other. So no event with a note stays on the log.
    static func recordsOfAll(
        at moment: Timestamp, connection: isolated PostgresConnection
    ) throws -> [LogRecord] {
        let live = try live(at: moment, connection: connection)
        let holding = Set(live.map(\.hash))
        let hashes: [String] = try connection.query(
            "SELECT hash FROM site_editor_names.tokens ORDER BY id"
        ).map { try $0["hash"] }
        return live.map { $0.record(source: SiteEditorSchema.source) }
            + hashes.filter { !holding.contains($0) }.map { hash in
                LogRecord.tombstone(of: .tokens, Array(hash.utf8))
            }
    }

    /// The records of the tokens that are valid.
    static func recordsOfLive(
        at moment: Timestamp, connection: isolated PostgresConnection
    ) throws -> [LogRecord] {
        try live(at: moment, connection: connection).map {
            $0.record(source: SiteEditorSchema.source)
        }
    }

    private static func live(
        at moment: Timestamp, connection: isolated PostgresConnection
    ) throws -> [TokenIssued] {
        try connection.query(
            """
            \(liveRows) ORDER BY id
            """, [.timestamp(microseconds: moment.microseconds)]
        ).compactMap { try row($0)?.issued.withoutNote }
    }

    /// Whether the site exists, even if only as a draft.
    public func isKnown(_ site: SiteID) async throws -> Bool {
        let rows = try await pool.query(
            """
            SELECT EXISTS (SELECT FROM site_editor.sites WHERE id = $1)
                OR EXISTS (SELECT FROM site_editor.drafts WHERE site = $1) AS known
            """, [.text(site.text)])
        return try rows.first.map { try $0["known"] } ?? false
    }

    /// The first building of the order that its site and the site's draft lack.
    public func unknownBuilding(in order: TokenOrder) async throws -> BuildingID? {
        guard let site = order.site else { return nil }
        return try await pool.withTransaction { connection in
            try UnknownBuilding.first(among: order.buildings, at: site, connection: connection)?
                .building
        }
    }

    /// Stores when tokens were last used, as the processes report it.
    func note(_ uses: [(token: EventID, at: Timestamp)]) async throws {
        _ = try await pool.query(
            """
            UPDATE site_editor_names.tokens AS known SET last_used_at = new.at
            FROM unnest($1::text[], $2::timestamptz[]) AS new (id, at)
            WHERE known.id = new.id::uuid
                AND (known.last_used_at IS NULL OR known.last_used_at < new.at)
            """,
            [
                .textArray(uses.map(\.token.description)),
                .timestampArray(microseconds: uses.map(\.at.microseconds)),
            ])
    }

    static let devicesMigration = """
        -- An erasure looks for the tokens of its devices.
        CREATE INDEX tokens_of_device ON site_editor_names.tokens (site, device)
            WHERE device IS NOT NULL
        """

    static let issuersMigration = """
        ALTER TABLE site_editor.tokens
            ADD COLUMN buildings text NOT NULL DEFAULT '',
            ADD COLUMN issued_by text,
            ADD COLUMN revoked_by text,
            ADD COLUMN last_used_at timestamptz,
            -- The whole of what was issued; absent for tokens from before this.
            ADD COLUMN event bytea;
        CREATE INDEX tokens_of_issuer ON site_editor.tokens (issued_by)
        """
}
