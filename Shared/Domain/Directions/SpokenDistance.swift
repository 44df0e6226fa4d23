import Glibc

/// A distance as people say it.
public enum SpokenDistance: Hashable, Sendable {
    /// Under 20 m to the metre, under 100 to five, under a kilometre to ten.
    case metres(Int)
    /// In tenths of a kilometre.
    case tenthsOfKilometre(Int)

    /// Nil for what is too short to be told.
    public init?(metres: Double) {
        // No way on Earth is longer, and what is no number is none.
        switch min(metres.isNaN ? 0 : metres, 1e9) {
        case ..<0.5: return nil
        case ..<19.5: self = .metres(Int(metres.rounded()))
        case ..<97.5: self = .metres(Int((metres / 5).rounded()) * 5)
        case ..<995: self = .metres(Int((metres / 10).rounded()) * 10)
        default: self = .tenthsOfKilometre(Int((min(metres, 1e9) / 100).rounded()))
        }
    }
}

/// A number with the decimals that it has, at most two, behind a point or comma.
func decimalText(_ number: Double, separator: Character) -> String {
    // Larger than anything of a site, and what is no number is as good as none.
    let hundredths = Int(min(abs(number.isNaN ? 0 : number) * 100, 1e15).rounded())
    let sign = number < 0 && hundredths > 0 ? "-" : ""
    let whole = "\(sign)\(hundredths / 100)"
    if hundredths % 100 == 0 { return whole }
    if hundredths % 10 == 0 { return "\(whole)\(separator)\(hundredths % 100 / 10)" }
    return "\(whole)\(separator)\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
}
