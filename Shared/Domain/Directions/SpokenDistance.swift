import Glibc

/// A distance rounded as people say it.
public enum SpokenDistance: Hashable, Sendable {
    /// Rounded to the metre under 20 m, to five metres under 100 m, and to ten under a kilometre.
    case metres(Int)
    /// A distance of a kilometre or more, in tenths of a kilometre.
    case tenthsOfKilometre(Int)

    /// Nil for a distance that is too short to mention.
    public init?(metres: Double) {
        // No route on Earth is longer than a million kilometres. A distance that is not a number
        // counts as 0.
        switch min(metres.isNaN ? 0 : metres, 1e9) {
        case ..<0.5: return nil
        case ..<19.5: self = .metres(Int(metres.rounded()))
        case ..<97.5: self = .metres(Int((metres / 5).rounded()) * 5)
        case ..<995: self = .metres(Int((metres / 10).rounded()) * 10)
        default: self = .tenthsOfKilometre(Int((min(metres, 1e9) / 100).rounded()))
        }
    }
}

/// A number with at most two decimals and no trailing zeros.
func decimalText(_ number: Double, separator: Character) -> String {
    // The limit exceeds every figure of a site and keeps `Int` from overflowing. A value that is
    // not a number is shown as 0.
    let hundredths = Int(min(abs(number.isNaN ? 0 : number) * 100, 1e15).rounded())
    let sign = number < 0 && hundredths > 0 ? "-" : ""
    let whole = "\(sign)\(hundredths / 100)"
    if hundredths % 100 == 0 { return whole }
    if hundredths % 10 == 0 { return "\(whole)\(separator)\(hundredths % 100 / 10)" }
    return "\(whole)\(separator)\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
}
