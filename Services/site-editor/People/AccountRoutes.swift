import Access
import Events
import HTTP
import ServiceHost
import Wire

/// /v1/accounts and /v1/invitations: people join by a link; administrators invite, change and end
/// accounts.
struct AccountRoutes: Sendable {
    private static let pageMaximum = 1_000

    let people: People

    var all: [Route] {
        [
            Route(.post, "/v1/accounts", handler: .task { try await join($0) }),
            Route(.get, "/v1/accounts", handler: .task { try await list($0) }),
            Route(.patch, "/v1/accounts/{id}", handler: .task { try await change($0) }),
            Route(.delete, "/v1/accounts/{id}", handler: .task { try await end($0) }),
            Route(
                .delete, "/v1/accounts/{id}/sessions",
                handler: .task { try await endSessions($0) }),
            Route(.post, "/v1/invitations", handler: .task { try await invite($0) }),
            Route(.get, "/v1/invitations", handler: .task { try await invitations($0) }),
            Route(.delete, "/v1/invitations/{id}", handler: .task { try await withdraw($0) }),
        ]
    }

    private func join(_ request: HTTPRequest) async throws -> HTTPResponse {
        let submission = try request.read(JoinSubmission.init(json:))
        // The link is checked first, because making a hash is costly.
        guard
            let invitation = try await people.invitations.invitation(
                secret: submission.secret, at: people.clock.now)
        else { throw AccountRefusal.invitationUnusable }
        try People.checkNames(signIn: submission.signIn, name: submission.name)
        try people.checkPassword(
            submission.password, signIn: submission.signIn, name: submission.name)
        let hash = try await people.passwords.hash(submission.password)
        let account = try await people.invitations.accept(
            secret: submission.secret, signIn: People.normalised(submission.signIn),
            name: submission.name, password: hash, at: people.clock.now)
        people.security.note(
            .accountMade, by: account.id,
            [
                "way": SignInWay.link.rawValue, "invitation": invitation.id.description,
                "roles": account.grants.noted, "address": request.senderText,
            ])
        return try await people.begin(account, replacing: request, status: 201)
    }

    /// Lists the accounts that the caller may see. An administrator of a site sees accounts with a
    /// role there.
    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        var after: AccountID?
        if let text = request.firstQuery("after") {
            guard let id = AccountID(text) else {
                throw Problem(.idMalformed, "Send after as the id of an account.")
            }
            after = id
        }
        let limit = try request.pageLimit(maximum: Self.pageMaximum)
        let rows = try await people.accounts.accounts(after: after, limit: limit)
        let keeper = try request.keeper()
        let seen = rows.filter { keeper.sees($0.grants) }.map(\.listed)
        // The next page begins after the last row that was read, even if the caller may not see
        // that row.
        let next = rows.count == limit ? rows.last?.id.description : nil
        return .json(ListAnswer.json(seen, next: next))
    }

    private func change(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try Self.id(request)
        let keeper = try request.keeper()
        let submission = try request.read(AccountSubmission.init(json:))
        if let name = submission.name { try People.checkNames(signIn: "x", name: name) }
        if let grants = submission.grants { try keeper.checkMayGrant(grants) }
        let row = try await people.accounts.change(
            id, by: keeper, adding: submission.grants ?? [], at: people.clock.now
        ) { row in
            try Self.check(keeper, keeps: row)
            if let name = submission.name { row.name = name }
            if let grants = submission.grants { row.grants = grants }
        }
        guard let row else { throw Self.unknown }
        people.noteRoles(of: row) { people.security.note($0, by: request, $1) }
        return .json(row.listed.json)
    }

    private func end(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try Self.id(request)
        let keeper = try request.keeper()
        let endedTokens = try await people.accounts.end(id, by: keeper, at: people.clock.now) {
            try Self.check(keeper, keeps: $0)
        }
        guard let endedTokens else { throw Self.unknown }
        people.security.note(.accountEnded, by: request, ["of": id.description])
        if endedTokens > 0 {
            people.security.note(
                .tokensEnded, by: request,
                ["of": id.description, "tokens": String(endedTokens)])
        }
        return HTTPResponse(status: 204)
    }

    private func endSessions(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try Self.id(request)
        let keeper = try request.keeper()
        let row = try await people.accounts.change(id, by: keeper, at: people.clock.now) { row in
            try Self.check(keeper, keeps: row)
            row.sessionsEnded += 1
        }
        guard row != nil else { throw Self.unknown }
        people.security.note(.sessionsEnded, by: request, ["of": id.description])
        return HTTPResponse(status: 204)
    }

    private func invite(_ request: HTTPRequest) async throws -> HTTPResponse {
        let keeper = try request.keeper()
        let submission = try request.read(InvitationSubmission.init(json:))
        guard !submission.grants.isEmpty else {
            throw Problem(.grantsMissing, "Send the role that the person gets, and its site.")
        }
        try keeper.checkMayGrant(submission.grants)
        let (secret, row) = try await people.invitations.invite(
            note: submission.note, grants: submission.grants, by: keeper, at: people.clock.now)
        people.security.note(
            .invitationMade, by: request,
            ["invitation": row.id.description, "roles": row.grants.noted])
        let link = people.link(secret: secret)
        var response = HTTPResponse.json(row.listed.json(link: link), status: 201)
        response.headers.append(("cache-control", "no-store"))
        return response
    }

    private func invitations(_ request: HTTPRequest) async throws -> HTTPResponse {
        let keeper = try request.keeper()
        let rows = try await people.invitations.open(at: people.clock.now)
            .filter { keeper.sees($0.grants) }
        return .json(ListAnswer.json(rows.map(\.listed)))
    }

    private func withdraw(_ request: HTTPRequest) async throws -> HTTPResponse {
        let keeper = try request.keeper()
        guard let id = EventID(request.parameters["id"] ?? ""),
            let row = try await people.invitations.open(at: people.clock.now)
                .first(where: { $0.id == id }), keeper.sees(row.grants)
        else { throw Problem(.invitationUnknown, "There is no such open invitation.") }
        try keeper.checkKeeps(row.grants)
        try await people.invitations.withdraw(id)
        people.security.note(.invitationWithdrawn, by: request, ["invitation": id.description])
        return HTTPResponse(status: 204)
    }

    // MARK: Shared

    private static let unknown = Problem(.accountUnknown, "There is no such account.")

    private static func id(_ request: HTTPRequest) throws(Problem) -> AccountID {
        guard let id = AccountID(request.parameters["id"] ?? "") else { throw unknown }
        return id
    }

    /// An account that the administrator may not see gets the same answer as a missing one.
    private static func check(_ keeper: Keeper, keeps row: AccountRow) throws(Problem) {
        guard keeper.sees(row.grants) else { throw unknown }
        try keeper.checkKeeps(row.grants)
    }
}

extension AccountRow {
    fileprivate var listed: ListedAccount {
        ListedAccount(
            id: id, name: name, signIn: signIn, provider: issuer, grants: grants, madeAt: madeAt,
            madeBy: madeBy, signedInAt: signedInAt, isUnread: unreadGrants != nil)
    }
}

extension InvitationStore.Row {
    fileprivate var listed: ListedInvitation {
        ListedInvitation(
            id: id, note: note, grants: grants, madeBy: madeBy, expiresAt: expiresAt)
    }
}
