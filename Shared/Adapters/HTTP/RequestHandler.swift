/// Routes, authorizes, counts and answers requests: the complete server without the socket.
///
/// The server runs these steps for each request that it reads. Tests and programs in the same
/// process call `handle` instead.
public struct RequestHandler: Sendable {
    private let router: RouteTable
    private let authenticator: any Authenticator
    let crossOrigin: CrossOrigin
    private let coding: GzipCoding
    private let tokens: AllowanceBook
    private let addresses: AllowanceBook
    /// Counted separately, so that wrong tokens do not use up the allowance of requests without a
    /// token.
    private let failures: AllowanceBook
    private let onUnexpected: @Sendable (String) -> Void
    private let onRefused: @Sendable (RefusedRequest) -> Void

    /// A rate of nil sets no limit. `onUnexpected` gets a report when a handler throws an error
    /// other than `Problem`. `onRefused` gets the requests that were refused because of their
    /// sender.
    ///
    /// - Throws: `UnruledRoutes` with the routes for which the authorizer has no rule.
    public init(
        routes: [Route], authenticator: any Authenticator, authorizer: any Authorizer,
        requestsPerSecondPerToken: Double? = nil, burst: Int = 100,
        failuresPerSecondPerAddress: Double? = nil, failureBurst: Int = 200,
        crossOrigin: CrossOrigin = .none, coding: GzipCoding = .none,
        onRefused: @escaping @Sendable (RefusedRequest) -> Void = { _ in },
        onUnexpected: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(UnruledRoutes) {
        router = try RouteTable(routes, authorizer: authorizer)
        self.authenticator = authenticator
        self.crossOrigin = crossOrigin
        self.coding = coding
        self.onUnexpected = onUnexpected
        self.onRefused = onRefused
        tokens = AllowanceBook(requestsPerSecond: requestsPerSecondPerToken, burst: Double(burst))
        addresses = AllowanceBook(
            requestsPerSecond: requestsPerSecondPerToken, burst: Double(burst))
        failures = AllowanceBook(
            requestsPerSecond: failuresPerSecondPerAddress, burst: Double(failureBurst))
    }

    /// Answers a request. It fills in the request's `parameters` and `principal`.
    public func handle(
        _ request: HTTPRequest, from remoteAddress: String = "memory"
    ) async -> HTTPResponse {
        await answer(request, remoteAddress).completed(
            for: request.fields, method: request.method, crossOrigin)
    }

    private func answer(_ request: HTTPRequest, _ remoteAddress: String) async -> HTTPResponse {
        let admission = admit(
            request.method, path: request.path, query: request.query, fields: request.fields,
            bodyBytes: request.body.count, from: remoteAddress)
        let route: Route
        var request = request
        switch admission {
        case .answer(let response, _): return response
        case .run(let served, let parameters, let principal, let allowance):
            route = served.route
            request.parameters = parameters
            request.principal = principal
            request.rule = served.rule
            request.allowance = allowance
            request.query = route.withoutCredential(request.query)
        }
        guard request.body.count <= route.maximumBodyBytes else {
            return route.answer(.bodyTooLarge(limit: route.maximumBodyBytes))
        }
        var response = await run(route, request)
        if request.method == .head { response.body = .bytes([]) }
        return response
    }

    /// Whether the principal of a stream is still valid.
    func holds(_ principal: any Principal) -> Bool { authenticator.holds(principal) }

    /// The decision after the head of a request was read.
    enum Admission: Sendable {
        case run(RouteTable.Served, parameters: [String: String], (any Principal)?, Allowance?)
        case answer(HTTPResponse, pattern: String)
    }

    /// - Parameters:
    ///   - method: nil for a method that is not an `HTTPMethod`.
    ///   - bodyBytes: the body's length, where it is known.
    ///   - address: the sender's address, by which requests without a valid token are counted.
    func admit(
        _ method: HTTPMethod?, path: String, query: [(name: String, value: String)],
        fields: HeaderFields, bodyBytes: Int, from address: @autoclosure () -> String
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
            let (principal, forbidden) = authorise(
                served, fields, query, parameters, isChange: method.map { !$0.isSafe } ?? true)
            let refusal =
                forbidden ?? route.refusal?(parameters)
                ?? Problem(ofQuery: route.withoutCredential(query), under: served.rule)
            var allowance: Allowance?
            if route.isCounted {
                // A body that is too large for the route is not read, so its bytes do not count.
                let bytes = bodyBytes <= route.maximumBodyBytes ? bodyBytes : 0
                let counted = count(route, principal, refusal, bodyBytes: bytes, from: address())
                if let answer = counted.refusal {
                    return .answer(answer, pattern: route.pattern)
                }
                allowance = counted.allowance
            }
            if let refusal {
                if refusal.isNoted {
                    onRefused(
                        RefusedRequest(
                            method: route.method.rawValue, pattern: route.pattern,
                            code: refusal.code, principal: principal, remoteAddress: address()))
                }
                return .answer(route.answer(refusal), pattern: route.pattern)
            }
            return .run(served, parameters: parameters, principal, allowance)
        }
    }

