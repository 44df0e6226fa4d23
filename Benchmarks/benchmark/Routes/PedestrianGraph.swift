import Geometry
import OpenStreetMap
import Wayfinding

/// The graph of all ways in an OpenStreetMap file on which people may walk, in both directions,
/// with walking times as costs. Only its largest connected part is kept.
struct PedestrianGraph {
    /// Metres per second: the comfortable walking speed of adults (Bohannon 1997, Age and
    /// Ageing 26, table 2: 1.27 to 1.46 m/s).
    private static let walkingSpeed = 1.4

    /// The kinds of way that people may walk on unless a tag forbids it.
    ///
    /// They are the defaults for all countries in OpenStreetMap's wiki, "OSM tags for
    /// routing/Access restrictions". Service ways, tracks and steps, which that table leaves out,
    /// are added; so are cycleways, which pedestrians share in Ohio.
    private static let walkable: Set<String> = [
        "trunk", "trunk_link", "primary", "primary_link", "secondary", "secondary_link",
        "tertiary", "tertiary_link", "unclassified", "residential", "living_street", "road",
        "service", "track", "path", "footway", "pedestrian", "steps", "cycleway",
    ]

    let graph: RouteGraph
    let metric: Metric
    /// The place of each node.
    let places: [GeographicPoint]

    init(path: String) throws {
        var placeOfID: [Int64: GeographicPoint] = [:]
        var ways: [[Int64]] = []
        try OpenStreetMapFile(path: path).read([.nodes, .ways]) { entity in
            switch entity {
            case .node(let node):
                guard let latitude = node.latitude, let longitude = node.longitude else { break }
                placeOfID[node.id] = GeographicPoint(latitude: latitude, longitude: longitude)
            case .way(let way): if Self.isWalkable(way.tags) { ways.append(way.nodes) }
            case .relation: break
            }
        }
        let edges = ways.flatMap { zip($0, $0.dropFirst()) }
            .filter { placeOfID[$0] != nil && placeOfID[$1] != nil }
        let ids = Self.largestPart(of: edges)
        let numbers = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
        let places = ids.compactMap { placeOfID[$0] }
        guard let first = places.first else { throw BenchmarkFault("\(path) has no ways to walk") }
        let frame = LocalFrame(
            originLatitude: first.latitude, originLongitude: first.longitude, bearingDegrees: 0)
        let points = places.map { frame.point($0) }
        var arcs: [RouteGraph.Arc] = []
        var costs: [Cost] = []
        for (one, other) in edges {
            guard let tail = numbers[one], let head = numbers[other] else { continue }
            let seconds = points[tail].distance(to: points[head]) / Self.walkingSpeed
            for (from, to) in [(tail, head), (head, tail)] {
                arcs.append(RouteGraph.Arc(from: NodeIndex(from), to: NodeIndex(to)))
                costs.append(Cost(UInt32(max(1, (seconds * 1000).rounded()))))
            }
        }
        graph = try RouteGraph(nodeCount: ids.count, arcs: arcs, points: points)
        metric = Metric(costs)
        self.places = places
    }

    /// Whether people may walk on a way with these tags. The tag `foot` outranks `access`.
    private static func isWalkable(_ tags: [String: String]) -> Bool {
        guard let kind = tags["highway"], walkable.contains(kind) else { return false }
        let access = tags["foot"] ?? tags["access"] ?? "yes"
        return access != "no" && access != "private"
    }

    /// The ids of the nodes in the largest connected part, ascending.
    private static func largestPart(of edges: [(Int64, Int64)]) -> [Int64] {
        var neighbours: [Int64: [Int64]] = [:]
        for (one, other) in edges {
            neighbours[one, default: []].append(other)
            neighbours[other, default: []].append(one)
        }
        var isSeen: Set<Int64> = []
        var largest: [Int64] = []
        for start in neighbours.keys.sorted() where isSeen.insert(start).inserted {
            var part = [start]
            var next = 0
            while next < part.count {
                for other in neighbours[part[next], default: []]
                where isSeen.insert(other).inserted {
                    part.append(other)
                }
                next += 1
            }
            if part.count > largest.count { largest = part }
        }
        return largest.sorted()
    }
}
