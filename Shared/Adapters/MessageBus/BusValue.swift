/// A value of D-Bus, without the types that this program never meets.
public indirect enum BusValue: Hashable, Sendable {
    case bool(Bool)
    /// Any integer; D-Bus has seven kinds.
    case integer(Int64)
    case double(Double)
    /// Text, an object's path, or a signature.
    case text(String)
    /// An array of bytes.
    case bytes([UInt8])
    case array([BusValue])
    case structure([BusValue])
    /// Keys are written as text.
    case dictionary([String: BusValue])

    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    public var text: String? { if case .text(let value) = self { value } else { nil } }
    public var array: [BusValue]? { if case .array(let value) = self { value } else { nil } }
    public var dictionary: [String: BusValue]? {
        if case .dictionary(let value) = self { value } else { nil }
    }
    /// Bytes; an empty array has no type left.
    public var bytes: [UInt8]? {
        switch self {
        case .bytes(let value): value
        case .array([]): []
        default: nil
        }
    }

    public subscript(name: String) -> BusValue? { dictionary?[name] }
}

/// An argument of a call.
public enum BusArgument: Hashable, Sendable {
    case text(String)
    /// A dictionary of text to variants, `a{sv}`. Its values are text, or booleans.
    case options([String: BusValue])
}
