/// What it costs to go along an arc or a route: milliseconds of walking, or what a profile counts
/// as equal to them (a minute of detour for stairs that one would rather avoid).
///
/// The largest cost is 2^31 - 2 milliseconds, which is 24 days. The value after it is `closed`; two
/// costs of any kind add up within 32 bits, which spares the searches every check for overflow.
public struct Cost: Hashable, Comparable, Sendable {
    public let value: UInt32

    /// A value of `closed` or more is `closed`.
    public init(_ value: UInt32) { self.value = min(value, Self.closed.value) }

    /// Costs nothing, like a door between two nodes at the same place.
    public static let free = Cost(unchecked: 0)
    /// Never gone along. A route that would cost so much is none.
    public static let closed = Cost(unchecked: UInt32(Int32.max))

    private init(unchecked value: UInt32) { self.value = value }

    public var isClosed: Bool { self == .closed }

    /// Stops at `closed`.
    public static func + (first: Cost, second: Cost) -> Cost { Cost(first.value + second.value) }
    public static func < (first: Cost, second: Cost) -> Bool { first.value < second.value }
}
