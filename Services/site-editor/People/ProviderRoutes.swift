import Access
import Cryptography
import Events
import HTTP
import OpenIDConnect
import Postgres
import Retrying
import ServiceHost
import Wire

/// /v1/sign-in: signs people in by an OpenID provider, or by a proxy in front of Whereabouts.
struct ProviderRoutes: Sendable {
    private static let stateCookie = "whereabouts-sign-in"
    private static let minutesAtProvider: Int64 = 10
    /// The most sign-ins that are open at the provider. Strangers can begin any number.
    private static let maximumAtProvider = 10_000
    private static let userHeader = "remote-user"
    private static let nameHeader = "remote-name"
    private static let groupsHeader = "remote-groups"
    /// The headers by which a proxy says who somebody is. Proxies must remove them from requests of
    /// clients. The e-mail address is not read, but proxies send it, too.
    static let proxyHeaders = [userHeader, nameHeader, groupsHeader, "remote-email"]

    let people: People

    var all: [Route] {
        [
            Route(.get, "/v1/sign-in/provider", handler: .task { try await begin($0) }),
            Route(.get, "/v1/sign-in/provider/return", handler: .task { try await end($0) }),
            Route(.get, "/v1/sign-in/proxy", handler: .task { try await byProxy($0) }),
        ]
    }

    private var returnAddress: String {
        people.settings.publicURL + "/v1/sign-in/provider/return"
    }

    private func begin(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let provider = people.provider else { throw Self.noProvider }
        guard people.mayBeginAtProvider(request.senderText) else {
            throw Problem(
                .signInSlowed, "Too many sign-ins were begun from your address: wait a minute.",
                retryAfterSeconds: 5)
        }
        let state = base64URL(randomBytes(32))
        let nonce = base64URL(randomBytes(32))
        let verifier = base64URL(randomBytes(32))
        let address = try await reporting {
            try await provider.authorizationAddress(
                redirect: returnAddress, state: state, nonce: nonce, verifier: verifier)
        }
        try await keep(
            state, nonce: nonce, verifier: verifier,
            returnTo: Self.ownPath(request.firstQuery("return")))
        return Self.redirect(
            to: address,
            // Only the browser that began may end the sign-in, so it gets a cookie.
            cookies: [
                people.setCookie(Self.stateCookie, state, seconds: Self.minutesAtProvider * 60)
            ])
    }

    /// Ends a sign-in when the browser comes back with the provider's code.
    private func end(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let provider = people.provider else { throw Self.noProvider }
        guard let state = request.firstQuery("state"),
            let own = request.cookie(Self.stateCookie),
            isEqualInConstantTime(Array(state.utf8), Array(own.utf8)),
            let begun = try await dequeue(state)
        else {
            throw Problem(.signInUnknown, "This sign-in was not begun here: begin again.")
        }
        guard let code = request.firstQuery("code") else {
            throw Problem(.signInRefused, "The provider did not sign you in.")
        }
        let identity = try await reporting {
            try await provider.identity(
                code: code, redirect: returnAddress, nonce: begun.nonce, verifier: begun.verifier)
        }
        return try await welcome(
            identity, of: people.settings.openID?.issuer ?? "", .provider, request,
            returnTo: begun.returnTo)
    }

    /// Signs in the person whom a proxy names. The proxy must have one of the allowed addresses.
    private func byProxy(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let peer = request.peerAddress,
            people.settings.proxies.contains(where: { $0.contains(peer) })
        else {
            throw Problem(
                .proxyNotTrusted,
                "This address may not sign people in: it is not in WHEREABOUTS_SIGN_IN_PROXIES.")
        }
        guard let user = request.header(Self.userHeader), !user.isEmpty, user.utf8.count <= 255
        else {
            throw Problem(.proxyNamesNobody, "The proxy sends no Remote-User.")
        }
        let groups = request.header(Self.groupsHeader)?.split(separator: ",").map { group in
            String(group.drop { $0 == " " })
        }
        let person = OpenIDIdentity(
            subject: user, name: request.header(Self.nameHeader) ?? user, groups: groups)
        return try await welcome(
            person, of: SignInWay.proxy.rawValue, .proxy, request,
            returnTo: Self.ownPath(request.firstQuery("return")))
    }

    private func welcome(
        _ person: OpenIDIdentity, of issuer: String, _ way: SignInWay, _ request: HTTPRequest,
        returnTo: String
    ) async throws -> HTTPResponse {
        var groups = person.groups
        if groups == nil { groups = try await missingGroups(of: person, issuer, request) }
        let name = person.name ?? person.email ?? person.subject
        let account = try await people.accounts.signedIn(
            issuer: issuer, subject: person.subject, name: String(name.prefix(100)),
            grants: people.settings.grants(of: groups ?? []), at: people.clock.now)
        if let account { people.noteGroups(of: account, way, by: request) }
        if let account, account.unreadGrants != nil {
            throw Problem(
                .noRole,
                "A later release wrote your roles, and this one can't read them: ask an "
                    + "administrator.")
        }
        guard let account, !account.grants.isEmpty else {
            throw Problem(
                .noRole,
                "You are known, but none of your groups has a role here: ask an administrator.")
        }
        let (cookie, _, _) = try people.session(of: account)
        await people.endHoldings(ofSessionIn: request)
        return Self.redirect(
            to: returnTo,
            cookies: [cookie, people.setCookie(Self.stateCookie, "", seconds: 0)])
    }

