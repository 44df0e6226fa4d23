/// A value as a file of JSON says it, kept whole so that what a site cannot hold is not lost.
///
/// Whole numbers are `integer` and all others `number`, so that 1.0 and 1 are the same value.
public enum PropertyValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([PropertyValue])
    /// In the order of the file.
    case members([Member])

    public struct Member: Hashable, Sendable {
        public var name: String
        public var value: PropertyValue

        public init(_ name: String, _ value: PropertyValue) {
            self.name = name
            self.value = value
        }
    }

    /// A number as the case that it belongs to.
    public init(_ number: Double) {
        // Minus zero is no integer.
        if let whole = Int(exactly: number), whole.magnitude <= 1 << 53,
            whole != 0 || number.sign == .plus
        {
            self = .integer(whole)
        } else {
            self = .number(number)
        }
    }

    public init(_ text: String?) { self = text.map(PropertyValue.text) ?? .null }

    public var isNull: Bool { self == .null }

    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    public var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    public var integer: Int? {
        if case .integer(let integer) = self { integer } else { nil }
    }

    public var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// None for a value that is no list.
    public var list: [PropertyValue] {
        if case .list(let list) = self { list } else { [] }
    }

    /// None for a value that has no members.
    public var members: [Member] {
        if case .members(let members) = self { members } else { [] }
    }

    /// The last member of the name, as readers of JSON have it; `null` where there is none. Setting
    /// it replaces that member in its place, or adds one at the end.
    public subscript(name: String) -> PropertyValue {
        get { members.last { $0.name == name }?.value ?? .null }
        set {
            var members = members
            if let place = members.lastIndex(where: { $0.name == name }) {
                members[place].value = newValue
            } else {
                members.append(Member(name, newValue))
            }
            self = .members(members)
        }
    }
}

extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int) { self = .integer(value) }
    public init(floatLiteral value: Double) { self.init(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: PropertyValue...) { self = .list(elements) }
    public init(dictionaryLiteral elements: (String, PropertyValue)...) {
        self = .members(elements.map { Member($0.0, $0.1) })
    }
    public init(nilLiteral: ()) { self = .null }
}
