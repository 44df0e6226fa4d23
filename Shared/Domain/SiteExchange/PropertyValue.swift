/// A JSON value of an imported file, kept complete so that members unknown to sites are not lost.
///
/// Whole numbers are `integer` and all others `number`, so that 1.0 and 1 are the same value.
public enum PropertyValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([PropertyValue])
    /// The members of an object, in the order of the file.
    case members([Member])

    public struct Member: Hashable, Sendable {
        public var name: String
        public var value: PropertyValue

        public init(_ name: String, _ value: PropertyValue) {
            self.name = name
            self.value = value
        }
    }

    /// An `integer` for a whole number up to 2^53, otherwise a `number`.
    public init(_ number: Double) {
        // Minus zero is kept as a `number`, since no integer equals it.
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

    /// Empty for a value that is no list.
    public var list: [PropertyValue] {
        if case .list(let list) = self { list } else { [] }
    }

    /// Empty for a value without members.
    public var members: [Member] {
        if case .members(let members) = self { members } else { [] }
    }

    /// The last member with this name, as most JSON parsers choose it; `null` if there is none.
    /// Setting it replaces that member in its place, or adds one at the end.
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
