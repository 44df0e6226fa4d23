import CCurl
import Synchronization

struct TransferRequest: Sendable {
    var method: String
    var url: String
    var headers: [(name: String, value: String)]
    var body: [UInt8]
    var timeoutSeconds: Double
    var signing: RequestSigning?
    var cookies: [String]?
    var hasAskedPublic = false

    var sendsBody: Bool { !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) }
}

/// One running request, with the part of the response that has arrived.
///
/// Safe to share although unchecked: callers set `onEnd` or `onHead` before they hand it to the
/// loop. From then on only the loop's thread touches anything but `isCancelled`.
final class Transfer: @unchecked Sendable {
    typealias End = Result<HTTPClientResponse, HTTPClientError>

    let request: TransferRequest
    let isCancelled = Atomic(false)
    let isStream: Bool
    private let maximumResponseBytes: Int
    private let readsBody: Bool
    /// Whether nothing more of the answer is wanted, so that the transfer was stopped.
    private var isStopped = false
    private let sink: AsyncThrowingStream<[UInt8], any Error>.Continuation?
    private var deliverEnd: ((End) -> Void)?
    private var deliverHead: ((End) -> Void)?
    private var response = HTTPClientResponse(status: 0, headers: [:], body: [])
    private var failure: HTTPClientError?
    /// Set while the loop runs the transfer.
    var guarding: NetworkGuard?
    /// Whether a redirect could send the body again, so that each is looked at.
    var guardsBody = false

    // libcurl's handle and list, set while the loop runs the transfer. The loop frees the list.
    var easy: UnsafeMutableRawPointer?
    var headerList: UnsafeMutablePointer<curl_slist>?

    init(
        _ request: TransferRequest, maximumResponseBytes: Int, readsBody: Bool = true,
        sink: AsyncThrowingStream<[UInt8], any Error>.Continuation? = nil
    ) {
        self.request = request
        self.maximumResponseBytes = maximumResponseBytes
        self.readsBody = readsBody
        self.sink = sink
        isStream = sink != nil
        response.hasAskedPublic = request.hasAskedPublic
    }

    func onEnd(_ deliver: @escaping (End) -> Void) { deliverEnd = deliver }

    /// Sets the callback for a stream's headers, or for the reason why there are none. It is called
    /// once.
    func onHead(_ deliver: @escaping (End) -> Void) { deliverHead = deliver }

    /// Parses one header line. A new status line starts the headers again, since the ones before
    /// were a 1xx. Returns false to abort the transfer.
    func parseHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            response.headers = [:]
            response.status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if let colon = text.firstIndex(of: ":") {
            let name = text[..<colon].lowercased()
            let value = String(text[text.index(after: colon)...]).trimmed
            response.headers[name] = response.headers[name].map { $0 + ", " + value } ?? value
            if name == "location" { return mayRedirect() }
        } else if response.status >= 200, response.status < 400 {
            deliverHead.take()?(.success(response))
        }
        return true
    }

    /// Whether the transfer may go on although libcurl follows this answer. It asks with GET after
    /// 301, 302 and 303, and sends the body again after any other redirect (RFC 9110, 15.4).
    private func mayRedirect() -> Bool {
        guard guardsBody, (300..<400).contains(response.status) else { return true }
        guard (301...303).contains(response.status) else {
            failure = .resendingRefused(status: response.status)
            return false
        }
        guardsBody = false
        return true
    }

    /// Appends a piece of the body. Returns false to abort the transfer.
    func appendBody(_ piece: UnsafeRawBufferPointer) -> Bool {
        if let sink, response.status < 400 {
            guard case .dropped = sink.yield(Array(piece)) else { return true }
            failure = HTTPClientError(
                code: "response-too-large", reason: "the stream's reader is too slow",
                isRetriable: true)
            return false
        }
        guard readsBody else {
            isStopped = true
            return false
        }
        guard response.body.count + piece.count <= maximumResponseBytes else {
            failure = .tooLarge(limit: maximumResponseBytes)
            return false
        }
        response.body.append(contentsOf: piece)
        return true
    }

    /// Whether the transfer may connect to an address. The last refusal is the reason why it
    /// failed, if no other address of the name is allowed.
    func mayConnect(to address: [UInt8]) -> Bool {
        guard let guarding else { return true }
        guard guarding.allows(address) else {
            failure = .refused(address)
            return false
        }
        // A stranger's server would reach one that was allowed for another feed.
        guard !response.hasAskedPublic || guarding.isPublic(address) else {
            failure = .redirectRefused(address)
            return false
        }
        return true
    }

    /// Whether a request, the first or that of a redirect, may go to an address. The connection may
    /// be one of an earlier transfer.
    func mayAsk(_ address: [UInt8]) -> Bool {
        guard mayConnect(to: address) else { return false }
        if guarding?.isPublic(address) == true { response.hasAskedPublic = true }
        return true
    }

    func keepCookies(_ cookies: [String]) { response.cookies = cookies }

    /// Ends the transfer and notifies the waiting caller, once.
    func end(_ result: CURLcode) {
        if result == CURLE_OK || isStopped {
            end(nil)
        } else {
            end(failure ?? HTTPClientError(result))
        }
    }

    func end(_ error: HTTPClientError?) {
        var error = error
        if error == nil, isStream, response.status >= 400 {
            let beginning = String(decoding: response.body.prefix(1000), as: UTF8.self)
            error = HTTPClientError(
                code: "status", reason: "\(response.status): \(beginning)",
                isRetriable: response.mayPass)
        }
        let end: End = error.map { .failure($0) } ?? .success(response)
        deliverEnd.take()?(end)
        deliverHead.take()?(end)
        sink?.finish(throwing: error)
    }
}

extension String {
    /// The text without the white space around it.
    fileprivate var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        guard let first = firstIndex(where: { !isSpace($0) }),
            let last = lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self[first...last])
    }
}
