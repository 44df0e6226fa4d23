import CMicrohttpd
import Glibc
import Synchronization

/// One request and its answer, from the request line until libmicrohttpd has finished with it.
///
/// Safe to share although unchecked: `answer` has a lock, and everything else belongs to the
/// polling loop's thread. Other threads only pass the handle to the loop, once per suspension. The
/// connection stays suspended until the loop resumes it.
final class Exchange: @unchecked Sendable {
    private enum Phase { case receiving, handling, pending, suspended, resumed, answered, closed }

    private struct Answer: Sendable {
        var phase = Phase.receiving
        private(set) var response: HTTPResponse?
        /// A flag of its own, because the loop checks it at each turn.
        private(set) var hasResponse = false
        var task: Task<Void, Never>?

        mutating func keep(_ response: HTTPResponse) {
            self.response = response
            hasResponse = true
        }

        mutating func removeResponse() -> HTTPResponse? {
            guard hasResponse else { return nil }
            hasResponse = false
            return response.take()
        }
    }

    /// How long a refused client may go on sending.
    private static let lingerNanoseconds: Int64 = 1_000_000_000
    /// How long the loop polls for an answer before it suspends the connection.
    private static let pendingNanoseconds: Int64 = 100_000_000
    /// The limit for pending requests, because each turn of the loop checks all of them.
    private static let maximumPendingRequests = 1024

    enum Step { case head, body, answer }

    let loop: PollingLoop
    let handle: OpaquePointer
    private let answer = Mutex(Answer())

    // The following belongs to the loop's thread.
    let connection: ServerConnection
    private let startedNanoseconds: Int64
    private let receivedAtMicroseconds = Moment.microsecondsSince1970()
    let target: Result<RequestTarget, Problem>
    var step = Step.head
    var methodName = ""
    var method: HTTPMethod?
    var fields = HeaderFields()
    var declaredBytes = 0
    var body: [UInt8] = []
    var discardedBytes = 0
    /// Whether the answer was sent without libmicrohttpd. Further bytes are discarded then.
    var isRefusedEarly = false
    /// The sender for whom this unfinished request was counted. Nil when it was not counted.
    var unfinishedSender: NetworkAddress?
    var reservedBytes = 0
    var allowance: Allowance?
    var route: Route?
    var pattern = "unmatched"
    var parameters: [String: String] = [:]
    var principal: (any Principal)?
    var rule: (any AccessRule)?
    var refusal: HTTPResponse?
    private var isReported = false

    init(
        loop: PollingLoop, connection: ServerConnection, handle: OpaquePointer,
        target: Result<RequestTarget, Problem>
    ) {
        self.loop = loop
        self.connection = connection
        self.handle = handle
        self.target = target
        startedNanoseconds = Moment.nanoseconds()
        loop.requestsInFlight += 1
        connection.expectRequest(
            byNanoseconds: loop.core.requestDeadlineNanoseconds(from: startedNanoseconds))
    }

    /// Handles the next part of the request: the head, a piece of the body, its end, or a resumed
    /// connection.
    func proceed(
        method: UnsafePointer<CChar>, version: UnsafePointer<CChar>?,
        data: UnsafePointer<CChar>?, size: UnsafeMutablePointer<Int>
    ) -> MHD_Result {
        switch step {
        case .head:
            step = .body
            return isRefusedEarly ? .NO : handleHead(method, version)
        case .body where size.pointee > 0:
            let piece = UnsafeRawBufferPointer(start: data, count: size.pointee)
            size.pointee = 0
            return handleBody(piece)
        case .body:
            step = .answer
            if isRefusedEarly { return .NO }
            connection.hasReceived()
            endReceiving()
            return refusal.map(emit) ?? handleRequest()
        case .answer:
            return settle()
        }
    }

    /// Ends the exchange when libmicrohttpd has finished, successfully or not. A task that still
    /// works on the request is cancelled.
    func finish() {
        let task = answer.withLock { answer in
            if answer.phase == .pending { loop.pendingRequests -= 1 }
            answer.phase = .closed
            _ = answer.removeResponse()
            return answer.task.take()
        }
        task?.cancel()
        endReceiving()
        if reservedBytes > 0 {
            loop.core.bodies.give(back: reservedBytes, of: payer, isStranger: isStranger)
        }
        reservedBytes = 0
        connection.expectNext(
            nowNanoseconds: loop.nowNanoseconds,
            byNanoseconds: loop.core.idleDeadlineNanoseconds(from: loop.nowNanoseconds))
        loop.requestsInFlight -= 1
        // 499 is nginx's status for a client that left before its answer.
        report(499)
    }
}

