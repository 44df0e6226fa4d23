/// The cost of an arc or a route, in milliseconds of walking. A profile may add a price, such as a
/// minute for stairs that the traveller would rather avoid.
///
/// The largest cost is 2^31 - 2 milliseconds, which is 24 days. The value after it is `closed`. Any
/// two costs add up within 32 bits, so the searches need no check for overflow.
public struct Cost: Hashable, Comparable, Sendable {
    public let value: UInt32

    /// Values above `closed` become `closed`.
    public init(_ value: UInt32) { self.value = min(value, Self.closed.value) }

    /// No cost, as for a door between two nodes at the same place.
    public static let free = Cost(unchecked: 0)
    /// The cost of an arc that can't be used. A route of this cost does not exist.
    public static let closed = Cost(unchecked: UInt32(Int32.max))

    private init(unchecked value: UInt32) { self.value = value }

    public var isClosed: Bool { self == .closed }

    /// The sum, at most `closed`.
    public static func + (first: Cost, second: Cost) -> Cost { Cost(first.value + second.value) }
    public static func < (first: Cost, second: Cost) -> Bool { first.value < second.value }
}
