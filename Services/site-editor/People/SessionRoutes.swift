import Events
import HTTP
import ServiceHost
import Wire

/// /v1/session: people sign in, look up their session, and sign out.
struct SessionRoutes: Sendable {
    let people: People

    var all: [Route] {
        [
            Route(.post, "/v1/session", handler: .task { try await signIn($0) }).uncompressed,
            Route(.get, "/v1/session", handler: .task { try await show($0) }).uncompressed,
            Route(.delete, "/v1/session", handler: .task { try await signOut($0) }),
            Route(
                .post, "/v1/session/anonymous", maximumBodyBytes: 1_024,
                handler: .task { try await beginAnonymous($0) }),
            Route(.delete, "/v1/session/everywhere", handler: .task { try await endAll($0) }),
            Route(.post, "/v1/session/password", handler: .task { try await setPassword($0) }),
        ]
    }

    /// Begins the session of a visitor without an account. The secret of a site's link opens that
    /// site in it. A wrong one gets the answer of a site that does not exist.
    private func beginAnonymous(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard !request.body.isEmpty else {
            return try await people.begin(nil, replacing: request, status: 201)
        }
        let submission = try request.read(AnonymousSubmission.init(json:))
        guard let link = people.tokens.link(to: submission.site, secret: submission.secret) else {
            throw Problem.siteUnknown(submission.site)
        }
        return try await people.begin(nil, link: link, replacing: request, status: 201)
    }

    private func signIn(_ request: HTTPRequest) async throws -> HTTPResponse {
        // A page of another site could otherwise sign its visitor in as somebody else.
        guard request.header("sec-fetch-site") != "cross-site" else {
            throw Problem(.signInElsewhere, "Sign in on this site's own page.")
        }
        let submission = try request.read(SignInSubmission.init(json:))
        let account = try await people.account(
            signIn: submission.signIn, password: submission.password,
            address: request.senderText)
        try await people.accounts.noteSignIn(account.id, at: people.clock.now)
        people.noteSignIn(.password, of: account, by: request)
        return try await people.begin(account, replacing: request, status: 201)
    }

    private func show(_ request: HTTPRequest) async throws -> HTTPResponse {
        let caller = request.caller
        var account: AccountRow?
        if let id = caller?.account {
            account = try await people.accounts.account(id)
        }
        let answer = SessionAnswer(
            account: account?.id, name: account?.name, grants: account?.grants ?? [],
            endsAt: caller?.expiresAt, changeToken: caller?.changeToken)
        var response = HTTPResponse.json(
            answer.json(signIn: account?.signIn, hasProvider: people.provider != nil))
        response.headers.append(("cache-control", "no-store"))
        return response
    }

    private func signOut(_ request: HTTPRequest) async throws -> HTTPResponse {
        if request.caller?.account != nil {
            people.security.note(.signedOut, by: request, ["address": request.senderText])
        }
        await people.endHoldings(ofSessionIn: request)
        return HTTPResponse(status: 204, headers: [("set-cookie", people.endedCookie)])
    }

    private func endAll(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request.ownAccount()
        _ = try await people.accounts.change(id, at: people.clock.now) { $0.sessionsEnded += 1 }
        people.security.note(.sessionsEnded, by: request, ["of": id.description])
        return HTTPResponse(status: 204, headers: [("set-cookie", people.endedCookie)])
    }

    /// Changes the password, and ends all other sessions: somebody else may know the old password.
    private func setPassword(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request.ownAccount()
        let submission = try request.read(PasswordSubmission.init(json:))
        guard let account = try await people.accounts.account(id), let signIn = account.signIn
        else {
            throw Problem(.noPassword, "A provider signs you in: change it there.")
        }
        _ = try await people.account(
            signIn: signIn, password: submission.old, address: request.senderText)
        try people.checkPassword(submission.new, signIn: signIn, name: account.name)
        let hash = try await people.passwords.hash(submission.new)
        let changed = try await people.accounts.change(id, at: people.clock.now) {
            $0.password = hash
            $0.sessionsEnded += 1
        }
        people.security.note(.passwordChanged, by: request, ["address": request.senderText])
        return try await people.begin(changed, replacing: request, status: 200)
    }
}

extension HTTPRequest {
    func ownAccount() throws(Problem) -> AccountID {
        guard let id = caller?.account else {
            throw Problem(.sessionMissing, "Sign in first.")
        }
        return id
    }
}
