public import Events
public import HTTP
public import Wire

/// Problems of the table as HTTP answers. The server's own problems, such as a request that is too
/// long, are made elsewhere.
extension Problem {
    public init(_ code: ProblemCode, _ detail: String, retryAfterSeconds: Int? = nil) {
        let row = code.rawValue
        self.init(
            status: row.status, code: row.code, detail: detail,
            retryAfterSeconds: retryAfterSeconds)
    }

    /// A problem with the second of the two statuses of its code.
    public init(other code: ProblemCode, _ detail: String, retryAfterSeconds: Int? = nil) {
        let row = code.rawValue
        self.init(
            status: row.otherStatus ?? row.status, code: row.code, detail: detail,
            retryAfterSeconds: retryAfterSeconds)
    }

    /// The answer to a body that can't be read.
    public init(_ fault: WireFault) { self.init(fault.code, fault.detail) }

    public static let cursorMalformed = Problem(
        .cursorMalformed, "Send a cursor that an earlier page gave as ?after=.")
}

/// An error that is the client's fault and is described to the client. Stores and the domain throw
/// such errors, and every route answers with the problem. So they need not know HTTP.
public protocol ClientRefusal: Error, CustomStringConvertible {
    var problem: Problem { get }
}

extension ClientRefusal {
    public var description: String { problem.description }
}

extension HTTPRequest {
    /// The UUID in the path.
    ///
    /// - Parameter thing: its owner with an article, such as `A barrier`.
    public func id(of thing: String) throws(Problem) -> EventID {
        guard let id = EventID(parameters["id"] ?? "") else {
            throw Problem(.idMalformed, "\(thing)'s id is a UUID.")
        }
        return id
    }

    /// Decodes the body; throws a problem for a fault in it.
    public func read<Value>(_ decode: ([UInt8]) throws(WireFault) -> Value) throws(Problem) -> Value
    {
        do {
            return try decode(body)
        } catch {
            throw Problem(error)
        }
    }
}
