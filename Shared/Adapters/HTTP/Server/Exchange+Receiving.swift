import CMicrohttpd
import Glibc

// MARK: - Receiving

extension Exchange {
    func handleHead(
        _ name: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>?
    ) -> MHD_Result {
        methodName = String(cString: name)
        method = HTTPMethod(rawValue: methodName)
        let shape: HeadShape
        (fields, shape) = HeaderFields.read(handle)
        declaredBytes = shape.declaredBytes
        // If the end of the body is unclear, the next request's beginning is unclear too.
        if let problem = shape.fault(isHTTP11: version.map { strcmp($0, "HTTP/1.1") == 0 } ?? true)
        {
            return refuseNow(problem.response)
        }
        switch target {
        case .failure(let problem): refusal = problem.response
        case .success where shape.isEncoded: refusal = Problem.contentEncoding.response
        case .success(let target): admit(target)
        }
        guard let refusal, declaredBytes > 0 || shape.isChunked else { return .YES }
        if declaredBytes > RawAnswer.maximumDiscardedBytes { return refuseNow(refusal) }
        loop.willRefuse(self)
        return .YES
    }

    func admit(_ target: RequestTarget) {
        let admission = loop.core.handler.admit(
            method, path: target.path, query: target.query, fields: fields,
            bodyBytes: declaredBytes, from: sender)
        switch admission {
        case .answer(let response, let pattern):
            self.pattern = pattern
            refusal = response
        case .run(let served, let parameters, let principal, let allowance):
            let route = served.route
            self.route = route
            rule = served.rule
            self.parameters = parameters
            self.principal = principal
            self.allowance = allowance
            pattern = route.pattern
            if declaredBytes > route.maximumBodyBytes { refuseBody(route) }
        }
    }

    func refuseBody(_ route: Route) {
        body = []
        var response = route.answer(.bodyTooLarge(limit: route.maximumBodyBytes))
        response.headers.append(("connection", "close"))
        refusal = response
    }

    /// The address by which requests without a token are counted: the client's, or the one that a
    /// trusted proxy states.
    var senderAddress: NetworkAddress? {
        guard let address = connection.address else { return nil }
        guard connection.isTrustedProxy else { return address.sender }
        return loop.core.forwarded(by: address, fields).sender
    }

    var sender: String {
        connection.isTrustedProxy ? senderAddress?.text ?? "unknown" : connection.sender
    }

    /// The sender whose memory limit the body counts for.
    var payer: String { principal?.id ?? sender }
    var isStranger: Bool { principal == nil }

    /// Counts the memory of a body that comes in several pieces. Returns a problem when its sender,
    /// or all senders together, have too many such bodies.
    func receiveSlowly(_ bytes: Int) -> Problem? {
        if unfinishedSender == nil, let address = senderAddress {
            guard loop.core.addresses.begins(address) else { return .tooManyUnfinished }
            unfinishedSender = address
        }
        guard loop.core.bodies.reserve(bytes, for: payer, isStranger: isStranger) else {
            return .bodiesFull
        }
        reservedBytes += bytes
        return nil
    }

    func endReceiving() {
        if let unfinishedSender { loop.core.addresses.finished(unfinishedSender) }
        unfinishedSender = nil
    }

    func handleBody(_ piece: UnsafeRawBufferPointer) -> MHD_Result {
        if refusal == nil, let route {
            if body.count + piece.count <= route.maximumBodyBytes {
                let isWhole = body.count + piece.count == declaredBytes
                if !isWhole { loop.isOwedMore = true }
                // A body in pieces counts with the bytes that have come.
                let problem = isWhole && body.isEmpty ? nil : receiveSlowly(piece.count)
                guard let problem else {
                    body.append(contentsOf: piece)
                    return .YES
                }
                body = []
                refusal = route.answer(problem)
            } else {
                refuseBody(route)
            }
            loop.willRefuse(self)
        }
        discardedBytes += piece.count
        if let refusal, discardedBytes > RawAnswer.maximumDiscardedBytes {
            return refuseNow(refusal)
        }
        return .YES
    }

    /// Answers before the end of the body and closes the connection.
    func refuseNow(_ response: HTTPResponse) -> MHD_Result {
        connection.hasReceived()
        RawAnswer.send(response, to: connectionSocket(handle))
        report(response.status)
        return .NO
    }
}
