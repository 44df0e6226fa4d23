import Access
import Cryptography
import Events
import HTTP
import HTTPClient
import OpenIDConnect
import Postgres
import Retrying
import ServiceHost
import ServiceRuntime
import Synchronization
import Wire

/// The stores and settings that the routes for people share.
final class People: Sendable {
    static let cookieName = "whereabouts-session"

    let tokens: TokenDirectory
    let clock: EventClock
    let notices: Notices
    let security: SecurityLog
    let accounts: AccountStore
    let invitations: InvitationStore
    let keys: SessionKeys
    let passwords = PasswordWork()
    let settings: PeopleSettings
    let provider: OpenIDProvider?
    /// Ends what a session shares, and what it is paired with.
    let endHoldings: @Sendable (SessionMark, Timestamp) async throws -> Void
    private let throttle = Mutex(SignInThrottle())
    /// How many sign-ins each address may still begin at the provider.
    private let begun = Mutex<[String: TokenBucket]>([:])

    init(
        tokens: TokenDirectory, clock: EventClock, notices: Notices, security: SecurityLog,
        accounts: AccountStore, invitations: InvitationStore, keys: SessionKeys,
        settings: PeopleSettings, client: HTTPClient,
        endHoldings: @escaping @Sendable (SessionMark, Timestamp) async throws -> Void = { _, _ in }
    ) {
        self.endHoldings = endHoldings
        self.tokens = tokens
        self.clock = clock
        self.notices = notices
        self.security = security
        self.accounts = accounts
        self.invitations = invitations
        self.keys = keys
        self.settings = settings
        provider = settings.openID.map { openID in
            OpenIDProvider(openID, client: client) {
                Double(clock.now.microseconds) / 1e6
            }
        }
    }

    // MARK: Passwords

    /// The account with this sign-in and password.
    /// - Throws: a `Problem` that does not tell which of the two is wrong.
    func account(
        signIn: String, password: String, address: String
    ) async throws -> AccountRow {
        let signIn = Self.normalised(signIn)
        let now = Double(clock.now.microseconds) / 1e6
        // A try counts as wrong until it has succeeded, so that many tries at once can't get around
        // the limit.
        let refusal = throttle.withLock { throttle in
            let refusal = throttle.refusal(account: signIn, address: address, now: now)
            if refusal == nil { throttle.failed(account: signIn, address: address, now: now) }
            return refusal
        }
        if let refusal {
            throw Problem(
                .signInSlowed, "Too many wrong passwords: wait before the next try.",
                retryAfterSeconds: refusal.secondsToWait)
        }
        let row: AccountRow?
        let isRight: Bool
        do {
            row = try await accounts.account(signIn: signIn)
            isRight = try await passwords.matches(password, row?.password)
        } catch {
            throttle.withLock { $0.unjudged(account: signIn, address: address) }
            throw error
        }
        guard isRight, let row else {
            throw Problem(.signInWrong, "The sign-in or the password is wrong.")
        }
        throttle.withLock { $0.succeeded(account: signIn, address: address) }
        return row
    }

    /// The sign-in in lower case, for storing and comparing, since people type e-mail addresses
    /// either way.
    static func normalised(_ signIn: String) -> String { signIn.lowercased() }

    /// - Throws: a `Problem` that gives the reason why a password is refused.
    func checkPassword(_ password: String, signIn: String, name: String) throws(Problem) {
        if let objection = PasswordRule.objection(to: password, signIn: signIn, name: name) {
            throw Problem(.passwordUnusable, objection)
        }
    }

    /// - Throws: a `Problem` where a name or sign-in is not allowed.
    static func checkNames(signIn: String, name: String) throws(Problem) {
        for (field, text) in [("signIn", signIn), ("name", name)] {
            let isEmpty = text.utf8.allSatisfy { $0 == 0x20 }
            let hasControl = text.unicodeScalars.contains {
                $0.properties.generalCategory == .control
            }
            guard !isEmpty, !hasControl, text.first != " ", text.last != " " else {
                throw Problem(
                    .nameUnusable,
                    "Send \(field) with text, without control characters, "
                        + "and without spaces at its ends."
                )
            }
        }
    }

    // MARK: The provider

    private static let mostBeginners = 10_000

    /// Whether the address may send one more browser to the provider: 200 at once and one a second.
    /// Otherwise a single stranger could fill the list of open sign-ins.
    func mayBeginAtProvider(_ address: String) -> Bool {
        let now = clock.now.microseconds &* 1_000
        return begun.withLock { begun in
            if begun[address] == nil, begun.count >= Self.mostBeginners {
                begun = begun.filter { !$0.value.isFull(at: now) }
                if begun.count >= Self.mostBeginners { begun = [:] }
            }
            var bucket =
                begun[address] ?? TokenBucket(perSecond: 1, burst: 200, nowNanoseconds: now)
            let isGranted = bucket.spend(1, at: now)
            begun[address] = bucket
            return isGranted
        }
    }

