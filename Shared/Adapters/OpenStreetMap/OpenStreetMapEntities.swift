/// A node, a way or a relation: the three parts of an OpenStreetMap file.
public enum OpenStreetMapEntity: Hashable, Sendable {
    case node(OpenStreetMapNode)
    case way(OpenStreetMapWay)
    case relation(OpenStreetMapRelation)
}

/// The kinds of entities that the caller wants.
public struct OpenStreetMapKinds: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let nodes = Self(rawValue: 1)
    public static let ways = Self(rawValue: 2)
    public static let relations = Self(rawValue: 4)
    public static let all: Self = [.nodes, .ways, .relations]
}

/// The tags of a node, way or relation. If a file has a key twice, the first value counts.
public typealias OpenStreetMapTags = [String: String]

/// A point, either by itself or as a part of ways.
public struct OpenStreetMapNode: Hashable, Sendable {
    /// The node's id. Negative for a node from an editor that no server has stored.
    public var id: Int64
    /// Degrees of WGS84 as the file has them, possibly out of range. Nil where the file has none.
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

/// A line, or the edge of an area, as a list of nodes. The file may lack some of them.
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

/// A group of nodes, ways and relations. The file may lack some of them.
public struct OpenStreetMapRelation: Hashable, Sendable {
    public enum Kind: Hashable, Sendable { case node, way, relation }

    public struct Member: Hashable, Sendable {
        public var kind: Kind
        public var id: Int64
        /// The member's role in the relation, often empty.
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
