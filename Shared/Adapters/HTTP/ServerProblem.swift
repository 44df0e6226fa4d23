/// The problems that the server itself reports. A service has its own table; a test keeps both
/// equal.
public enum ServerProblem: String, Hashable, Sendable, CaseIterable {
    case headMalformed = "head-malformed"
    case pathMalformed = "path-malformed"
    case queryMalformed = "query-malformed"
    case fieldUnknown = "field-unknown"
    case tokenMissing = "token-missing"
    case tokenWrong = "token-wrong"
    case roleNotAllowed = "role-not-allowed"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case requestTimeout = "request-timeout"
    case bodyTooLarge = "body-too-large"
    case targetTooLong = "target-too-long"
    case contentEncodingUnsupported = "content-encoding-unsupported"
    case quotaExceeded = "quota-exceeded"
    case tooManyRequests = "too-many-requests"
    case tooManyUnfinished = "too-many-unfinished"
    case internalError = "internal"
    case bodiesFull = "bodies-full"
    case starting
    case stopping

    public var status: Int {
        switch self {
        case .headMalformed, .pathMalformed, .queryMalformed, .fieldUnknown: 400
        case .tokenMissing, .tokenWrong: 401
        case .roleNotAllowed: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .requestTimeout: 408
        case .bodyTooLarge: 413
        case .targetTooLong: 414
        case .contentEncodingUnsupported: 415
        case .quotaExceeded, .tooManyRequests, .tooManyUnfinished: 429
        case .internalError: 500
        case .bodiesFull, .starting, .stopping: 503
        }
    }
}

extension Problem {
    init(_ problem: ServerProblem, _ detail: String, retryAfterSeconds: Int? = nil) {
        self.init(
            status: problem.status, code: problem.rawValue, detail: detail,
            retryAfterSeconds: retryAfterSeconds)
    }
}
