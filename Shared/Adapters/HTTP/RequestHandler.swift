/// Routes, authorises and counts requests, and answers them: all of the server but the socket.
///
/// The server runs the same steps for each request that it reads; tests and programs in the same
/// process call `handle` instead.
public struct RequestHandler: Sendable {
    private let router: Router
    private let authenticator: any Authenticator
    private let limiter: RateLimiter?
    private let onUnexpected: @Sendable (String) -> Void
    private let onRefused: @Sendable (RefusedRequest) -> Void

    /// `requestsPerSecondPerToken` of nil counts nothing. `onUnexpected` is told of handlers that
    /// threw something other than a `Problem`, `onRefused` of requests that were refused for who sent them.
    ///
    /// - Throws: `UnruledRoutes` with those that the authorizer has no rule for.
    public init(
        routes: [Route], authenticator: any Authenticator, authorizer: any Authorizer,
        requestsPerSecondPerToken: Double? = nil, burst: Int = 100,
        onRefused: @escaping @Sendable (RefusedRequest) -> Void = { _ in },
        onUnexpected: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(UnruledRoutes) {
        router = try Router(routes, authorizer: authorizer)
        self.authenticator = authenticator
        self.onUnexpected = onUnexpected
        self.onRefused = onRefused
        limiter = requestsPerSecondPerToken.map {
            RateLimiter(requestsPerSecond: $0, burst: Double(burst))
        }
    }

    /// Answers a request. `parameters` and `principal` of the request are filled in here.
    public func handle(
        _ request: HTTPRequest, from remoteAddress: String = "memory"
    ) async -> HTTPResponse {
        let admission = admit(
            request.method, path: request.path, fields: request.fields,
            remoteAddress: remoteAddress)
        let route: Route
        var request = request
        switch admission {
        case .answer(let response, _): return response
        case .run(let served, let parameters, let principal):
            route = served.route
            request.parameters = parameters
            request.principal = principal
            request.rule = served.rule
        }
        guard request.body.count <= route.maximumBodyBytes else {
            return Problem.bodyTooLarge(limit: route.maximumBodyBytes).response
        }
        var response = await run(route, request)
        if request.method == .head { response.body = .bytes([]) }
        return response
    }

    /// Whether who began a stream may have more of it.
    func holds(_ principal: any Principal) -> Bool { authenticator.holds(principal) }

    /// What is decided once the head of a request is there.
    enum Admission: Sendable {
        case run(Router.Served, parameters: [String: String], (any Principal)?)
        case answer(HTTPResponse, pattern: String)
    }

    /// `method` is nil for a word that is no `HTTPMethod`.
    func admit(
        _ method: HTTPMethod?, path: String, fields: HeaderFields, remoteAddress: String
    ) -> Admission {
        switch router.find(method, path) {
        case .notFound:
            return .answer(Problem.notFound.response, pattern: "unmatched")
        case .methodNotAllowed(let allow):
            let list = allow.map(\.rawValue).joined(separator: ", ")
            var response =
                method == .options
                ? HTTPResponse(status: 204) : Problem.methodNotAllowed.response
            response.headers.append(("allow", list))
            return .answer(response, pattern: "unmatched")
        case .found(let served, let parameters):
            let route = served.route
            let (principal, refusal) = authorise(
                served.rule, fields, parameters, isChange: method.map { !$0.isSafe } ?? true)
            if let limiter,
                let seconds = limiter.secondsToWait(
                    for: principal?.id ?? remoteAddress, nowNanoseconds: Moment.nanoseconds())
            {
                let problem = Problem.tooManyRequests(retryAfterSeconds: seconds)
                return .answer(problem.response, pattern: route.pattern)
            }
            if let refusal {
                if refusal.status == 401 && refusal.code != Problem.tokenMissing.code
                    || refusal.status == 403
                {
                    onRefused(
                        RefusedRequest(
                            method: route.method.rawValue, pattern: route.pattern,
                            code: refusal.code, principal: principal, remoteAddress: remoteAddress))
                }
                return .answer(refusal.response, pattern: route.pattern)
            }
            return .run(served, parameters: parameters, principal)
        }
    }

    /// A principal that may not is told with its refusal, so that it is counted.
    private func authorise(
        _ rule: any AccessRule, _ fields: HeaderFields, _ parameters: [String: String],
        isChange: Bool
    ) -> (principal: (any Principal)?, refusal: Problem?) {
        guard let sent = fields.withFirst("authorization", Self.bearerToken) else {
            return authoriseSession(rule, fields, parameters, isChange: isChange)
        }
        guard let token = sent, let principal = authenticator.principal(forBearer: token) else {
            return (nil, authenticator.isReady ? .tokenWrong : .starting)
        }
        return (principal, rule.refusal(of: principal, parameters: parameters))
    }

    /// What is open to anybody stays so with a session that is over, or a browser could not sign in again.
    private func authoriseSession(
        _ rule: any AccessRule, _ fields: HeaderFields, _ parameters: [String: String],
        isChange: Bool
    ) -> (principal: (any Principal)?, refusal: Problem?) {
        let refusal = rule.refusal(of: nil, parameters: parameters)
        guard let name = authenticator.sessionCookie, let text = fields.cookie(name),
            !text.isEmpty
        else { return (nil, refusal) }
        switch authenticator.principal(
            forSession: text, changeToken: fields.first("x-change-token"), isChange: isChange)
        {
        case .success(let principal):
            return (principal, rule.refusal(of: principal, parameters: parameters))
        case .failure(let problem): return (nil, refusal == nil ? nil : problem)
        }
    }

    /// The token of an Authorization field; nil if that is of another scheme, whose name is not case
    /// sensitive (RFC 9110, section 11.1).
    private static func bearerToken(_ authorization: UnsafeRawBufferPointer) -> String? {
        let scheme: StaticString = "bearer "
        guard authorization.count > 7,
            (0..<7).allSatisfy({ index in
                let wanted = scheme.utf8Start[index]
                return authorization[index] == wanted || authorization[index] | 0x20 == wanted
            })
        else { return nil }
        return String(
            decoding: UnsafeRawBufferPointer(rebasing: authorization[7...]), as: UTF8.self)
    }

    private func run(_ route: Route, _ request: HTTPRequest) async -> HTTPResponse {
        switch route.handler {
        case .task(let handler): await runTask(route.pattern, request, handler)
        case .callback(let handler):
            await withCheckedContinuation { continuation in
                handler(
                    request,
                    OneAnswer { response in continuation.resume(returning: response) })
            }
        }
    }

    /// The handler's answer, or what its error becomes.
    func runTask(
        _ pattern: String, _ request: HTTPRequest,
        _ handler: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async -> HTTPResponse {
        do {
            return try await handler(request)
        } catch let problem as Problem {
            // Where only the body says what the request is about, the handler is who refuses.
            if problem.status == 403 {
                onRefused(
                    RefusedRequest(
                        method: request.method.rawValue, pattern: pattern, code: problem.code,
                        principal: request.principal, remoteAddress: ""))
            }
            return problem.response
        } catch is CancellationError where Task.isCancelled {
            // The client left or the server stops: the answer reaches nobody or says so.
            return Problem.stopping.response
        } catch {
            onUnexpected("\(request.method.rawValue) \(pattern) failed: \(error)")
            return Problem.internalError.response
        }
    }
}
