/// One of the three things that a map is made of.
public enum OpenStreetMapEntity: Hashable, Sendable {
    case node(OpenStreetMapNode)
    case way(OpenStreetMapWay)
    case relation(OpenStreetMapRelation)
}

/// Which of them are wanted.
public struct OpenStreetMapKinds: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let nodes = Self(rawValue: 1)
    public static let ways = Self(rawValue: 2)
    public static let relations = Self(rawValue: 4)
    public static let all: Self = [.nodes, .ways, .relations]
}

/// The tags of a node, way or relation. A key that a file gives twice has its first value.
public typealias OpenStreetMapTags = [String: String]

/// A point, by itself or of ways.
public struct OpenStreetMapNode: Hashable, Sendable {
    /// Negative where an editor made it and no server has seen it.
    public var id: Int64
    /// Degrees of WGS84 as the file says them, in range or not; nil where it says none.
    public var latitude: Double?
    public var longitude: Double?
    public var tags: OpenStreetMapTags

    public init(id: Int64, latitude: Double?, longitude: Double?, tags: OpenStreetMapTags) {
        self.id = id
        self.latitude = latitude
        self.longitude = longitude
        self.tags = tags
    }
}

/// A line, or the edge of an area, over nodes that the file may lack.
public struct OpenStreetMapWay: Hashable, Sendable {
    public var id: Int64
    public var nodes: [Int64]
    public var tags: OpenStreetMapTags

    public init(id: Int64, nodes: [Int64], tags: OpenStreetMapTags) {
        self.id = id
        self.nodes = nodes
        self.tags = tags
    }
}

/// Nodes, ways and relations that belong together, any of which the file may lack.
public struct OpenStreetMapRelation: Hashable, Sendable {
    public enum Kind: Hashable, Sendable { case node, way, relation }

    public struct Member: Hashable, Sendable {
        public var kind: Kind
        public var id: Int64
        /// Often empty.
        public var role: String

        public init(kind: Kind, id: Int64, role: String) {
            self.kind = kind
            self.id = id
            self.role = role
        }
    }

    public var id: Int64
    public var members: [Member]
    public var tags: OpenStreetMapTags

    public init(id: Int64, members: [Member], tags: OpenStreetMapTags) {
        self.id = id
        self.members = members
        self.tags = tags
    }
}
