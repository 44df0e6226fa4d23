import ServiceRuntime

/// A component that runs one long task, which is cancelled when the group stops.
struct Loop: Component {
    let name: String
    private let body: @Sendable () async throws -> Void

    /// - Parameter body: must end when its task is cancelled, and not before.
    init(_ name: String, body: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.body = body
    }

    func run() async throws { try await body() }
    func stop() async {}
}
