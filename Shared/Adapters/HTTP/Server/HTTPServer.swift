import Glibc
import Synchronization

/// Serves routes over HTTP/1.1 with libmicrohttpd on a few polling threads.
///
/// `.callback` handlers run on a polling thread. They may answer at once, which is cheapest, or
/// later from any thread. Meanwhile the connection is suspended and occupies no thread.
///
/// libmicrohttpd sends its own plain answers to requests that it can't read (garbage, or a head
/// that is too large). All other errors are answered with a `Problem`.
public final class HTTPServer: Sendable {
    private struct Running: Sendable {
        var loops: [PollingLoop]
        var socket: Int32
        var port: Int
    }

    private let core: ServerCore
    private let running = Mutex<Running?>(nil)

    /// `onUnexpected` gets one sentence about each fault that an operator should look at.
    /// `onResponse` is called when an answer starts to be sent. It gets the route's pattern
    /// (`unmatched` if none), the method, the status and the seconds since the request line. The
    /// status is 499 when the client left first.
    ///
    /// - Throws: `UnruledRoutes` with the routes for which the authorizer has no rule.
    public init(
        configuration: HTTPServerConfiguration, routes: [Route], authenticator: any Authenticator,
        authorizer: any Authorizer,
        onUnexpected: @escaping @Sendable (String) -> Void,
        onRefused: @escaping @Sendable (RefusedRequest) -> Void = { _ in },
        onResponse:
            @escaping @Sendable (
                _ pattern: String, _ method: String, _ status: Int, _ seconds: Double
            ) -> Void = { _, _, _, _ in }
    ) throws(UnruledRoutes) {
        let handler = try RequestHandler(
            routes: routes, authenticator: authenticator, authorizer: authorizer,
            requestsPerSecondPerToken: configuration.requestsPerSecondPerToken,
            burst: configuration.burst,
            failuresPerSecondPerAddress: configuration.failuresPerSecondPerAddress,
            failureBurst: configuration.failureBurst, crossOrigin: configuration.crossOrigin,
            coding: configuration.coding, onRefused: onRefused, onUnexpected: onUnexpected)
        core = ServerCore(
            configuration: configuration, handler: handler, onUnexpected: onUnexpected,
            onResponse: onResponse)
    }

    /// Listens and serves until `stop`, which the caller must call.
    public func start() throws(HTTPServerError) {
        let configuration = core.configuration
        let (socket, port) = try ListeningSocket.open(
            address: configuration.address, port: configuration.port)
        let possible = FileLimit.connections(configuration.maximumConnections)
        if possible < configuration.maximumConnections {
            core.onUnexpected(
                "The system lets this process open so few files that it takes \(possible)"
                    + " connections, not \(configuration.maximumConnections): raise the limit"
                    + " (LimitNOFILE= of systemd, ulimits of Docker, ulimit -n).")
        }
        var loops: [PollingLoop] = []
        do throws(HTTPServerError) {
            for _ in 0..<max(1, configuration.threads) {
                loops.append(
                    try PollingLoop(
                        core: core, listeningSocket: socket, maximumConnections: possible))
            }
        } catch {
            close(socket)
            throw error
        }
        for loop in loops { loop.start() }
        let now = Running(loops: loops, socket: socket, port: port)
        running.withLock { running in
            precondition(running == nil, "the server is already running")
            running = now
        }
    }

    /// The port on which the server listens. 0 when it does not run.
    public var port: Int { running.withLock { $0?.port ?? 0 } }

    /// Stops accepting connections and ends streams. It waits up to `drainSeconds` for running
    /// requests, then closes all connections. Does nothing when the server does not run.
    public func stop() async {
        guard let running = running.withLock({ $0.take() }) else { return }
        let deadline = Moment.nanoseconds() + Int64(core.configuration.drainSeconds * 1e9)
        await withTaskGroup(of: Void.self) { group in
            for loop in running.loops {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        loop.send(
                            .stop(deadlineNanoseconds: deadline) { continuation.resume() })
                    }
                }
            }
        }
        close(running.socket)
    }
}
