public import Events

/// A whole quarter of an hour, such as 09:15 to 09:30 UTC.
public struct QuarterHour: Hashable, Comparable, Sendable {
    static let microseconds: Int64 = 900_000_000

    private let number: Int64

    /// The quarter that begins at this time; nil where none does.
    public init?(beginning time: Timestamp) {
        guard time.microseconds % Self.microseconds == 0 else { return nil }
        self.init(containing: time)
    }

    public init(containing time: Timestamp) {
        let (quotient, rest) = time.microseconds.quotientAndRemainder(
            dividingBy: Self.microseconds)
        number = rest < 0 ? quotient - 1 : quotient
    }

    public var begins: Timestamp { Timestamp(microseconds: number * Self.microseconds) }
    public var ends: Timestamp { Timestamp(microseconds: (number + 1) * Self.microseconds) }

    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The number of devices that were in a zone during a quarter of an hour.
///
/// Callers choose neither times nor devices, and a count is fixed once. So nobody can tell one
/// person by comparing two answers.
public struct ZoneCount: Hashable, Sendable {
    /// Smaller counts are not shown. Five is a usual bound in statistics about people: NHS Digital
    /// suppresses counts of 1 to 4.
    public static let fewest = 5
    /// A quarter is counted this long after it ended. By then its visits have ended, too, and scans
    /// that a scanner held back have mostly come.
    public static let closingMicroseconds: Int64 = 3_600_000_000

    public var zone: Zone
    public var quarter: QuarterHour
    public var devices: Int

    public init(zone: Zone, quarter: QuarterHour, devices: Int) {
        self.zone = zone
        self.quarter = quarter
        self.devices = devices
    }
}
