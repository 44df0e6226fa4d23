import OpenStreetMap
public import SiteExchange

extension MapFormat {
    static let openStreetMap = MapFormat(
        name: "osm",
        summary: "OpenStreetMap, with Simple Indoor Tagging: .osm, .osm.gz or .pbf",
        fileEnding: ".osm",
        mediaType: "application/vnd.openstreetmap.data+xml",
        readWhole: { file, options in
            try OpenStreetMapImport(options).site(from: OpenStreetMapData(file))
        },
        write: { site, _, _ in OpenStreetMapText.xml(of: OpenStreetMapExport(site).data) },
        readFacts: { file, _ in
            var facts = FileFacts()
            facts.isOwn = try OpenStreetMapImport.isOwn(OpenStreetMapData(file))
            return facts
        })
}

extension OpenStreetMapData {
    /// The most nodes, ways, relations, members and tags together. This is about four times the
    /// streets of a city of 200,000 people. So many parts, with so many bytes of text, use under
    /// 400 MB.
    private static let mostParts = 2_000_000
    private static let mostBytes = 96 << 20
    /// The same for a file that somebody sends to a service, which others use meanwhile.
    private static let mostPartsSent = 600_000
    private static let mostBytesSent = 64 << 20

    /// Reads the file into memory.
    ///
    /// - Throws: `OpenStreetMapError`, or `ImportRefusal` where the file holds more than a site
    ///   could.
    init(_ file: MapFile) throws {
        switch file {
        case .path(let path): try self.init(readingFileAt: path)
        case .bytes(let bytes):
            var limits = OpenStreetMapLimits()
            limits.unpackedBytes = Self.mostBytesSent
            do {
                try self.init(
                    OpenStreetMapFile(bytes: bytes, limits: limits), mostParts: Self.mostPartsSent)
            } catch let error as OpenStreetMapError where !error.isRetriable {
                throw ImportRefusal(
                    error.code == .tooLarge ? .tooLarge : .malformed, "the map \(error.detail)")
            }
        }
    }

    /// Reads the file into memory.
    ///
    /// - Throws: `OpenStreetMapError`, or `ImportRefusal` where the file holds more than a site
    ///   could.
    public init(readingFileAt path: String) throws {
        var limits = OpenStreetMapLimits()
        limits.unpackedBytes = Self.mostBytes
        try self.init(
            OpenStreetMapFile(path: path, limits: limits), mostParts: Self.mostParts)
    }

    private init(_ file: OpenStreetMapFile, mostParts: Int) throws {
        self.init()
        var parts = 0
        try file.read { entity in
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
            guard parts <= mostParts else {
                throw ImportRefusal(
                    .tooLarge, "it has over \(mostParts) nodes, ways, members and tags")
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
