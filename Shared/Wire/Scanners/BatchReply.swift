internal import JSON

/// The answer to a batch of scans or surveys, as its sender reads it.
public struct BatchReply: Hashable, Sendable {
    public struct Rejection: Hashable, Sendable {
        /// The index in the batch, counted from 0.
        public var index: Int
        public var code: String
        /// Whether the same scan may be accepted later.
        public var mayPass: Bool
    }

    /// The code of the whole request's problem; nil where it has none.
    public var code: String?
    /// Nil where the answer says nothing about single scans.
    public var rejections: [Rejection]?

    /// Reads `{"code"?, "rejected"?}`. Any other body says nothing.
    public init(json body: [UInt8]) {
        let read = try? withJSON(body) { (root) throws(WireFault) in
            let fields = try FieldReader(WireValue(root))
            return (
                try? fields.optional("code")?.text(maximumBytes: 256),
                fields.optional("rejected") == nil
                    ? nil : try fields.elements("rejected", rejection)
            )
        }
        code = read?.0
        rejections = read?.1
    }

    /// Whether a problem's statuses in the table mean that the same request may work later.
    static func mayPass(_ code: String) -> Bool {
        let passing: Set = [429, 502, 503, 504]
        guard let row = ProblemCode.allCases.first(where: { $0.text == code })?.rawValue else {
            return false
        }
        return passing.contains(row.status)
    }
}

private func rejection(_ value: WireValue) throws(WireFault) -> BatchReply.Rejection {
    let fields = try FieldReader(value)
    let code = try fields.required("code").text(maximumBytes: 256)
    return BatchReply.Rejection(
        index: try fields.required("index").integer(in: 0...1_000_000), code: code,
        mayPass: BatchReply.mayPass(code))
}
