import Events
import HTTP
import ServiceHost
import Wire

/// The way in which a person came in. A proxy also stands for the issuer of its accounts.
enum SignInWay: String {
    case password, provider, proxy, link
}

extension People {
    func noteSignIn(_ way: SignInWay, of account: AccountRow, by request: HTTPRequest) {
        security.note(
            .signedIn, by: account.id, ["way": way.rawValue, "address": request.senderText])
    }

    /// Notes a sign-in by groups, and the changes that the groups made. In no group with a role the
    /// person is not signed in, but loses roles.
    func noteGroups(of account: AccountRow, _ way: SignInWay, by request: HTTPRequest) {
        if account.effect.isNew {
            security.note(
                .accountMade, by: account.id,
                [
                    "way": way.rawValue, "roles": account.grants.noted,
                    "address": request.senderText,
                ])
        }
        noteRoles(of: account) { event, fields in
            security.note(event, by: account.id, fields.merging(["way": way.rawValue]) { $1 })
        }
        if !account.grants.isEmpty { noteSignIn(way, of: account, by: request) }
    }

    /// Notes changed roles, and the tokens that ended with a lost one.
    func noteRoles(
        of account: AccountRow, _ note: (SecurityEvent, [String: String]) -> Void
    ) {
        let (id, effect) = (account.id.description, account.effect)
        if let former = effect.formerGrants {
            note(
                .rolesChanged,
                ["of": id, "roles": account.grants.noted, "former": former.noted])
        }
        if effect.endedTokens > 0 {
            note(.tokensEnded, ["of": id, "tokens": String(effect.endedTokens)])
        }
    }
}

extension [RoleGrant] {
    /// The roles in the spelling of `WHEREABOUTS_SIGN_IN_GROUPS`, such as `analyst@museum`.
    var noted: String {
        if isEmpty { return "none" }
        return map { grant in
            let buildings = grant.buildings.map(\.text).joined(separator: "+")
            return grant.role.rawValue + (grant.site.map { "@\($0)" } ?? "")
                + (buildings.isEmpty ? "" : "/" + buildings)
        }.joined(separator: ", ")
    }
}
