import Events
import Geometry
import Positioning
import Site

/// The points of a floor where people can stand: within its rooms and corridors. Where the site has
/// no outlines, these are the points near surveyed places.
struct FloorGrid {
    /// The smallest distance between points in metres. It grows where a floor would have more than
    /// about `mostPoints`.
    static let leastStep = 2.0
    static let mostPoints = 1_500
    /// The largest distance in metres from a surveyed place to a point, on floors without outlines.
    static let reachMetres = 6.0

    let points: [Point]
    /// The distance between points, in metres.
    let step: Double

    /// - Parameter number: the floor's index in the map; -1 if it has none.
    init(_ surveyed: SurveyedPlaces, site: SiteIndex, floor: FloorIndex, number: Int32) {
        let id = site.floor(floor).id
        let outlines = site.rooms.indices.compactMap { index in
            site.rooms[index].floor == id ? site.outline(RoomIndex(index)) : nil
        }
        var corners = outlines.flatMap { [$0.boundingBox.minimum, $0.boundingBox.maximum] }
        let hasRooms = !corners.isEmpty
        if !hasRooms { corners = surveyed.points(on: number) }
        guard let box = BoundingBox(corners) else {
            (points, step) = ([], Self.leastStep)
            return
        }
        func isStandable(_ point: Point) -> Bool {
            hasRooms
                ? site.room(at: point, on: floor) != nil
                : surveyed.distance(from: point, floor: number) <= Self.reachMetres
        }
        let most = Double(Self.mostPoints)
        // Surveyed places cover an unknown part of their box; half is a guess.
        let area = hasRooms ? outlines.reduce(0) { $0 + $1.area } : box.width * box.height / 2
        // The step is limited, so that a huge box that is mostly empty is not slow either.
        let step = max(
            Self.leastStep, (area / most).squareRoot(),
            (box.width * box.height / (100 * most)).squareRoot(),
            max(box.width, box.height) / (100 * most))
        var points: [Point] = []
        // Points start half a step from the edge, so that none lies in an outer wall.
        for y in stride(from: box.minimum.y + step / 2, through: box.maximum.y, by: step) {
            for x in stride(from: box.minimum.x + step / 2, through: box.maximum.x, by: step) {
                let point = Point(x: x, y: y)
                if isStandable(point) { points.append(point) }
            }
        }
        self.step = step
        self.points = points
    }
}
