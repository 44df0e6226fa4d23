import Access
import Cryptography
import EventLog
import Events
import LogViews
import Postgres
import Wire

/// Stores accounts: row and event are one transaction.
struct AccountStore: Sendable {
    /// The most open accounts. An organisation with more should use a provider's groups.
    private static let maximumAccounts = 100_000

    let pool: PostgresPool
    let bell: OutboxBell

    func account(signIn: String) async throws -> AccountRow? {
        try await pool.query(
            "SELECT \(AccountRow.columns) FROM site_editor_names.accounts WHERE sign_in = $1",
            [.text(signIn)]
        ).first.map(AccountRow.init)
    }

    /// The account; nil when it does not exist or was ended.
    func account(_ id: AccountID) async throws -> AccountRow? {
        try await pool.withTransaction { connection in
            try Self.account(id, connection: connection)
        }
    }

    /// The account of a person whom a provider names; nil for one who never had a role here.
    func account(issuer: String, subject: String) async throws -> AccountRow? {
        try await pool.query(
            """
            SELECT \(AccountRow.columns) FROM site_editor_names.accounts
            WHERE issuer = $1 AND subject = $2
            """, [.text(issuer), .text(subject)]
        ).first.map(AccountRow.init)
    }

    /// Open accounts, the oldest first.
    func accounts(after: AccountID?, limit: Int) async throws -> [AccountRow] {
        try await pool.query(
            """
            SELECT \(AccountRow.columns) FROM site_editor_names.accounts
            WHERE ended_at IS NULL AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2
            """, [.optional(after?.event.bytes, PostgresValue.uuid), .int(limit)]
        ).map(AccountRow.init)
    }

    /// The event of every account that is open, as the log has it. Those whose roles can't be read
    /// are left out; `unread` is their number.
    static func recordsOfOpen(
        at moment: Timestamp, connection: isolated PostgresConnection
    ) throws -> (records: [LogRecord], unread: Int) {
        let rows = try connection.query(
            """
            SELECT \(AccountRow.columns) FROM site_editor_names.accounts
            WHERE ended_at IS NULL ORDER BY id
            """
        ).map(AccountRow.init)
        let records = rows.filter { $0.unreadGrants == nil }.map {
            $0.changed(at: moment).record(source: SiteEditorSchema.source)
        }
        return (records, rows.count - records.count)
    }

    func noteSignIn(_ id: AccountID, at moment: Timestamp) async throws {
        _ = try await pool.query(
            "UPDATE site_editor_names.accounts SET signed_in_at = $2 WHERE id = $1",
            [.uuid(id.event.bytes), .timestamp(microseconds: moment.microseconds)])
    }

    /// Changes an account; nil when there is none. Without a real change no event is appended.
    ///
    /// - Parameters:
    ///   - keeper: the administrator who does it; nil for the person's own doing.
    ///   - grants: those that the change may add. None is added at a site that was removed.
    ///   - change: changes the row; throws where that is not allowed.
    /// - Throws: also `GrantsChanged` if the administrator has other rights by now, and
    ///   `AccountRefusal.unreadable` where roles that can't be read would get lost. An added role
    ///   in a building that its site lacks is an `UnknownBuilding`.
    func change(
        _ id: AccountID, by keeper: Keeper? = nil, adding grants: [RoleGrant] = [],
        at moment: Timestamp, _ change: @Sendable (inout AccountRow) throws -> Void
    ) async throws -> AccountRow? {
        let row: AccountRow? = try await pool.withTransaction(attempts: 2) { connection in
            try Self.lockAdministrators(connection: connection)
            try DeviceStore.keepSites(of: grants, connection: connection)
            // Another change may have taken the administrator's rights while this one waited.
            try keeper?.demandStillHolds(connection: connection)
            guard let before = try Self.account(id, connection: connection) else { return nil }
            var row = before
            try change(&row)
            guard row.unreadGrants == nil else { throw AccountRefusal.unreadable(1) }
            try UnknownBuilding.refuse(in: grants, but: before.grants, connection: connection)
            if Self.isAdministrator(before), !Self.isAdministrator(row) {
                try Self.demandAnotherAdministrator(than: id, connection: connection)
            }
            try Self.store(&row, after: before, at: moment, connection: connection)
            return row
        }
        bell.ring()
        return row
    }

