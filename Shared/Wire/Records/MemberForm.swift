internal import JSON

/// Goes through the members of one object of JSON: `FieldReader` reads them, `JSONWriter` writes
/// them.
///
/// So a record lists its members once, in the order in which they are written.
protocol MemberForm: ~Copyable {
    associatedtype Fault: Error

    mutating func member<Value: WireMember>(
        _ name: StaticString, _ value: inout Value, _ presence: MemberPresence,
        _ rule: MemberRule
    ) throws(Fault)
}

/// When a member is there.
enum MemberPresence {
    case required
    /// It may be absent when read, in which case the value stays as it is; it is always written.
    case always
    /// It may be absent when read, and is not written where it says nothing.
    case optional
}

/// The most that is read of a member; more is a fault. The domain says how much a site may hold.
struct MemberRule {
    var mostBytes = 4_096
    var integers = Int.min...Int.max
    var numbers: ClosedRange<Double>?
    /// The fault's code, where it is not the usual one.
    var code: WireFault.Code?

    static let any = MemberRule()
    static let coordinate = MemberRule(numbers: -1e6...1e6, code: .coordinatesOutOfRange)

    /// UTF-8 bytes of a text.
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
