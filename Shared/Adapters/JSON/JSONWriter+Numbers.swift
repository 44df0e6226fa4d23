extension JSONWriter {
    /// The largest magnitude whose neighbours are whole numbers apart, 2^53.
    private static let wholeLimit = 9_007_199_254_740_992.0

    /// Text from which the same double is read again.
    public mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        // s / 10^4 with both exact is rounded once, as reading "s e-4" is: when the division gives
        // the value back, so does the text.
        let scaled = (value * 10_000).rounded()
        if scaled.magnitude < Self.wholeLimit, scaled / 10_000 == value {
            putFixed(scaled, decimals: 4, isNegative: value.sign == .minus)
        } else {
            beginValue(reserving: 32)
            putASCII(value.description)
        }
    }

    /// At most so many decimals, rounded half away from zero; zeros at the end are left out.
    ///
    /// - Parameter decimals: 0 to 9.
    public mutating func number(_ value: Double, decimals: Int) {
        precondition((0...9).contains(decimals))
        guard value.isFinite else { return null() }
        let scaled = (value * Self.powersOfTen[decimals]).rounded()
        guard scaled.magnitude < Self.wholeLimit else { return number(value) }
        // Zero has no sign here: -0.0001 to three decimals is 0.
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
        // JSON has no sign on its integer zero that readers keep.
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
