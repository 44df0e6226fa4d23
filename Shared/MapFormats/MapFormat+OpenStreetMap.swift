import OpenStreetMap
public import SiteExchange

extension MapFormat {
    static let openStreetMap = MapFormat(
        name: "osm",
        summary: "OpenStreetMap, with Simple Indoor Tagging: .osm, .osm.gz or .pbf",
        readWhole: { file, options in
            // OpenStreetMap's reader reads files on disk only.
            guard case .path(let path) = file else {
                throw ImportRefusal(.malformed, "OpenStreetMap is read from a file")
            }
            return try OpenStreetMapImport(options).site(
                from: OpenStreetMapData(readingFileAt: path))
        })
}

extension OpenStreetMapData {
    /// The most nodes, ways, relations, members and tags together. This is about four times the
    /// streets of a city of 200,000 people. So many parts, with so many bytes of text, use under
    /// 400 MB.
    private static let mostParts = 2_000_000
    private static let mostBytes = 96 << 20

    /// Reads the file into memory.
    ///
    /// - Throws: `OpenStreetMapError`, or `ImportRefusal` where the file holds more than a site
    ///   could.
    public init(readingFileAt path: String) throws {
        self.init()
        var limits = OpenStreetMapLimits()
        limits.unpackedBytes = Self.mostBytes
        var parts = 0
        try OpenStreetMapFile(path: path, limits: limits).read { entity in
            switch entity {
            case .node(let node):
                parts += 1 + node.tags.count
                nodes.append(
                    Node(
                        id: node.id, latitude: node.latitude, longitude: node.longitude,
                        tags: node.tags))
            case .way(let way):
                parts += 1 + way.tags.count + way.nodes.count
                ways.append(Way(id: way.id, nodes: way.nodes, tags: way.tags))
            case .relation(let relation):
                parts += 1 + relation.tags.count + relation.members.count
                relations.append(
                    Relation(
                        id: relation.id, members: relation.members.map(Relation.Member.init),
                        tags: relation.tags))
            }
            guard parts <= Self.mostParts else {
                throw ImportRefusal(
                    .tooLarge, "it has over \(Self.mostParts) nodes, ways, members and tags")
            }
        }
    }
}

extension OpenStreetMapData.Relation.Member {
    init(_ member: OpenStreetMapRelation.Member) {
        let kind: OpenStreetMapData.Relation.Kind =
            switch member.kind {
            case .node: .node
            case .way: .way
            case .relation: .relation
            }
        self.init(kind: kind, id: member.id, role: member.role)
    }
}