    /// Ends an account, deletes the person's data and erases their devices.
    ///
    /// - Parameters:
    ///   - keeper: the administrator who does it; nil for nobody whose rights could change.
    ///   - check: throws where the caller may not end the account.
    /// - Returns: the number of tokens that ended with it; nil when there is no such account.
    func end(
        _ id: AccountID, by keeper: Keeper? = nil, at moment: Timestamp,
        check: @Sendable (AccountRow) throws -> Void
    ) async throws -> Int? {
        let endedTokens: Int? = try await pool.withTransaction(attempts: 5) { connection in
            try Self.lockAdministrators(connection: connection)
            let sites = try ErasureStore.sites(of: id, connection: connection)
            try ErasureStore.lock(sites, connection)
            try keeper?.demandStillHolds(connection: connection)
            guard let row = try Self.account(id, connection: connection) else { return nil }
            // Sites are locked before the row. From here on nobody enrols a device of this account.
            guard try ErasureStore.sites(of: id, connection: connection).isSubset(of: sites) else {
                throw PostgresError.runAgain("a device was enrolled at another site")
            }
            try check(row)
            if Self.isAdministrator(row) {
                try Self.demandAnotherAdministrator(than: id, connection: connection)
            }
            try Self.forget(id, at: moment, connection: connection)
            try SiteEditorSchema.outbox.put(
                [.tombstone(of: .tokens, row.changed(at: moment).recordKey)],
                connection: connection)
            // A session of a minute may have issued a token for a year, so tokens end with the
            // account.
            let endedTokens = try TokenStore.revokeIssued(
                by: "account/\(id)", at: moment, connection: connection)
            try ErasureStore.eraseAll(of: id, at: moment, connection: connection)
            return endedTokens
        }
        bell.ring()
        return endedTokens
    }

    /// Deletes the person's data, and leaves the row of an ended account.
    static func forget(
        _ id: AccountID, at moment: Timestamp, connection: isolated PostgresConnection
    ) throws {
        try endHoldings(of: id, at: moment, connection: connection)
        try connection.query(
            """
            UPDATE site_editor_names.accounts SET ended_at = $2, sign_in = NULL, name = '',
                password = NULL, issuer = NULL, subject = NULL WHERE id = $1
            """,
            [.uuid(id.event.bytes), .timestamp(microseconds: moment.microseconds)])
    }

    /// The account of a person whom a provider names. It is made at the first sign-in, and each
    /// sign-in sets the roles of the person's present groups.
    ///
    /// - Parameter grants: the roles of the groups. If there are none, an account that is known
    ///   loses its own. An account whose roles can't be read keeps them, and has none here.
    /// - Returns: nil for somebody who has no role and is not known.
    func signedIn(
        issuer: String, subject: String, name: String, grants: [RoleGrant], at moment: Timestamp
    ) async throws -> AccountRow? {
        let row: AccountRow? = try await pool.withTransaction { connection in
            try Self.lockAdministrators(connection: connection)
            let known = try connection.query(
                """
                SELECT \(AccountRow.columns) FROM site_editor_names.accounts
                WHERE issuer = $1 AND subject = $2 FOR UPDATE
                """, [.text(issuer), .text(subject)]
            ).first.map(AccountRow.init)
            if let known {
                // A later release wrote the roles. A sign-in must not take them; an administrator
                // may.
                guard known.unreadGrants == nil else { return known }
                var row = known
                row.grants = grants
                if !grants.isEmpty { (row.name, row.signedInAt) = (name, moment) }
                try Self.store(&row, after: known, at: moment, connection: connection)
                return row
            }
            if grants.isEmpty { return nil }
            var row = AccountRow(
                id: Self.newID(at: moment), signIn: nil, name: name, password: nil,
                issuer: issuer, grants: grants, madeAt: moment, madeBy: issuer)
            row.effect.isNew = true
            try Self.insert(row, subject: subject, connection: connection)
            return row
        }
        bell.ring()
        return row
    }

    // MARK: Inside of a transaction

    /// Withdraws the grants of removed sites from all accounts, and invitations to them, in the
    /// transaction that removes the sites. The caller has the lock of `lockAdministrators`.
    ///
    /// - Throws: `AccountRefusal.unreadable` while a row that may name one of the sites can't be
    ///   read, such as one of a later release. Its person would have a role in the next site of
    ///   that id.
    static func withdrawGrants(
        of sites: [SiteID], at moment: Timestamp, connection: isolated PostgresConnection
    ) throws {
        let rows = try connection.query(
            """
            SELECT \(AccountRow.columns) FROM site_editor_names.accounts
            WHERE ended_at IS NULL AND \(namesSite) ORDER BY id FOR UPDATE
            """, [.textArray(sites.map(\.text))])
        let accounts = try rows.map(AccountRow.init)
        let unread = accounts.count { $0.unreadGrants != nil }
        guard unread == 0 else { throw AccountRefusal.unreadable(unread) }
        for before in accounts {
            var row = before
            row.grants.removeAll { $0.site.map(sites.contains) ?? false }
            try store(&row, after: before, at: moment, connection: connection)
        }
        try InvitationStore.withdraw(of: sites, connection: connection)
    }

    /// Holds for rows whose grants may be at one of the sites of `$1`. A building's id looks alike.
    static let namesSite = """
        EXISTS (SELECT FROM unnest($1::text[]) AS named
            WHERE position('"' || named || '"' IN grants) > 0)
        """

