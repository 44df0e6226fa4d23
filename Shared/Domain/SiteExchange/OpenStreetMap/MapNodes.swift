import Events
import Geometry
import Site

/// The nodes of a file by id, each at its point in the site's frame.
struct MapNodes {
    let frame: LocalFrame
    private let points: [Int64: Point]
    private let tagsByID: [Int64: OpenStreetMapData.Tags]
    /// Tagged nodes in ascending order.
    let taggedIDs: [Int64]

    /// Nodes without a usable place are left out, and noted. Of nodes with one id the first counts.
    init(_ nodes: [OpenStreetMapData.Node], frame: LocalFrame, noting report: inout ImportReport) {
        self.frame = frame
        var points: [Int64: Point] = [:]
        points.reserveCapacity(nodes.count)
        var tagsByID: [Int64: OpenStreetMapData.Tags] = [:]
        for node in nodes {
            let id = "n\(node.id)"
            guard let place = node.place else {
                report.note(id, .coordinateOutOfRange, "it lies nowhere on the Earth")
                continue
            }
            let point = frame.point(place).roundedToMillimetres
            guard point.isInSite else {
                report.note(id, .coordinateOutOfRange, "it lies over 100 km from the rest")
                continue
            }
            guard points[node.id] == nil else {
                report.note(id, .duplicateIdentifier, "the file has another node of this id")
                continue
            }
            points[node.id] = point
            if !node.tags.isEmpty { tagsByID[node.id] = node.tags }
        }
        self.points = points
        self.tagsByID = tagsByID
        taggedIDs = tagsByID.keys.sorted()
    }

    func point(_ id: Int64) -> Point? { points[id] }
    func tags(_ id: Int64) -> OpenStreetMapData.Tags { tagsByID[id] ?? [:] }

    /// The points of nodes that are known to exist.
    func points(_ ids: some Sequence<Int64>) -> [Point] { ids.compactMap { points[$0] } }
}

extension OpenStreetMapData.Node {
    /// Where it lies on the Earth; nil where that can't be.
    var place: GeographicPoint? {
        guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180 else {
            return nil
        }
        return GeographicPoint(latitude: latitude, longitude: longitude)
    }
}

extension Point {
    /// OpenStreetMap's own step is a hundred ten-millionth of a degree's, about 11 mm.
    var roundedToMillimetres: Point {
        // Adding zero makes -0 plain.
        Point(x: (x * 1_000).rounded() / 1_000 + 0, y: (y * 1_000).rounded() / 1_000 + 0)
    }

    var isInSite: Bool {
        abs(x) <= SiteLimits.coordinateMetres && abs(y) <= SiteLimits.coordinateMetres
    }
}
