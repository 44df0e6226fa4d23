internal import HTTPClient

/// The server as the scanner needs it. Tests have one of their own.
protocol ScannerServer: Sendable {
    func send(
        _ method: String, _ path: String, body: [UInt8], timeoutSeconds: Double
    ) async -> ServerReply
}

enum ServerReply: Hashable, Sendable {
    case answered(status: Int, body: [UInt8] = [], retryAfterSeconds: Int? = nil)
    /// No whole answer came: whether the server has the request is unknown.
    case lost(String)
}

/// The server behind an address, with the scanner's token.
struct RemoteServer: ScannerServer {
    private let client: HTTPClient
    private let address: String
    private let token: String?

    init(_ client: HTTPClient, address: String, token: String?) {
        self.client = client
        self.address = address
        self.token = token
    }

    func send(
        _ method: String, _ path: String, body: [UInt8], timeoutSeconds: Double
    ) async -> ServerReply {
        var headers: [(name: String, value: String)] = []
        if let token { headers.append(("authorization", "Bearer \(token)")) }
        if !body.isEmpty { headers.append(("content-type", "application/json")) }
        do throws(HTTPClientError) {
            let answer = try await client.send(
                method, address + path, headers: headers, body: body,
                timeoutSeconds: timeoutSeconds)
            return .answered(
                status: answer.status, body: answer.body,
                retryAfterSeconds: answer.retryAfterSeconds)
        } catch {
            return .lost(error.description)
        }
    }
}
