internal import JSON

/// Visits the members of a JSON object: `FieldReader` reads them, and `JSONWriter` writes them.
///
/// So a record lists its members once, in the order in which they are written.
protocol MemberForm: ~Copyable {
    associatedtype Fault: Error

    mutating func member<Value: WireMember>(
        _ name: StaticString, _ value: inout Value, _ presence: MemberPresence,
        _ rule: MemberRule
    ) throws(Fault)
}

/// When a member is written.
enum MemberPresence {
    case required
    /// The member is always written. When it is absent at reading, the value stays as it is.
    case always
    /// The member is written only if it holds something. It may be absent at reading.
    case optional
}

/// The limits for reading a member. The domain limits how much a site may hold.
struct MemberRule {
    var mostBytes = 4_096
    var integers = Int.min...Int.max
    var numbers: ClosedRange<Double>?
    /// The code of the fault, where it is not the usual one.
    var code: WireFault.Code?

    static let any = MemberRule()
    static let coordinate = MemberRule(numbers: -1e6...1e6, code: .coordinatesOutOfRange)

    /// The most UTF-8 bytes of a text.
    static func bytes(_ most: Int) -> MemberRule { MemberRule(mostBytes: most) }
    static func within(_ range: ClosedRange<Int>) -> MemberRule { MemberRule(integers: range) }
    static func within(_ range: ClosedRange<Double>) -> MemberRule { MemberRule(numbers: range) }
    static func fault(_ code: WireFault.Code) -> MemberRule { MemberRule(code: code) }
}

extension MemberForm where Self: ~Copyable {
    mutating func required(
        _ name: StaticString, _ value: inout some WireMember, _ rule: MemberRule = .any
    ) throws(Fault) {
        try member(name, &value, .required, rule)
    }

    mutating func always(
        _ name: StaticString, _ value: inout some WireMember, _ rule: MemberRule = .any
    ) throws(Fault) {
        try member(name, &value, .always, rule)
    }

    mutating func optional(
        _ name: StaticString, _ value: inout some WireMember, _ rule: MemberRule = .any
    ) throws(Fault) {
        try member(name, &value, .optional, rule)
    }
}

extension FieldReader: MemberForm {
    func member<Value: WireMember>(
        _ name: StaticString, _ value: inout Value, _ presence: MemberPresence,
        _ rule: MemberRule
    ) throws(WireFault) {
        if case .required = presence {
            value = try Value(reading: try required(name), rule)
        } else if let found = optional(name) {
            value = try Value(reading: found, rule)
        }
    }
}

extension JSONWriter: MemberForm {
    mutating func member<Value: WireMember>(
        _ name: StaticString, _ value: inout Value, _ presence: MemberPresence,
        _ rule: MemberRule
    ) throws(Never) {
        if case .optional = presence, value.isAbsent { return }
        self.name(name)
        value.write(to: &self)
    }
}
