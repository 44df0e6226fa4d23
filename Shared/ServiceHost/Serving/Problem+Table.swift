public import HTTP
public import Wire

/// A problem of the table, as HTTP answers it. All but the server's own are made here.
extension Problem {
    public init(_ code: ProblemCode, _ detail: String, retryAfterSeconds: Int? = nil) {
        let row = code.rawValue
        self.init(
            status: row.status, code: row.code, detail: detail,
            retryAfterSeconds: retryAfterSeconds)
    }

    /// With the other of the two statuses that a code has.
    public init(other code: ProblemCode, _ detail: String, retryAfterSeconds: Int? = nil) {
        let row = code.rawValue
        self.init(
            status: row.otherStatus ?? row.status, code: row.code, detail: detail,
            retryAfterSeconds: retryAfterSeconds)
    }

    /// The answer to a body that can't be read.
    public init(_ fault: WireFault) { self.init(fault.code, fault.detail) }

    public static let cursorMalformed = Problem(
        .cursorMalformed, "after takes a cursor that an earlier page gave.")
}

/// An error that the client is told about. Stores and the domain throw their own; every route
/// answers with its problem, so that they need not know HTTP.
public protocol ClientRefusal: Error, CustomStringConvertible {
    var problem: Problem { get }
}

extension ClientRefusal {
    public var description: String { problem.description }
}

extension HTTPRequest {
    /// The body as a value; a fault in it is the client's.
    public func read<Value>(_ decode: ([UInt8]) throws(WireFault) -> Value) throws(Problem) -> Value
    {
        do {
            return try decode(body)
        } catch {
            throw Problem(error)
        }
    }
}
