public import HTTPClient

/// Another service of the same installation, asked over HTTP. Tests put a function in its place.
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
    /// The service of this name, at the address from the settings.
    /// - Parameters:
    ///   - asItself: true to show the services' secret with each request. Otherwise each request
    ///     shows the token or session of its caller.
    ///   - maximumBytes: the largest answer; nil for the limit of all services.
    public func neighbour(
        _ service: String, asItself: Bool, maximumBytes: Int? = nil
    ) -> Neighbour {
        let address = urls[service]
        let own = asItself ? [(name: "authorization", value: "Bearer \(serviceSecret)")] : []
        return Neighbour { [client] path, headers, seconds in
            try await client.send(
                "GET", address + path, headers: own + headers, timeoutSeconds: seconds,
                maximumResponseBytes: maximumBytes)
        }
    }
}
