extension JSONWriter {
    /// 2^53. Above it, neighbouring doubles are at least one apart.
    private static let wholeLimit = 9_007_199_254_740_992.0

    /// Writes the number so that a reader gets the same double again.
    public mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        // The quotient s / 10^4 of exact numbers is rounded once, just as "s e-4" is when read. So
        // if the division gives the value back, the text does too.
        let scaled = (value * 10_000).rounded()
        if scaled.magnitude < Self.wholeLimit, scaled / 10_000 == value {
            putFixed(scaled, decimals: 4, isNegative: value.sign == .minus)
        } else {
            beginValue(reserving: 32)
            putASCII(value.description)
        }
    }

    /// Writes at most this many decimals, rounded half away from zero, without zeros at the end.
    ///
    /// - Parameter decimals: 0 to 9.
    public mutating func number(_ value: Double, decimals: Int) {
        precondition((0...9).contains(decimals))
        guard value.isFinite else { return null() }
        let scaled = (value * Self.powersOfTen[decimals]).rounded()
        guard scaled.magnitude < Self.wholeLimit else { return number(value) }
        // Zero gets no sign: -0.0001 with three decimals is 0.
        putFixed(scaled, decimals: decimals, isNegative: scaled < 0)
    }

    private static let powersOfTen: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

    private mutating func putFixed(_ scaled: Double, decimals: Int, isNegative: Bool) {
        beginValue(reserving: 32)
        if isNegative { put(UInt8(ascii: "-")) }
        var fraction = UInt64(scaled.magnitude)
        var unit: UInt64 = 1
        for _ in 0..<decimals { unit *= 10 }
        let whole = fraction / unit
        fraction %= unit
        // Readers lose the sign of an integer zero, so negative zero is written as -0.0.
        if whole == 0, fraction == 0, isNegative { return putASCII("0.0") }
        putDigits(whole)
        guard fraction > 0 else { return }
        var digits = decimals
        while fraction % 10 == 0 {
            fraction /= 10
            digits -= 1
        }
        put(UInt8(ascii: "."))
        putDigits(fraction, count: digits)
    }

    private mutating func putASCII(_ text: String) {
        for byte in text.utf8 { put(byte) }
    }
}
