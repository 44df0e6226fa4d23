public import HTTPClient

/// Another service of the same installation, which is asked over HTTP. A test answers in its place.
public struct Neighbour: Sendable {
    public typealias Fields = [(name: String, value: String)]
    public typealias Send =
        @Sendable (_ path: String, Fields, _ timeoutSeconds: Double) async throws ->
        HTTPClientResponse

    private let send: Send

    public init(send: @escaping Send) { self.send = send }

    public func get(
        _ path: String, headers: Fields = [], timeoutSeconds: Double
    ) async throws -> HTTPClientResponse {
        try await send(path, headers, timeoutSeconds)
    }
}

extension Host {
    /// The service of this name, where the settings say that it answers.
    /// - Parameter asItself: whether the secret of services is shown with each request. Without it
    ///   a request shows who asked for it.
    public func neighbour(_ service: String, asItself: Bool) -> Neighbour {
        let address = urls[service]
        let own = asItself ? [(name: "authorization", value: "Bearer \(serviceSecret)")] : []
        return Neighbour { [client] path, headers, seconds in
            try await client.send(
                "GET", address + path, headers: own + headers, timeoutSeconds: seconds)
        }
    }
}
