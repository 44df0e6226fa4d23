/// The index of a node in a `RouteGraph`.
public struct NodeIndex: Hashable, Comparable, Sendable {
    let raw: Int32

    public init(_ value: Int) { raw = Int32(value) }

    public var value: Int { Int(raw) }

    public static func < (first: NodeIndex, second: NodeIndex) -> Bool { first.raw < second.raw }
}

/// The index of an arc in a `RouteGraph`, in the order in which its arcs were given.
public struct ArcIndex: Hashable, Comparable, Sendable {
    let raw: UInt32

    public init(_ value: Int) { raw = UInt32(value) }

    init(raw: UInt32) { self.raw = raw }

    public var value: Int { Int(raw) }

    public static func < (first: ArcIndex, second: ArcIndex) -> Bool { first.raw < second.raw }
}
