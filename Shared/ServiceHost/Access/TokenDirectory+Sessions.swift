import Access
import Cryptography
import Events
public import HTTP
import Wire

extension TokenDirectory {
    public static let sessionCookie = "whereabouts-session"

    public var sessionCookie: String? { Self.sessionCookie }

    /// The caller that a session speaks for. A request that changes something must show the
    /// session's change token.
    public func principal(
        forSession text: String, changeToken: String?, isChange: Bool
    ) -> Result<any Principal, Problem> {
        guard let caller = caller(forSession: text) else {
            return .failure(isReady && sites.isReady ? .sessionWrong : .starting)
        }
        if isChange {
            let shown = Array((changeToken ?? "").utf8)
            guard isEqualInConstantTime(shown, Array((caller.changeToken ?? "").utf8)) else {
                return .failure(.changeTokenWrong)
            }
        }
        return .success(caller)
    }

    /// The headers with which a service asks another one on behalf of its caller: the token or the
    /// session, and no other cookie.
    public static func credentials(of request: HTTPRequest) -> [(name: String, value: String)] {
        if let token = request.header("authorization") { return [("authorization", token)] }
        guard let session = request.cookie(sessionCookie) else { return [] }
        return [("cookie", "\(sessionCookie)=\(session)")]
    }

    /// The headers of a question that is a POST for its length, and changes nothing. A reader shows
    /// no change token, so it comes from the session that this server has checked.
    public static func credentials(
        ofQuestionFor request: HTTPRequest
    ) -> [(name: String, value: String)] {
        let credentials = credentials(of: request)
        guard credentials.first?.name == "cookie", let token = request.caller?.changeToken else {
            return credentials
        }
        return credentials + [(name: "x-change-token", value: token)]
    }

    /// Whether a new session is accepted here already.
    public func holds(session text: String) -> Bool { caller(forSession: text) != nil }

    private func caller(forSession text: String) -> Caller? {
        if let remembered = remembered(text) {
            if holds(remembered) { return remembered }
            // The sites that are open may be others now. Otherwise an account's session is over.
            if let id = remembered.account, !isPerson(id, remembered) { return nil }
        }
        guard let session = SessionValue(text, publicKey: sessionKey),
            let caller = caller(of: session)
        else { return nil }
        guard holds(caller) else { return nil }
        remember(caller, as: text)
        return caller
    }

    /// Nil where the account was ended, or the session was ended with all others of its account.
    private func caller(of session: SessionValue) -> Caller? {
        guard let id = session.account else {
            // Only the sites say whom they are open to.
            guard sites.isReady else { return nil }
            return Caller(
                id: "session/\(session.id)", grants: grants(with: session.link),
                expiresAt: session.endsAt, changeToken: session.changeToken, link: session.link)
        }
        guard let account = account(id), account.sessionsEnded == session.sessionsEnded else {
            return nil
        }
        return Caller(
            id: "account/\(id)", grants: account.grants.map(Grant.init),
            asVisitor: grants(with: nil), account: id, expiresAt: session.endsAt,
            changeToken: session.changeToken,
            sessionsEnded: session.sessionsEnded)
    }
}

extension Problem {
    public static let sessionWrong = Problem(
        .sessionWrong, "This session is over; sign in again.")
    static let changeTokenWrong = Problem(
        .changeTokenWrong,
        "Send x-change-token with each request but GET: the changeToken of the answer that began "
            + "the session, or of GET /v1/session."
    )
}
