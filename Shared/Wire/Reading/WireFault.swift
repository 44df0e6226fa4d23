public import JSON

/// Why a request's body, a record of the log or a document can't be read.
public struct WireFault: Error, Hashable, Sendable, CustomStringConvertible {
    public typealias Code = ProblemCode

    public var code: Code
    /// The place in the document, such as `wifi[3].rssi`; empty for the complete document.
    public var path: String
    /// A description of the fault for the sender.
    public var reason: String

    public init(_ code: Code, path: String = "", _ reason: String) {
        self.code = code
        self.path = path
        self.reason = reason
    }

    public init(_ fault: JSONFault) {
        let code: Code
        let reason: String
        switch fault.code {
        case .empty: (code, reason) = (.bodyEmpty, "there is nothing to read")
        case .notJSON: (code, reason) = (.notJSON, "this is not JSON")
        case .notUTF8: (code, reason) = (.notUTF8, "this is not UTF-8")
        case .tooDeep: (code, reason) = (.tooDeep, "objects and arrays are nested too deep")
        case .truncated: (code, reason) = (.truncated, "the document ends too early")
        case .numberOutOfRange: (code, reason) = (.numberOutOfRange, "a number is too large")
        case .tooLarge: (code, reason) = (.bodyTooLarge, "the document is too large")
        }
        let place = fault.position.map { " (byte \($0))" } ?? ""
        self.init(code, reason + place)
    }

    /// The reason with its place, for people.
    public var detail: String { path.isEmpty ? reason : "\(path): \(reason)" }

    public var description: String { "\(code.text): \(detail)" }

    /// The same fault with the path of the object or array around it.
    func inside(_ outer: String) -> WireFault {
        let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
        return WireFault(code, path: outer + separator + path, reason)
    }
}
