import Access
import Events
import Postgres
import Site

extension TokenStore {
    /// Revokes the tokens that an account issued and may not issue any more, with those that these
    /// issued, and deletes such invitations. This belongs to the transaction that ends the account
    /// or changes its rights, whether an administrator does that or a provider's groups.
    ///
    /// - Parameter grants: those that the account has left. By one of them it may have issued what
    ///   stays.
    /// - Returns: the number of tokens that were revoked.
    static func revokeIssued(
        by issuer: String, beyond grants: [RoleGrant] = [], at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws -> Int {
        let left = grants.map(Grant.init)
        try InvitationStore.withdrawIssued(
            by: Keeper(id: issuer, grants: left), connection: connection)
        var kept: [String] = []
        let issued = try connection.query(
            """
            SELECT id::text AS id, role, site, buildings FROM site_editor_names.tokens
            WHERE issued_by = $1
            """, [.text(issuer)])
        for row in issued {
            if let grant = try grant(row), Issuing.permits(grant, by: left) {
                kept.append(try row["id"])
            }
        }
        return try revokeRepeatedly(
            """
            WITH RECURSIVE gone AS (
                SELECT id FROM site_editor_names.tokens
                WHERE issued_by = $1 AND id <> ALL ($3::text[]::uuid[])
                UNION
                SELECT child.id FROM site_editor_names.tokens AS child
                JOIN gone ON child.issued_by = gone.id::text)
            UPDATE site_editor_names.tokens SET revoked_at = $2, revoked_by = $1
            WHERE id IN (SELECT id FROM gone) AND revoked_at IS NULL RETURNING hash
            """,
            [
                .text(issuer), .timestamp(microseconds: moment.microseconds), .textArray(kept),
            ], connection: connection
        ).count
    }

    /// The grant of a token; nil for a role that this release does not know.
    private static func grant(_ row: PostgresRow) throws -> Grant? {
        let (role, site): (String, String?) = (try row["role"], try row["site"])
        let buildings: String = try row["buildings"]
        guard let role = TokenRole(rawValue: role) else { return nil }
        return Grant(
            RoleGrant(
                role, site: site.map { SiteID($0) },
                buildings: buildings.split(separator: ",").map { BuildingID(String($0)) }))
    }
}
