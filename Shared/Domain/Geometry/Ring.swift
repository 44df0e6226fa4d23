/// A closed line of corners as people draw it, such as a room's outline. The first corner is not
/// repeated at the end. It may be empty or no polygon at all; then `polygon` is nil.
public struct Ring: Hashable, Sendable {
    public var corners: [Point]

    public init(_ corners: [Point] = []) { self.corners = corners }

    public var isEmpty: Bool { corners.isEmpty }

    /// The area inside the line; nil for fewer than three corners.
    public var polygon: Polygon? { Polygon(corners) }
}

extension Polygon {
    public var ring: Ring { Ring(corners) }
}

extension Ring: ExpressibleByArrayLiteral {
    public init(arrayLiteral corners: Point...) { self.init(corners) }
}

extension Ring: CustomStringConvertible {
    public var description: String { "\(corners)" }
}

extension Point: ExpressibleByArrayLiteral, CustomStringConvertible {
    /// Makes a point as documents write it: `[x, y]`.
    public init(arrayLiteral coordinates: Double...) {
        precondition(coordinates.count == 2, "a point must have two numbers: x and y")
        self.init(x: coordinates[0], y: coordinates[1])
    }

    public var description: String { "[\(x), \(y)]" }
}
