import Synchronization

@testable import Scanning

/// A server whose answers a test decides.
final class FakeServer: ScannerServer {
    struct Request: Sendable {
        var method: String
        var path: String
        var body: [UInt8]
    }

    private let requests = Mutex<[Request]>([])
    private let answer: @Sendable (Request, Int) async -> ServerReply

    /// - Parameter answer: gets the request and the number of those before it.
    init(_ answer: @escaping @Sendable (Request, Int) async -> ServerReply) {
        self.answer = answer
    }

    var received: [Request] { requests.withLock { $0 } }

    func send(
        _ method: String, _ path: String, body: [UInt8], timeoutSeconds: Double
    ) async -> ServerReply {
        let request = Request(method: method, path: path, body: body)
        let count = requests.withLock { requests in
            requests.append(request)
            return requests.count - 1
        }
        return await answer(request, count)
    }
}
