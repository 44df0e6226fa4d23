import CCurl
import Synchronization

/// What a transfer asks for.
struct TransferRequest: Sendable {
    var method: String
    var url: String
    var headers: [(name: String, value: String)]
    var body: [UInt8]
    var timeoutSeconds: Double
}

/// One request on its way and what has come back so far.
///
/// Safe to share although unchecked: after `onEnd` or `onHead`, which come before it is given to
/// the loop, everything but `isCancelled` is touched by the loop's thread only.
final class Transfer: @unchecked Sendable {
    typealias End = Result<HTTPClientResponse, HTTPClientError>

    let request: TransferRequest
    let isCancelled = Atomic(false)
    let isStream: Bool
    private let maximumResponseBytes: Int
    private let sink: AsyncThrowingStream<[UInt8], any Error>.Continuation?
    private var deliverEnd: ((End) -> Void)?
    private var deliverHead: ((End) -> Void)?
    private var response = HTTPClientResponse(status: 0, headers: [:], body: [])
    private var failure: HTTPClientError?

    // libcurl's own, set while the loop runs the transfer; the loop frees the list.
    var easy: UnsafeMutableRawPointer?
    var headerList: UnsafeMutablePointer<curl_slist>?

    init(
        _ request: TransferRequest, maximumResponseBytes: Int,
        sink: AsyncThrowingStream<[UInt8], any Error>.Continuation? = nil
    ) {
        self.request = request
        self.maximumResponseBytes = maximumResponseBytes
        self.sink = sink
        isStream = sink != nil
    }

    func onEnd(_ deliver: @escaping (End) -> Void) { deliverEnd = deliver }

    /// Told once: of the head of a stream, or of why there is none.
    func onHead(_ deliver: @escaping (End) -> Void) { deliverHead = deliver }

    /// A line of the head. A new status line begins the head anew: what came before was a 1xx.
    func takeHeaderLine(_ line: UnsafeRawBufferPointer) {
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            response.headers = [:]
            response.status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if let colon = text.firstIndex(of: ":") {
            let name = text[..<colon].lowercased()
            let value = String(text[text.index(after: colon)...]).trimmed
            response.headers[name] = response.headers[name].map { $0 + ", " + value } ?? value
        } else if response.status >= 200, response.status < 400 {
            deliverHead.take()?(.success(response))
        }
    }

    /// A piece of the body; false breaks the transfer off.
    func takeBody(_ piece: UnsafeRawBufferPointer) -> Bool {
        if let sink, response.status < 400 {
            guard case .dropped = sink.yield(Array(piece)) else { return true }
            failure = HTTPClientError(
                code: "response-too-large", reason: "the stream's reader is too slow",
                isRetriable: true)
            return false
        }
        guard response.body.count + piece.count <= maximumResponseBytes else {
            failure = .tooLarge(limit: maximumResponseBytes)
            return false
        }
        response.body.append(contentsOf: piece)
        return true
    }

    /// The transfer has ended: whoever waits for it is told, once.
    func end(_ result: CURLcode) {
        if result == CURLE_OK { end(nil) } else { end(failure ?? HTTPClientError(result)) }
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
    /// Without the white space around a header field's value.
    fileprivate var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        guard let first = firstIndex(where: { !isSpace($0) }),
            let last = lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self[first...last])
    }
}