    /// No groups, if the settings take missing groups so. The security log tells the operator:
    /// somebody may have roles for longer than they should.
    private func missingGroups(
        of person: OpenIDIdentity, _ issuer: String, _ request: HTTPRequest
    ) async throws -> [String] {
        let areNone = people.settings.missingGroupsAreNone && !person.hasGroupsElsewhere
        if !people.settings.groups.entries.isEmpty {
            let account = try await people.accounts.account(
                issuer: issuer, subject: person.subject)
            var fields = ["issuer": issuer, "taken": areNone ? "no groups" : "refused"]
            fields["account"] = account?.id.description
            people.security.note(.groupsMissing, by: request, fields)
        }
        guard areNone else {
            // The settings may be wrong, so the person keeps the roles of before.
            throw Problem(
                .noRole,
                "Nothing is said of your groups, so your roles stay as they were. Ask an "
                    + "administrator: WHEREABOUTS_OIDC_GROUPS_CLAIM or Remote-Groups is missing.")
        }
        return []
    }

    // MARK: Sign-ins that are at the provider

    private struct Begun {
        var nonce: String
        var verifier: String
        var returnTo: String
    }

    private func keep(
        _ state: String, nonce: String, verifier: String, returnTo: String
    ) async throws {
        let now = people.clock.now
        try await people.accounts.pool.withTransaction { connection in
            try Self.forgetExpired(at: now, connection: connection)
            let rows = try connection.query(
                "SELECT count(*) AS count FROM site_editor.provider_sign_ins")
            let count: Int = try rows.first?["count"] ?? 0
            guard count < Self.maximumAtProvider else {
                throw Problem(
                    .signInBusy, "Many people are signing in just now; try again.",
                    retryAfterSeconds: 10)
            }
            try connection.query(
                """
                INSERT INTO site_editor.provider_sign_ins
                    (hash, nonce, verifier, return_to, expires_at)
                VALUES ($1, $2, $3, $4, $5)
                """,
                [
                    .text(sha256Hex(state)), .text(nonce), .text(verifier), .text(returnTo),
                    .timestamp(
                        microseconds: now.advanced(
                            byMicroseconds: Self.minutesAtProvider * 60_000_000
                        ).microseconds),
                ])
        }
    }

    static func forgetExpired(
        at moment: Timestamp, connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            "DELETE FROM site_editor.provider_sign_ins WHERE expires_at <= $1",
            [.timestamp(microseconds: moment.microseconds)])
    }

    /// Reads and deletes an open sign-in, so that it can end only once.
    private func dequeue(_ state: String) async throws -> Begun? {
        try await people.accounts.pool.query(
            """
            DELETE FROM site_editor.provider_sign_ins WHERE hash = $1 AND expires_at > $2
            RETURNING nonce, verifier, return_to
            """,
            [
                .text(sha256Hex(state)),
                .timestamp(microseconds: people.clock.now.microseconds),
            ]
        ).first.map { row in
            Begun(
                nonce: try row["nonce"], verifier: try row["verifier"],
                returnTo: try row["return_to"])
        }
    }

    // MARK: Shared

    private static let noProvider = Problem(
        .noProvider, "No sign-in provider is set up: sign in by password.")

    /// Runs a sign-in. The operator gets the reason of a failure, and the person only a plain
    /// problem.
    private func reporting<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let fault as OpenIDFault {
            people.notices.onUnexpected("Signing somebody in by the provider failed: \(fault)")
            throw fault.code == .providerUnreachable
                ? Problem(
                    .providerUnreachable, "The sign-in provider does not answer; try again.",
                    retryAfterSeconds: 5)
                : Problem(.signInRefused, "The provider did not sign you in.")
        }
    }

    /// A path of this site to continue with. An address of another site becomes the first page.
    static func ownPath(_ text: String?) -> String {
        guard let text, text.utf8.count <= 500, text.hasPrefix("/"),
            text.utf8.dropFirst().first != UInt8(ascii: "/"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return "/" }
        return text
    }

    private static func redirect(to address: String, cookies: [String]) -> HTTPResponse {
        HTTPResponse(
            status: 303,
            headers: [("location", address), ("cache-control", "no-store")]
                + cookies.map { ("set-cookie", $0) })
    }
}