    /// Stores a changed account. All changes of grants that are decided here go through this, so
    /// the log gets each one. A lost right takes the tokens and invitations with it that the person
    /// made, and could not make by another one.
    private static func store(
        _ row: inout AccountRow, after before: AccountRow, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        let hasOtherGrants = row.storedGrants != before.storedGrants
        if hasOtherGrants || row.sessionsEnded != before.sessionsEnded {
            row.version += 1
            try SiteEditorSchema.outbox.put(
                [row.changed(at: moment).record(source: SiteEditorSchema.source)],
                connection: connection)
            // Who had the session had these rights.
            try endHoldings(of: row.id, at: moment, connection: connection)
        }
        if hasOtherGrants {
            row.effect.formerGrants = before.grants
            row.effect.endedTokens = try TokenStore.revokeIssued(
                by: "account/\(row.id)", beyond: row.grants, at: moment, connection: connection)
        }
        try connection.query(
            """
            UPDATE site_editor_names.accounts SET name = $2, password = $3, grants = $4,
                version = $5, sessions_ended = $6, signed_in_at = $7 WHERE id = $1
            """,
            [
                .uuid(row.id.event.bytes), .text(row.name),
                .optional(row.password, PostgresValue.text), .text(row.storedGrants),
                .int(row.version), .int(row.sessionsEnded),
                .optional(row.signedInAt?.microseconds) { .timestamp(microseconds: $0) },
            ])
    }

    /// Ends what an account's sessions share, and what they are paired with.
    private static func endHoldings(
        of id: AccountID, at moment: Timestamp, connection: isolated PostgresConnection
    ) throws {
        try PositionShareStore.endAll(of: id, connection: connection)
        try PairingStore.endAll(of: id, at: moment, connection: connection)
    }

    static func newID(at moment: Timestamp) -> AccountID {
        let id = UniqueIdentifier(millisecondsSinceEpoch: moment.milliseconds)
        return AccountID(EventID(high: id.high, low: id.low))
    }

    static func insert(
        _ row: AccountRow, subject: String? = nil, connection: isolated PostgresConnection
    ) throws {
        let counted = try connection.query(
            "SELECT count(*) AS count FROM site_editor_names.accounts WHERE ended_at IS NULL")
        let count: Int = try counted.first?["count"] ?? 0
        guard count < maximumAccounts else {
            throw AccountRefusal.tooMany(count)
        }
        if let signIn = row.signIn {
            let same = try connection.query(
                "SELECT 1 FROM site_editor_names.accounts WHERE sign_in = $1", [.text(signIn)])
            guard same.isEmpty else {
                throw AccountRefusal.signInTaken
            }
        }
        try connection.query(
            """
            INSERT INTO site_editor_names.accounts
                (id, sign_in, name, password, issuer, subject, grants, version, sessions_ended,
                 made_at, made_by)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            [
                .uuid(row.id.event.bytes), .optional(row.signIn, PostgresValue.text),
                .text(row.name), .optional(row.password, PostgresValue.text),
                .optional(row.issuer, PostgresValue.text), .optional(subject, PostgresValue.text),
                .text(row.grants.storedJSON), .int(row.version), .int(row.sessionsEnded),
                .timestamp(microseconds: row.madeAt.microseconds), .text(row.madeBy),
            ])
        try SiteEditorSchema.outbox.put(
            [row.changed(at: row.madeAt).record(source: SiteEditorSchema.source)],
            connection: connection)
    }

    /// Reads an account and locks its row until the transaction ends; nil for one that was ended.
    static func account(
        _ id: AccountID, connection: isolated PostgresConnection
    ) throws -> AccountRow? {
        try connection.query(
            """
            SELECT \(AccountRow.columns) FROM site_editor_names.accounts
            WHERE id = $1 AND ended_at IS NULL FOR UPDATE
            """, [.uuid(id.event.bytes)]
        ).first.map(AccountRow.init)
    }

    /// Makes changes of accounts wait for each other. Otherwise two changes at once could remove
    /// the last administrator, or give one sign-in to two people.
    static func lockAdministrators(connection: isolated PostgresConnection) throws {
        try connection.query("SELECT pg_advisory_xact_lock(hashtextextended('accounts', 3))")
    }

    static func isAdministrator(_ row: AccountRow) -> Bool {
        row.grants.contains(RoleGrant(.administrator))
    }

    /// Whether an open account other than this one administrates all sites.
    ///
    /// - Parameter countsUnread: whether one counts whose roles a later release wrote. It may be
    ///   an administrator there, so nobody gets the first administrator's link beside it.
    static func hasAdministrator(
        beside id: AccountID? = nil, countsUnread: Bool = false,
        connection: isolated PostgresConnection
    ) throws -> Bool {
        try connection.query(
            """
            SELECT \(AccountRow.columns) FROM site_editor_names.accounts
            WHERE ended_at IS NULL AND grants LIKE '%"administrator"%'
            """
        ).map(AccountRow.init).contains {
            $0.id != id && (isAdministrator($0) || countsUnread && $0.unreadGrants != nil)
        }
    }

    private static func demandAnotherAdministrator(
        than id: AccountID, connection: isolated PostgresConnection
    ) throws {
        guard try hasAdministrator(beside: id, connection: connection) else {
            throw AccountRefusal.lastAdministrator
        }
    }
}
