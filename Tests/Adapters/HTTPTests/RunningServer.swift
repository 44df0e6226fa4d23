import HTTP
import HTTPClient
import Synchronization

/// Tokens have the form `<role>-token`. Each belongs to a principal with that role.
struct RoleTokens: Authenticator {
    func principal(forBearer token: String) -> (any Principal)? {
        guard token.hasSuffix("-token") else { return nil }
        return RolePrincipal(id: token, role: String(token.dropLast(6)))
    }
}

/// Tokens like those of `RoleTokens`, until they are revoked.
final class RevocableTokens: Authenticator {
    private let revoked = Mutex<Set<String>>([])

    func revoke(_ token: String) { _ = revoked.withLock { $0.insert(token) } }

    func principal(forBearer token: String) -> (any Principal)? {
        revoked.withLock { $0.contains(token) } ? nil : RoleTokens().principal(forBearer: token)
    }

    func holds(_ principal: any Principal) -> Bool {
        !revoked.withLock { $0.contains(principal.id) }
    }
}

/// Collects a server's reports to its operator and its metrics.
final class Told: Sendable {
    let unexpected = Mutex<[String]>([])
    let statuses = Mutex<[Int]>([])
}

/// A counter that several threads increase.
final class Tally: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func add(_ count: Int = 1) { number.add(count, ordering: .relaxed) }
}

/// Runs a server on a free port while `body` runs.
@discardableResult
func withServer<Value>(
    _ routes: [Route], told: Told = Told(), authenticator: any Authenticator = RoleTokens(),
    configure: (inout HTTPServerConfiguration) -> Void = { _ in },
    _ body: (HTTPServer) async throws -> Value
) async throws -> Value {
    var configuration = HTTPServerConfiguration()
    configuration.drainSeconds = 0
    configure(&configuration)
    let server = try HTTPServer(
        configuration: configuration, routes: routes, authenticator: authenticator,
        authorizer: testRules,
        onUnexpected: { text in told.unexpected.withLock { $0.append(text) } },
        onResponse: { _, _, status, _ in told.statuses.withLock { $0.append(status) } })
    try server.start()
    do {
        let value = try await body(server)
        await server.stop()
        return value
    } catch {
        await server.stop()
        throw error
    }
}

/// Waits until the condition holds. Returns false after ten seconds.
func eventually(_ isSo: @Sendable () async throws -> Bool) async rethrows -> Bool {
    for _ in 0..<1000 {
        if try await isSo() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return false
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
