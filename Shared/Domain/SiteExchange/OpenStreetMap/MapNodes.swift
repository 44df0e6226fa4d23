import Events
import Geometry
import Site

/// The nodes of a file by id, each with its point in the site's frame.
struct MapNodes {
    let frame: LocalFrame
    private let points: [Int64: Point]
    private let tagsByID: [Int64: OpenStreetMapData.Tags]
    /// The ids of nodes with tags, in the order in which they were made.
    let taggedIDs: [Int64]

    /// Nodes without a usable position are left out and noted. If several have the same id, the
    /// first counts.
    init(_ nodes: [OpenStreetMapData.Node], frame: LocalFrame, noting report: inout ImportReport) {
        self.frame = frame
        var points: [Int64: Point] = [:]
        points.reserveCapacity(nodes.count)
        var tagsByID: [Int64: OpenStreetMapData.Tags] = [:]
        for node in nodes {
            let id = "n\(node.id)"
            guard let place = node.place else {
                report.note(id, .coordinateOutOfRange, "it has no valid coordinates")
                continue
            }
            let point = frame.point(place).roundedToMillimetres
            guard point.isInSite else {
                report.note(id, .coordinateOutOfRange, "it lies over 100 km from the rest")
                continue
            }
            guard points[node.id] == nil else {
                report.note(id, .duplicateIdentifier, "the file has another node with this id")
                continue
            }
            points[node.id] = point
            if !node.tags.isEmpty { tagsByID[node.id] = node.tags }
        }
        self.points = points
        self.tagsByID = tagsByID
        taggedIDs = tagsByID.keys.sorted { $0.isEarlier(than: $1) }
    }

    func point(_ id: Int64) -> Point? { points[id] }
    func tags(_ id: Int64) -> OpenStreetMapData.Tags { tagsByID[id] ?? [:] }

    /// The points of the nodes; missing nodes are left out.
    func points(_ ids: some Sequence<Int64>) -> [Point] { ids.compactMap { points[$0] } }
}

extension Int64 {
    /// Whether the thing of this id was made before the other. Editors give new things negative
    /// ids, and the newest the least.
    func isEarlier(than other: Int64) -> Bool {
        (magnitude, self) < (other.magnitude, other)
    }
}

extension OpenStreetMapData.Node {
    /// The node's position on the Earth; nil if its coordinates are missing or out of range.
    var place: GeographicPoint? {
        guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180 else {
            return nil
        }
        return GeographicPoint(latitude: latitude, longitude: longitude)
    }
}

extension Point {
    /// OpenStreetMap's coordinates have steps of about 11 mm (a ten-millionth of a degree).
    var roundedToMillimetres: Point {
        // Adding zero turns -0 into 0.
        Point(x: (x * 1_000).rounded() / 1_000 + 0, y: (y * 1_000).rounded() / 1_000 + 0)
    }

    var isInSite: Bool {
        abs(x) <= SiteLimits.coordinateMetres && abs(y) <= SiteLimits.coordinateMetres
    }
}
