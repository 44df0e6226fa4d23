public enum LogLevel: Int, Sendable, CaseIterable, Comparable {
    case debug
    case info
    case warning
    case error

    /// `debug`, `info`, `warning` or `error`.
    public var name: String { "\(self)" }

    public init?(name: String) {
        guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

public enum LogValue: Sendable, Hashable, ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)

    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .flag(value) }
}
