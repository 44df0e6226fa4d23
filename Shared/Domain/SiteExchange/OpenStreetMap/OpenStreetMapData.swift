/// The nodes, ways and relations of an OpenStreetMap file, not interpreted yet.
public struct OpenStreetMapData: Hashable, Sendable {
    public var nodes: [Node]
    public var ways: [Way]
    public var relations: [Relation]

    public init(nodes: [Node] = [], ways: [Way] = [], relations: [Relation] = []) {
        self.nodes = nodes
        self.ways = ways
        self.relations = relations
    }

    /// The values of a thing's tags, by their keys.
    public typealias Tags = [String: String]

    public struct Node: Hashable, Sendable {
        public var id: Int64
        /// Degrees of WGS84 as in the file, even out of range; nil if the file has none.
        public var latitude: Double?
        public var longitude: Double?
        public var tags: Tags

        public init(id: Int64, latitude: Double?, longitude: Double?, tags: Tags = [:]) {
            self.id = id
            self.latitude = latitude
            self.longitude = longitude
            self.tags = tags
        }
    }

    /// A line or the edge of an area. The file may lack some of its nodes.
    public struct Way: Hashable, Sendable {
        public var id: Int64
        public var nodes: [Int64]
        public var tags: Tags

        public init(id: Int64, nodes: [Int64], tags: Tags = [:]) {
            self.id = id
            self.nodes = nodes
            self.tags = tags
        }
    }

    /// A group of nodes, ways and relations. The file may lack some of them.
    public struct Relation: Hashable, Sendable {
        public enum Kind: Hashable, Sendable { case node, way, relation }

        public struct Member: Hashable, Sendable {
            public var kind: Kind
            public var id: Int64
            /// The member's role in the relation; often empty.
            public var role: String

            public init(kind: Kind, id: Int64, role: String = "") {
                self.kind = kind
                self.id = id
                self.role = role
            }
        }

        public var id: Int64
        public var members: [Member]
        public var tags: Tags

        public init(id: Int64, members: [Member], tags: Tags = [:]) {
            self.id = id
            self.members = members
            self.tags = tags
        }
    }
}
