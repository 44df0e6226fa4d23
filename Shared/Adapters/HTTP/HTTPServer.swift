import CMicrohttpd
import Glibc
import Synchronization

/// Serves routes over HTTP/1.1 with libmicrohttpd's own polling threads.
///
/// `.callback` handlers are called on a polling thread and may answer there and then, which costs
/// nothing more, or later from any thread: the connection is suspended meanwhile and holds none.
/// Requests that libmicrohttpd itself cannot read (garbage, a head that is too large) get its own
/// plain answers; everything else that goes wrong is answered with a `Problem`.
public final class HTTPServer: Sendable {
    private struct Running: @unchecked Sendable {
        // Safe to pass on: libmicrohttpd's calls on a daemon may come from any thread.
        var daemon: OpaquePointer
        var socket: Int32
        var port: Int
    }

    private let core: ServerCore
    private let running = Mutex<Running?>(nil)

    /// `onUnexpected` is told, in one sentence, what an operator should look at. `onResponse` is
    /// told of each answer when it starts to be sent: its route's pattern (`unmatched` if none), the
    /// method, the status (499 when the client left first) and the seconds since the request line.
    public init(
        configuration: HTTPServerConfiguration, routes: [Route], authenticator: any Authenticator,
        onUnexpected: @escaping @Sendable (String) -> Void,
        onResponse:
            @escaping @Sendable (
                _ pattern: String, _ method: String, _ status: Int, _ seconds: Double
            ) -> Void = { _, _, _, _ in }
    ) throws(HTTPServerError) {
        let handler = RequestHandler(
            routes: routes, authenticator: authenticator,
            requestsPerSecondPerToken: configuration.requestsPerSecondPerToken,
            burst: configuration.burst, onUnexpected: onUnexpected)
        core = try ServerCore(
            configuration: configuration, handler: handler, onUnexpected: onUnexpected,
            onResponse: onResponse)
    }

    /// Listens and serves until `stop`, which must be called; once.
    public func start() throws(HTTPServerError) {
        let configuration = core.configuration
        let (socket, port) = try ListeningSocket.open(
            address: configuration.address, port: configuration.port)
        // Released in `stop`, when no thread of the daemon is left.
        let context = Unmanaged.passRetained(core)
        var start = ServerStart(
            flags: MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue,
            listenSocket: socket, connectionLimit: UInt32(configuration.maximumConnections),
            idleTimeoutSeconds: UInt32(configuration.idleTimeoutSeconds),
            threads: UInt32(configuration.threads),
            connectionMemoryBytes: configuration.maximumHeaderBytes, context: context.toOpaque(),
            onRequest: requestArrived, onTarget: targetArrived, onCompleted: requestCompleted,
            onConnection: connectionChanged, unescape: leaveEscaped)
        guard let daemon = startServer(&start) else {
            context.release()
            close(socket)
            throw HTTPServerError(code: "start-failed", reason: "libmicrohttpd did not start")
        }
        core.watch.start()
        let now = Running(daemon: daemon, socket: socket, port: port)
        running.withLock { running in
            precondition(running == nil, "a server is started once")
            running = now
        }
    }

    /// The port that the server listens on; 0 before `start`.
    public var port: Int { running.withLock { $0?.port ?? 0 } }

    /// Stops accepting, ends streams, lets requests in flight finish for `drainSeconds`, then closes
    /// what is left. Does nothing when the server does not run.
    public func stop() async {
        guard let running = running.withLock({ $0.take() }) else { return }
        core.isDraining.store(true, ordering: .relaxed)
        MHD_quiesce_daemon(running.daemon)
        close(running.socket)
        let deadline = Moment.nanoseconds() + Int64(core.configuration.drainSeconds * 1e9)
        while core.requestsInFlight.load(ordering: .relaxed) > 0, Moment.nanoseconds() < deadline {
            // Streams that begin while the server drains are ended too.
            for (_, connection) in core.watch.connections { connection.waiter?.drain() }
            // Cancelling whoever stops the server must not cut the others' answers.
            await OwnThread.perform { _ = usleep(10_000) }
        }
        await OwnThread.perform { [core] in
            core.isStopping.store(true, ordering: .sequentiallyConsistent)
            core.watch.stop()
            // libmicrohttpd must not be stopped with suspended connections: those are all found
            // here, since a connection registers its waiter before it looks at `isStopping`.
            for (_, connection) in core.watch.connections { connection.waiter?.abandon() }
            MHD_stop_daemon(running.daemon)
            Unmanaged.passUnretained(core).release()
        }
    }
}
