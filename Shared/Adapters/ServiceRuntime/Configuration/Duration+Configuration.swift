extension Duration {
    private static let units: [(suffix: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// Parses an integer and a unit, as in `250ms` or `7d`. Nil for anything else.
    public init?(configurationText text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let suffix = text.dropFirst(digits.count)
        guard let number = Int64(digits),
            let unit = Self.units.first(where: { $0.suffix == suffix })
        else { return nil }
        let (milliseconds, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
        guard !overflow else { return nil }
        self = .milliseconds(milliseconds)
    }

    /// The shortest text that `init(configurationText:)` parses to the same value, to the
    /// millisecond.
    public var configurationText: String {
        let milliseconds = wholeMilliseconds
        let unit =
            Self.units.last { milliseconds % $0.milliseconds == 0 && milliseconds != 0 }
            ?? Self.units[1]
        return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }

    /// Whole milliseconds, rounded towards zero.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
