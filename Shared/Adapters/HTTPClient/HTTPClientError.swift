import CCurl

/// The reason why a request got no response.
public struct HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable code: `url-malformed`, `unreachable`, `time-out`, `connection-lost`,
    /// `response-too-large`, `certificate-not-trusted`, `cancelled`, `closed`, `status` (streams
    /// only), `address-refused`, `redirect-refused`, `too-many-redirects` or `transfer-failed`.
    public var code: String
    public var reason: String
    /// Whether the same request may succeed when it is sent again.
    public var isRetriable: Bool

    public init(code: String, reason: String, isRetriable: Bool) {
        self.code = code
        self.reason = reason
        self.isRetriable = isRetriable
    }

    public var description: String { "\(code): \(reason)" }

    static let cancelled = HTTPClientError(
        code: "cancelled", reason: "the task was cancelled", isRetriable: false)
    static let closed = HTTPClientError(
        code: "closed", reason: "the client was closed", isRetriable: false)

    static func tooLarge(limit: Int) -> HTTPClientError {
        HTTPClientError(
            code: "response-too-large", reason: "the response has more than \(limit) bytes",
            isRetriable: false)
    }

    static func refused(_ address: [UInt8]) -> HTTPClientError {
        HTTPClientError(
            code: "address-refused",
            reason: "\(NetworkGuard.text(address)) is not in a network that may be asked",
            isRetriable: false)
    }

    static func redirectRefused(_ address: [UInt8]) -> HTTPClientError {
        HTTPClientError(
            code: "address-refused",
            reason: "a public server leads to \(NetworkGuard.text(address)), a private address",
            isRetriable: false)
    }

    static func resendingRefused(status: Int) -> HTTPClientError {
        HTTPClientError(
            code: "redirect-refused",
            reason: "the server answers \(status), and wants what was sent to be sent elsewhere",
            isRetriable: false)
    }

    init(_ result: CURLcode) {
        reason = String(cString: curl_easy_strerror(result))
        switch result {
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            (code, isRetriable) = ("url-malformed", false)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT:
            (code, isRetriable) = ("unreachable", true)
        case CURLE_OPERATION_TIMEDOUT:
            (code, isRetriable) = ("time-out", true)
        case CURLE_TOO_MANY_REDIRECTS:
            (code, isRetriable) = ("too-many-redirects", false)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            (code, isRetriable) = ("certificate-not-trusted", false)
        // A proxy that stops also cuts its connections in the middle of TLS or HTTP/2.
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE,
            CURLE_SSL_CONNECT_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            (code, isRetriable) = ("connection-lost", true)
        default:
            (code, isRetriable) = ("transfer-failed", false)
        }
    }
}