// MARK: - Answering

extension Exchange: ConnectionWaiter {
    /// Accepts the first answer and drops later ones. If the handler is still being called, the
    /// answer is sent when the call returns. An answer that comes later resumes the connection. If
    /// the client has gone, the answer is dropped.
    func respond(_ response: @autoclosure () -> HTTPResponse) {
        let phase = answer.withLock { answer in
            guard !answer.hasResponse else { return Phase.answered }
            let phase = answer.phase
            guard phase == .handling || phase == .pending || phase == .suspended else {
                return phase
            }
            answer.keep(response())
            if phase == .suspended { answer.phase = .resumed }
            return phase
        }
        switch phase {
        case .suspended: loop.send(.resume(handle))
        case .pending: loop.answerArrived()
        case .receiving, .handling, .resumed, .answered, .closed: break
        }
    }

    func abandon() {
        let (mustResume, task) = answer.withLock { answer -> (Bool, Task<Void, Never>?) in
            guard answer.phase == .suspended else { return (false, nil) }
            answer.phase = .resumed
            return (true, answer.task.take())
        }
        if mustResume { loop.send(.resume(handle)) }
        task?.cancel()
    }

    func drain() {}

    func endUnlessHeld(by handler: RequestHandler) {}

    /// Sends the refusal now, unless libmicrohttpd has already answered. The connection stays open
    /// for a moment, so that a client that is still sending can read the answer.
    func refuseWithinBody() {
        guard let refusal, step == .body, !isRefusedEarly,
            answer.withLock({ $0.phase != .closed })
        else { return }
        endReceiving()
        refuseEarly(refusal)
    }

    /// Refuses a target that is too long before the rest of the head arrives. libmicrohttpd 0.9.75
    /// has no room for fields after such a line, and would wait for them silently.
    func refuseLongTarget() {
        guard case .failure(let problem) = target, problem.status == 414 else { return }
        refuseEarly(problem.response)
    }

    private func refuseEarly(_ response: HTTPResponse) {
        isRefusedEarly = true
        connection.linger(untilNanoseconds: loop.nowNanoseconds + Self.lingerNanoseconds)
        RawAnswer.send(
            response.completed(for: fields, method: method, loop.core.handler.crossOrigin),
            to: connectionSocket(handle))
        report(response.status)
    }

    private func handleRequest() -> MHD_Result {
        guard let route, let method, case .success(let target) = target else { return .NO }
        let whole = body
        body = []
        var request = HTTPRequest(
            method: method, path: target.path, parameters: parameters,
            query: route.withoutCredential(target.query), fields: fields, body: whole,
            principal: principal,
            receivedAtMicroseconds: receivedAtMicroseconds, allowance: allowance)
        request.rule = rule
        request.peerAddress = connection.address
        request.senderAddress = senderAddress
        if declaredBytes == 0, !whole.isEmpty {
            allowance?.charge(
                bytes: whole.count, quota: principal?.sendingQuota, at: loop.nowNanoseconds)
        }
        answer.withLock { $0.phase = .handling }
        switch route.handler {
        case .callback(let handler): call(handler, request)
        case .task(let handler):
            let task = Task { [self] in
                let response = await loop.core.handler.runTask(route, request, handler)
                respond(response)
            }
            answer.withLock { $0.task = task }
        }
        return settle()
    }

    /// A separate function, so that a responder that the handler did not keep is released at its
    /// end.
    @inline(never)
    private func call(
        _ handler: @Sendable (HTTPRequest, any HTTPResponder) -> Void, _ request: HTTPRequest
    ) {
        handler(request, ExchangeResponder(self))
    }

