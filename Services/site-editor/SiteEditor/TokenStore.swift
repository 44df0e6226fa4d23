import Cryptography
import EventLog
public import Events
import HTTP
import LogViews
public import Postgres
import Wire

/// Tokens as they were issued and revoked. Only hashes are stored; the text is shown once.
public struct TokenStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) { self.pool = pool }

    /// What the administrator asks for.
    public struct Order: Sendable {
        public var role: TokenRole
        public var site: SiteID?
        public var device: DeviceID?
        public var note: String
        public var expiresAt: Timestamp?
        /// The public half of the bearer's Ed25519 key, in hex.
        public var signingKey: String?
        public var quota: TokenQuota?

        public init(
            role: TokenRole, site: SiteID? = nil, device: DeviceID? = nil, note: String = "",
            expiresAt: Timestamp? = nil, signingKey: String? = nil
        ) {
            self.signingKey = signingKey
            self.role = role
            self.site = site
            self.device = device
            self.note = note
            self.expiresAt = expiresAt
        }
    }

    /// Makes site-editor's tables where they are missing, for programs that run before it.
    public func prepare() async throws { try await SiteEditorSchema.migrate(pool) }

    /// Issues a token; its text is nowhere stored.
    /// - Throws: a `Problem` when the order makes no sense.
    public func issue(
        _ order: Order, at moment: Timestamp
    ) async throws -> (token: String, issued: TokenIssued) {
        guard order.role != .device || (order.device != nil && order.site != nil) else {
            throw Problem(
                422, "device-missing", "A device's token names its site and its device.")
        }
        guard order.note.utf8.count <= Self.noteLimit else {
            throw Problem(422, "note-too-long", "A note has at most \(Self.noteLimit) bytes.")
        }
        guard order.signingKey.map(Self.isKey) ?? true else {
            throw Problem(
                422, "signing-key-malformed",
                "A signing key is 64 hex digits: the public half of an Ed25519 key.")
        }
        let token = BearerToken()
        let id = UniqueIdentifier(millisecondsSinceEpoch: moment.milliseconds)
        let issued = TokenIssued(
            hash: token.hash, id: EventID(high: id.high, low: id.low), role: order.role,
            site: order.site, device: order.device, note: order.note, issuedAt: moment,
            expiresAt: order.expiresAt, signingKey: order.signingKey, quota: order.quota)
        try await pool.withTransaction { connection in
            try connection.query(
                """
                INSERT INTO site_editor.tokens
                    (id, hash, role, site, device, note, issued_at, expires_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                """,
                [
                    .uuid(issued.id.bytes), .text(issued.hash), .text(issued.role.rawValue),
                    .optional(issued.site?.text, PostgresValue.text),
                    .optional(issued.device?.text, PostgresValue.text), .text(issued.note),
                    .timestamp(microseconds: moment.microseconds),
                    .optional(issued.expiresAt?.microseconds) { .timestamp(microseconds: $0) },
                ])
            try SiteEditorSchema.outbox.put(
                [issued.record(source: SiteEditorSchema.source)], connection: connection)
        }
        return (token.text, issued)
    }

    /// Revokes a token; false when there is none, or it is revoked already.
    public func revoke(_ id: EventID, at moment: Timestamp) async throws -> Bool {
        try await pool.withTransaction { connection in
            let rows = try connection.query(
                """
                UPDATE site_editor.tokens SET revoked_at = $2
                WHERE id = $1 AND revoked_at IS NULL RETURNING hash
                """,
                [.uuid(id.bytes), .timestamp(microseconds: moment.microseconds)])
            guard let row = rows.first else { return false }
            let hash: String = try row["hash"]
            let tombstone = LogRecord(
                topic: Topic.tokens.name, key: Array(hash.utf8), value: nil)
            try SiteEditorSchema.outbox.put([tombstone], connection: connection)
            return true
        }
    }

    /// Tokens that are neither revoked nor expired, oldest first.
    public func live(at moment: Timestamp) async throws -> [TokenIssued] {
        try await pool.query(
            """
            SELECT id, hash, role, site, device, note, issued_at, expires_at
            FROM site_editor.tokens
            WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1) ORDER BY id
            """, [.timestamp(microseconds: moment.microseconds)]
        ).compactMap { row in
            let id: [UInt8] = try row["id"]
            let role: String = try row["role"]
            let site: String? = try row["site"]
            let device: String? = try row["device"]
            let expiresAt: Int64? = try row["expires_at"]
            guard let id = EventID(bytes: id), let role = TokenRole(rawValue: role) else {
                return nil
            }
            return TokenIssued(
                hash: try row["hash"], id: id, role: role, site: site.map(SiteID.init),
                device: device.map(DeviceID.init), note: try row["note"],
                issuedAt: Timestamp(microseconds: try row["issued_at"]),
                expiresAt: expiresAt.map(Timestamp.init(microseconds:)))
        }
    }

    private static let noteLimit = 500

    private static func isKey(_ text: String) -> Bool {
        bytes(fromHexadecimal: text)?.count == Ed25519.publicKeyBytes
    }
}
