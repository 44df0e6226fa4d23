/// A time in microseconds since 1970-01-01, UTC. JSON shows it as RFC 3339 with milliseconds.
public struct Timestamp: Hashable, Sendable, Comparable {
    public let microseconds: Int64

    public init(microseconds: Int64) { self.microseconds = microseconds }
    /// The nearest time that fits, for a number too large or too small.
    public init(milliseconds: Int64) {
        let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000)
        microseconds = overflow ? (milliseconds > 0 ? .max : .min) : product
    }

    public var milliseconds: Int64 { microseconds / 1_000 }

    public static func < (left: Self, right: Self) -> Bool {
        left.microseconds < right.microseconds
    }

    /// Microseconds from `right` to `left`; the nearest number that fits if the difference is too
    /// large.
    public static func - (left: Self, right: Self) -> Int64 {
        let (difference, overflow) =
            left.microseconds.subtractingReportingOverflow(right.microseconds)
        return overflow ? (left > right ? .max : .min) : difference
    }

    public func advanced(byMicroseconds amount: Int64) -> Timestamp {
        let (sum, overflow) = microseconds.addingReportingOverflow(amount)
        return Timestamp(microseconds: overflow ? (amount > 0 ? .max : .min) : sum)
    }
}