    /// Counts the request for its sender: the valid token, or otherwise the address.
    private func count(
        _ route: Route, _ principal: (any Principal)?, _ refusal: Problem?, bodyBytes: Int,
        from address: @autoclosure () -> String
    ) -> (allowance: Allowance, refusal: HTTPResponse?) {
        let now = Moment.nanoseconds()
        let allowance =
            if let principal, !principal.countsByAddress {
                tokens[principal.id, now]
            } else if refusal?.status == 401 {
                failures[address(), now]
            } else {
                addresses[address(), now]
            }
        // A request that the role may not make counts, but its bytes do not.
        let quota = refusal == nil ? principal?.sendingQuota : nil
        guard let over = allowance.spend(bytes: bodyBytes, quota: quota, at: now) else {
            return (allowance, nil)
        }
        var response = route.answer(
            .overdrawn(over.what, retryAfterSeconds: over.seconds))
        if let quota { response.headers += allowance.left(of: quota).headers }
        return (allowance, response)
    }

    /// The principal and the refusal, if any. A refused principal is returned too, so that it is
    /// counted.
    private func authorise(
        _ served: RouteTable.Served, _ fields: HeaderFields,
        _ query: [(name: String, value: String)], _ parameters: [String: String], isChange: Bool
    ) -> (principal: (any Principal)?, refusal: Problem?) {
        let rule = served.rule
        guard let sent = Self.token(served.route.credential, fields, query) else {
            return authoriseSession(rule, fields, parameters, isChange: isChange)
        }
        guard let token = sent, let principal = authenticator.principal(forBearer: token) else {
            return (nil, authenticator.isReady ? .tokenWrong : .starting)
        }
        guard principal.mayBeForwarded || fields.first("x-forwarded-for") == nil else {
            return (nil, .tokenWrong)
        }
        return (principal, rule.refusal(of: principal, parameters: parameters))
    }

    /// Open routes stay open with an expired session, or a browser could not sign in again.
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

    /// The token of a request: nil where none was sent, and nil inside for one that can't be read.
    private static func token(
        _ credential: Route.Credential, _ fields: HeaderFields,
        _ query: [(name: String, value: String)]
    ) -> String?? {
        let sent = fields.withFirst("authorization") { field in
            AuthorizationField.bearerToken(field)
                ?? (credential == .basic ? AuthorizationField.password(field) : nil)
        }
        if let sent { return .some(sent) }
        guard case .query(let name) = credential,
            let value = query.first(where: { $0.name == name })?.value
        else { return nil }
        return .some(value)
    }

    private func run(_ route: Route, _ request: HTTPRequest) async -> HTTPResponse {
        switch route.handler {
        case .task(let handler): await runTask(route, request, handler)
        case .callback(let handler):
            await withCheckedContinuation { continuation in
                handler(
                    request,
                    OneAnswer { response in continuation.resume(returning: response) })
            }
        }
    }

    /// The handler's answer, or the answer for the error that it threw.
    func runTask(
        _ route: Route, _ request: HTTPRequest,
        _ handler: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async -> HTTPResponse {
        do {
            let answer = try await handler(CodedTag.plain(request))
            return await coding.coded(answer, of: route, for: request)
        } catch let problem as Problem {
            // The handler itself refuses when only the body shows what the request is about.
            if problem.isNoted {
                onRefused(
                    RefusedRequest(
                        method: request.method.rawValue, pattern: route.pattern,
                        code: problem.code, principal: request.principal,
                        remoteAddress: request.senderText))
            }
            return route.answer(problem)
        } catch is CancellationError where Task.isCancelled {
            // The client left, which makes the answer irrelevant, or the server is stopping.
            return route.answer(.stopping)
        } catch {
            onUnexpected("\(request.method.rawValue) \(route.pattern) failed: \(error)")
            return route.answer(.internalError)
        }
    }
}

extension Problem {
    /// The refusal of a query; nil without one.
    fileprivate init?(ofQuery query: [(name: String, value: String)], under rule: any AccessRule) {
        guard
            let problem = Self.unknown(in: query, known: rule.queryParameters)
                ?? (rule.takesEachParameterOnce ? Self.twice(in: query) : nil)
        else { return nil }
        self = problem
    }

    /// The refusal of a parameter that is not known; nil where any may come.
    private static func unknown(
        in query: [(name: String, value: String)], known: [String]?
    ) -> Problem? {
        guard let known, let unknown = query.first(where: { !known.contains($0.name) })
        else { return nil }
        let list = known.isEmpty ? "none" : known.joined(separator: ", ")
        return Problem(
            .fieldUnknown,
            "There is no parameter \(shown(unknown.name)); the known ones are: \(list).")
    }

    /// The refusal of a parameter that is there twice. Only the first would count, and nobody would
    /// hear that the other did not.
    private static func twice(in query: [(name: String, value: String)]) -> Problem? {
        var seen: Set<String> = []
        guard let second = query.first(where: { !seen.insert($0.name).inserted }) else {
            return nil
        }
        return Problem(
            .queryMalformed, "The parameter \(shown(second.name)) is there twice: send it once.")
    }

    /// A stranger's name in at most 64 characters, none of which controls a terminal.
    private static func shown(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.prefix(64).filter {
                    $0.properties.generalCategory != .control
                }))
    }

    /// Whether the operator hears of the refusal. A request without any token is nothing unusual.
    fileprivate var isNoted: Bool {
        status == 403 || status == 401 && code != Problem.tokenMissing.code
    }
}