    // MARK: Sessions

    /// Makes a session: its cookie, and the data that its page needs.
    ///
    /// - Parameter account: nil for a visitor without one.
    func session(
        of account: AccountRow?, link: SiteLink? = nil
    ) throws(Problem) -> (cookie: String, text: String, value: SessionValue) {
        let now = clock.now
        let value = SessionValue(
            id: clock.newEventID(), account: account?.id,
            sessionsEnded: account?.sessionsEnded ?? 0, beganAt: now,
            endsAt: now.advanced(byHours: SessionValue.longestHours),
            changeToken: base64URL(randomBytes(16)), link: link)
        guard let text = keys.text(of: value) else { throw .starting }
        let seconds = SessionValue.longestHours * 3_600
        return (setCookie(Self.cookieName, text, seconds: seconds), text, value)
    }

    /// The header value that ends the session in the browser.
    var endedCookie: String { setCookie(Self.cookieName, "", seconds: 0) }

    func setCookie(_ name: String, _ value: String, seconds: Int64) -> String {
        let secure = settings.publicURL.hasPrefix("https://") ? "; Secure" : ""
        return "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax; Max-Age=\(seconds)\(secure)"
    }

    /// How long an answer waits until this process has read its own event from the log.
    private static let waitForLog = Duration.seconds(2)
    private static let lookEvery = Duration.milliseconds(10)

    /// Ends what the session of the request's cookie has. The answer replaces that cookie, so
    /// nobody could end it later.
    ///
    /// A failure goes to the log and refuses nothing, since a cookie must not stay on a shared
    /// computer. The rest ends by its own time.
    func endHoldings(ofSessionIn request: HTTPRequest) async {
        // Who signs in shows no change token of the session before.
        guard let text = request.cookie(Self.cookieName),
            case .success(let principal) = tokens.principal(
                forSession: text, changeToken: nil, isChange: false),
            let caller = principal as? Caller
        else { return }
        do {
            try await endHoldings(SessionMark(caller), clock.now)
        } catch {
            notices.onUnexpected(
                "A session has ended, and its shared position and pairings go on until their "
                    + "time is over: \(error)")
        }
    }

    /// The answer that begins a session. It is sent when this process accepts the session; other
    /// processes do so a moment later. The holdings of the request's former session end.
    ///
    /// - Parameter link: the link by which a visitor without an account opened a site.
    func begin(
        _ account: AccountRow?, link: SiteLink? = nil, replacing request: HTTPRequest, status: Int
    ) async throws -> HTTPResponse {
        let (cookie, text, value) = try session(of: account, link: link)
        await endHoldings(ofSessionIn: request)
        let limit = ContinuousClock.now + Self.waitForLog
        while !tokens.holds(session: text), .now < limit {
            try await Task.sleep(for: Self.lookEvery)
        }
        let answer = SessionAnswer(
            account: account?.id, name: account?.name, grants: account?.grants ?? [],
            endsAt: value.endsAt, changeToken: value.changeToken)
        var response = HTTPResponse.json(answer.json, status: status)
        response.headers.append(("set-cookie", cookie))
        response.headers.append(("cache-control", "no-store"))
        return response
    }

    // MARK: Links

    /// A link with the secret behind `#`. Browsers send that part to no server, so it is in no log.
    func link(secret: String) -> String { "\(settings.publicURL)/join#\(secret)" }

    var routes: [Route] {
        SessionRoutes(people: self).all + AccountRoutes(people: self).all
            + ProviderRoutes(people: self).all
    }

    /// Deletes invitations that nobody used in time, and sign-ins that did not come back from the
    /// provider.
    func forgetExpired(at moment: Timestamp) async throws {
        try await accounts.pool.withTransaction { connection in
            try InvitationStore.forgetExpired(at: moment, connection: connection)
            try ProviderRoutes.forgetExpired(at: moment, connection: connection)
        }
    }

    /// Logs the link of the first administrator, as long as there is none.
    func reportFirstLink() async {
        var secret: String?
        await attemptUntilDone("Making the link of the first administrator", notices: notices) {
            _ in
            secret = try await self.invitations.first(at: self.clock.now)
        }
        guard let secret else { return }
        notices.onUnexpected(
            "There is no administrator yet. Open this link within an hour to become it: "
                + link(secret: secret))
    }
}
