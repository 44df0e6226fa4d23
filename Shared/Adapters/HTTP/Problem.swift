import CMicrohttpd

/// An error in the form of RFC 9457: a status, a stable code and one sentence for people.
public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    public var status: Int
    /// A stable code, such as `rssi-out-of-range`; `type` becomes `urn:whereabouts:problem:<code>`.
    public var code: String
    /// The sentence: what was wrong and what to do. It never contains internal text.
    public var detail: String
    public var retryAfterSeconds: Int?

    /// A 429 with a time to wait says it in its detail, too: few programs show header fields.
    public init(status: Int, code: String, detail: String, retryAfterSeconds: Int? = nil) {
        self.status = status
        self.code = code
        let wait = retryAfterSeconds.map { " Try again in \(Self.words(seconds: $0))." } ?? ""
        // The detail of another service's answer has it already.
        self.detail = status == 429 && !detail.contains(" Try again in ") ? detail + wait : detail
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// A time to wait, never shorter than it is: seconds, minutes or hours.
    private static func words(seconds: Int) -> String {
        func count(_ unit: Int, _ word: String) -> String {
            let number = max(1, (seconds / unit) + (seconds % unit > 0 ? 1 : 0))
            return "\(number) \(word)\(number == 1 ? "" : "s")"
        }
        if seconds < 100 { return count(1, "second") }
        return seconds < 6_000 ? count(60, "minute") : count(3_600, "hour")
    }

    public var description: String { "\(detail) (\(code))" }

    /// The standard phrase of the status.
    public var title: String { String(cString: MHD_get_reason_phrase_for(UInt32(status))) }

    /// The problem as `application/problem+json`, with the header fields that its status needs.
    public var response: HTTPResponse {
        var headers = [(name: "content-type", value: "application/problem+json")]
        if let retryAfterSeconds { headers.append(("retry-after", String(retryAfterSeconds))) }
        if status == 401 {
            let reason = code == "token-wrong" ? "Bearer error=\"invalid_token\"" : "Bearer"
            headers.append(("www-authenticate", reason))
        }
        return HTTPResponse(status: status, headers: headers, body: .bytes(json))
    }

    private var json: [UInt8] {
        var text: [UInt8] = Array("{\"type\":\"urn:whereabouts:problem:".utf8)
        Self.append(code, to: &text)
        text += "\",\"title\":\"".utf8
        Self.append(title, to: &text)
        text += "\",\"status\":\(status),\"detail\":\"".utf8
        Self.append(detail, to: &text)
        text += "\",\"code\":\"".utf8
        Self.append(code, to: &text)
        text += "\"}".utf8
        return text
    }

    /// Appends the text with the escapes that JSON strings need (RFC 8259, section 7).
    private static func append(_ string: String, to text: inout [UInt8]) {
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                text.append(UInt8(ascii: "\\"))
                text.append(byte)
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                text += "\\u".utf8
                text += String(repeating: "0", count: 4 - digits.count).utf8
                text += digits.utf8
            default: text.append(byte)
            }
        }
    }
}

extension Problem {
    /// The data for the answer has not been read yet.
    public static let starting = Problem(
        .starting, "The service has just started; send again.", retryAfterSeconds: 1)

    public static let notFound = Problem(.notFound, "Nothing is served under this path.")
    static let methodNotAllowed = Problem(
        .methodNotAllowed, "This path does not take this method; see the Allow header.")
    public static let tokenMissing = Problem(
        .tokenMissing,
        "Sign in at /sign-in; or begin a visitor's session by POST /v1/session/anonymous; or, as a "
            + "program, send a token: Authorization: Bearer <token>.")
    static let tokenWrong = Problem(
        .tokenWrong, "This token is unknown or was revoked; ask for a new one.")
    public static let roleNotAllowed = Problem(
        .roleNotAllowed, "Your role may not do this: sign in, or send a token, with one that may.")
    static let requestTimeout = Problem(
        .requestTimeout, "The request did not arrive whole in time.")
    static let headMalformed = Problem(
        .headMalformed,
        "A request has one Host, at most one Content-Length and none beside Transfer-Encoding,"
            + " and no space before a colon.")
    static let contentEncoding = Problem(
        .contentEncodingUnsupported, "Send the body as it is, without Content-Encoding.")
    static let tooManyUnfinished = Problem(
        .tooManyUnfinished,
        "Too many requests of this address are not whole yet; send fewer at once.",
        retryAfterSeconds: 1)
    static let bodiesFull = Problem(
        .bodiesFull, "There is no memory for so many large bodies at once; send again.",
        retryAfterSeconds: 1)
    static let internalError = Problem(
        .internalError, "The server failed; the failure was reported.")
    static let stopping = Problem(
        .stopping, "The server is stopping; try again.", retryAfterSeconds: 1)

    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(.bodyTooLarge, "The body may have at most \(limit) bytes.")
    }
    /// The part of an allowance that a sender has used up, and its limit for people.
    enum Overdrawn: Sendable {
        case requests(limit: String)
        case bytes(limit: String)
    }

    static func overdrawn(_ what: Overdrawn, retryAfterSeconds: Int) -> Problem {
        switch what {
        case .requests(let limit):
            Problem(
                .tooManyRequests, "Too many requests; you may send \(limit).",
                retryAfterSeconds: retryAfterSeconds)
        case .bytes(let limit):
            Problem(
                .quotaExceeded, "This token has sent too many bytes; it may send \(limit).",
                retryAfterSeconds: retryAfterSeconds)
        }
    }
}
