internal import JSON

/// A problem that another service answers with, as far as it can be read.
public struct AnsweredProblem: Hashable, Sendable {
    /// Nil for a code that the table lacks.
    public var code: ProblemCode?
    /// The sentence for people.
    public var detail: String?

    /// Reads `{"code"?, "detail"?}`. Any other body says nothing.
    public init(json body: [UInt8]) {
        let read = try? withJSON(body) { (root) throws(WireFault) in
            let fields = try FieldReader(WireValue(root))
            return (
                try? fields.optional("code")?.text(maximumBytes: 256),
                try? fields.optional("detail")?.text(maximumBytes: 2_000)
            )
        }
        code = read?.0.flatMap { text in ProblemCode.allCases.first { $0.text == text } }
        detail = read?.1
    }
}
