import EventLog
import Events
import LogViews
import Postgres
import ServiceHost
import Wire

/// Brings tokens and accounts to what the log says. A right that somebody lost since must not come
/// back, so the log wins in every doubt.
struct TrustFromLog {
    let state: LoggedState
    let moment: Timestamp

    func run(_ report: inout ReconcileReport, _ connection: isolated PostgresConnection) throws {
        let waiting = try connection.waitingKeys(of: .tokens)
        try tokens(waiting, &report, connection)
        try accounts(waiting, &report, connection)
        try endSessions(connection)
        let withdrawn = try connection.query("DELETE FROM site_editor_names.invitations").affected
        if withdrawn > 0 {
            report.note("\(withdrawn) invitations may have been used since: invite again")
        }
        let unread = state.unreadTrust
        if unread > 0 {
            report.note(
                "\(unread) records of tokens and people can't be read on the log, and their rows "
                    + "stay as they are")
        }
    }

    private func tokens(
        _ waiting: Set<[UInt8]>, _ report: inout ReconcileReport,
        _ connection: isolated PostgresConnection
    ) throws {
        var isGone: [String: Bool] = [:]
        for row in try connection.query(
            """
            SELECT hash, revoked_at IS NOT NULL
                OR off_log_since IS NOT NULL AND expires_at <= $1 AS is_gone
            FROM site_editor_names.tokens FOR UPDATE
            """, [.timestamp(microseconds: moment.microseconds)])
        {
            isGone[try row["hash"]] = try row["is_gone"]
        }
        let logged = state.trust.tokens
        let unreadable = state.trust.unreadable
        let new = logged.values.filter {
            isGone[$0.hash] == nil && !unreadable.contains(Array($0.hash.utf8))
        }.sorted { $0.id < $1.id }
        for issued in new { try TokenStore.insert(issued, connection: connection) }
        report.count("tokens", new.count)
        if !new.isEmpty { report.note("\(new.count) tokens are back without their notes") }
        let gone = isGone.keys.filter {
            isGone[$0] == false && logged[$0] == nil && !waiting.contains(Array($0.utf8))
                && !unreadable.contains(Array($0.utf8))
        }
        let revoked = try TokenStore.revoke(
            gone.sorted(), by: SiteReconciling.author, at: moment, connection: connection)
        report.count("tokensRevoked", revoked)
        let stillThere = isGone.keys.filter {
            isGone[$0] == true && (logged[$0] != nil || unreadable.contains(Array($0.utf8)))
        }
        try SiteEditorSchema.outbox.put(
            stillThere.sorted().map { LogRecord.tombstone(of: .tokens, Array($0.utf8)) },
            connection: connection)
    }

    private func accounts(
        _ waiting: Set<[UInt8]>, _ report: inout ReconcileReport,
        _ connection: isolated PostgresConnection
    ) throws {
        var open: [AccountID: AccountRow] = [:]
        for row in try connection.query(
            """
            SELECT \(AccountRow.columns) FROM site_editor_names.accounts WHERE ended_at IS NULL
            FOR UPDATE
            """)
        {
            let account = try AccountRow(row)
            open[account.id] = account
        }
        for (id, row) in open {
            let key = Self.key(of: id)
            if state.trust.unreadable.contains(key) { continue }
            if let logged = state.trust.accounts[id] {
                guard logged.version != row.version else { continue }
                try connection.query(
                    """
                    UPDATE site_editor_names.accounts
                    SET grants = $2, version = $3, sessions_ended = $4 WHERE id = $1
                    """,
                    [
                        .uuid(id.event.bytes), .text(logged.grants.storedJSON),
                        .int(logged.version), .int(logged.sessionsEnded),
                    ])
                report.count("accounts", 1)
            } else if !waiting.contains(key) {
                try AccountStore.forget(id, at: moment, connection: connection)
                report.count("accountsEnded", 1)
            }
        }
        let unknown = state.trust.accounts.keys.filter {
            open[$0] == nil && !state.trust.unreadable.contains(Self.key(of: $0))
        }
        try SiteEditorSchema.outbox.put(
            unknown.sorted { $0.description < $1.description }.map {
                LogRecord.tombstone(of: .tokens, Self.key(of: $0))
            }, connection: connection)
        if !unknown.isEmpty {
            report.note("\(unknown.count) people have no account any more: invite them again")
        }
    }

    private static func key(of account: AccountID) -> [UInt8] {
        Array((AccountChanged.keyPrefix + account.description).utf8)
    }

    /// The secret halves of the present keys are lost, so everybody signs in again.
    private func endSessions(_ connection: isolated PostgresConnection) throws {
        try connection.query("DELETE FROM site_editor.session_keys")
        try SiteEditorSchema.outbox.put(
            state.trust.sessionKeys.keys.sorted().map {
                LogRecord.tombstone(of: .tokens, Array((SessionKeyMade.keyPrefix + $0).utf8))
            }
                + state.trust.unreadable.filter(LoggedState.isSessionKey).map {
                    LogRecord.tombstone(of: .tokens, $0)
                }, connection: connection)
    }
}

extension LogRecord {
    /// A record that removes the key from a compacted topic.
    static func tombstone(of topic: Topic, _ key: [UInt8]) -> LogRecord {
        LogRecord(topic: topic.name, key: key, value: nil)
    }
}
