import Access
import Events
import HTTP
import Postgres
import ServiceHost
import Wire

/// An administrator of all or some sites, who manages accounts there.
struct Keeper: Sendable {
    let id: String
    let grants: [Grant]

    /// Whether the administrator may see an account with these grants: one of them must be at a
    /// site of the administrator.
    func sees(_ other: [RoleGrant]) -> Bool {
        isOfAll || other.contains { grant in mayGrant(grant) }
    }

    /// - Throws: a `Problem` where the grants exceed those of the administrator.
    func checkMayGrant(_ wanted: [RoleGrant]) throws(Problem) {
        for grant in wanted {
            do throws(Issuing.Refusal) {
                // The rules for tokens hold for people too. For example, an administrator of a site
                // needs a site.
                try Issuing.check(
                    grant.role, site: grant.site, buildings: grant.buildings, device: nil,
                    issuer: nil)
            } catch {
                throw error.problem
            }
        }
        guard wanted.allSatisfy(mayGrant) else {
            throw Problem(
                .grantBeyondOwn, "You can grant roles only where you administrate.")
        }
    }

    /// - Throws: a `Problem` where the person has a role that the administrator could not grant.
    func checkKeeps(_ other: [RoleGrant]) throws(Problem) {
        guard isOfAll || other.allSatisfy(mayGrant) else {
            throw Problem(
                .accountNotYours,
                "This person has roles elsewhere too: an administrator of all sites can do it.")
        }
    }

    /// Checks the rights again, and keeps them until the end of the transaction.
    ///
    /// - Throws: `GrantsChanged` if they are others by now.
    func demandStillHolds(connection: isolated PostgresConnection) throws {
        try TokenStore.demandStillHolds(id, grants: grants, connection: connection)
    }

    private var isOfAll: Bool { grants.contains { $0.role == .administrator } }

    func mayGrant(_ wanted: RoleGrant) -> Bool {
        if isOfAll { return true }
        let wanted = Grant(wanted)
        guard wanted.role != .administrator else { return false }
        return grants.contains { $0.role == .administratorOfSite && $0.spans(wanted) }
    }
}

extension HTTPRequest {
    /// The caller as an administrator of accounts.
    func keeper() throws(Problem) -> Keeper {
        guard let caller else { throw .tokenMissing }
        return Keeper(id: caller.id, grants: caller.grants)
    }
}