    /// Sends the answer if there is one, and otherwise waits.
    ///
    /// A request stays pending while its answer may come soon. libmicrohttpd then asks again at
    /// each turn of the loop, which is cheap, while suspending costs three system calls. After
    /// `pendingNanoseconds`, or with very many pending requests, the connection is suspended.
    private func settle() -> MHD_Result {
        let isSoon = loop.nowNanoseconds - startedNanoseconds < Self.pendingNanoseconds
        let hasRoom = loop.pendingRequests < Self.maximumPendingRequests
        let (before, after, response) = answer.withLock { answer in
            let before = answer.phase
            if answer.hasResponse || before == .resumed || loop.isStopping {
                answer.phase = .answered
            } else {
                let mayPend = isSoon && (hasRoom || before == .pending)
                answer.phase = mayPend ? .pending : .suspended
            }
            // The handler is done, so its task's memory is released. A stream would otherwise hold
            // it until its end.
            if answer.hasResponse { answer.task = nil }
            return (before, answer.phase, answer.removeResponse())
        }
        if before == .pending { loop.pendingRequests -= 1 }
        if before == .resumed { connection.wait(nil, nowNanoseconds: 0) }
        switch after {
        case .pending: loop.pendingRequests += 1
        case .suspended:
            // If an answer comes meanwhile, the loop resumes the connection. That can't happen
            // before this function returns.
            MHD_suspend_connection(handle)
            connection.wait(self, nowNanoseconds: loop.nowNanoseconds)
        default:
            if let response { return emit(response) }
            return before == .resumed ? .NO : emit(Problem.stopping.response)
        }
        return .YES
    }

    private func emit(_ response: HTTPResponse) -> MHD_Result {
        // `makeStream` clears the request's fields, so they are copied first.
        let (asked, crossOrigin) = (fields, loop.core.handler.crossOrigin)
        if let prepared = response.prepared, !loop.isDraining, crossOrigin.isOff {
            report(response.status)
            return MHD_queue_response(handle, UInt32(response.status), prepared.pointer)
        }
        let made: OpaquePointer?
        switch response.body {
        case .stream where method == .head, .pulled where method == .head:
            made = MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        case .bytes(let bytes): made = copiedResponse(bytes)
        case .stream(let stream):
            made = makeStream(limit: loop.core.configuration.maximumUnsentStreamBytes) { body in
                for try await chunk in stream { guard body.append(chunk) else { return } }
            }
        case .pulled(let next):
            made = makeStream(limit: .max) { body in
                while await body.hasRoom(), let chunk = try await next() {
                    guard body.append(chunk) else { return }
                }
            }
        }
        guard let made else { return .NO }
        defer { MHD_destroy_response(made) }
        response.forEachField(for: asked, method: method, crossOrigin) {
            addField($0, $1, to: made)
        }
        if loop.isDraining { addField("connection", "close", to: made) }
        report(response.status)
        return MHD_queue_response(handle, UInt32(response.status), made)
    }

    private func makeStream(
        limit: Int, _ pump: @escaping @Sendable (StreamedBody) async throws -> Void
    ) -> OpaquePointer? {
        let body = StreamedBody(self, maximumUnsentBytes: limit)
        connection.wait(body, nowNanoseconds: startedNanoseconds)
        loop.watch(connection)
        (fields, parameters) = (HeaderFields(), [:])
        body.start { [onUnexpected = loop.core.onUnexpected, pattern] body in
            do {
                try await pump(body)
                body.end(.finished)
            } catch {
                if !Task.isCancelled { onUnexpected("the stream of \(pattern) failed: \(error)") }
                body.end(.failed)
            }
        }
        // The response owns the body. `releaseStream` releases it.
        return MHD_create_response_from_callback(
            UInt64.max, StreamedBody.blockBytes, readStream,
            Unmanaged.passRetained(body).toOpaque(), releaseStream)
    }

    func report(_ status: Int) {
        guard !isReported else { return }
        isReported = true
        let seconds = Double(Moment.nanoseconds() - startedNanoseconds) / 1e9
        loop.core.onResponse(pattern, methodName, status, seconds)
    }
}

/// Passes a handler's answer on. If it is released without an answer, it answers 500.
private final class ExchangeResponder: HTTPResponder {
    private let exchange: Exchange

    init(_ exchange: Exchange) { self.exchange = exchange }

    deinit { exchange.respond(Problem.internalError.response) }

    func respond(_ response: HTTPResponse) { exchange.respond(response) }

    func respond(_ problem: Problem) { exchange.respond(problem.response) }
}

private func readStream(
    _ context: UnsafeMutableRawPointer?, _: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
    _ capacity: Int
) -> Int {
    guard let context, let buffer else { return -1 }
    let body = Unmanaged<StreamedBody>.fromOpaque(context).takeUnretainedValue()
    return body.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
}

private func releaseStream(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<StreamedBody>.fromOpaque(context).takeRetainedValue().close()
}
