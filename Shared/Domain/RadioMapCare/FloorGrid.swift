import Events
import Geometry
import Positioning
import Site

/// The points of a floor where one can stand: within its rooms and corridors, or, where the site
/// has no outlines, within reach of a surveyed place.
struct FloorGrid {
    /// Metres between points, unless a floor would have more than about `mostPoints`.
    static let leastStep = 2.0
    static let mostPoints = 1_500
    /// Without outlines: metres from a surveyed place to where one may stand, at most.
    static let reachMetres = 6.0

    let points: [Point]
    /// Metres between them.
    let step: Double

    /// - Parameter number: of the floor in the map; -1 if it has none.
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
        // Surveyed places cover a part of their box that is not known; half is a guess.
        let area = hasRooms ? outlines.reduce(0) { $0 + $1.area } : box.width * box.height / 2
        // A huge box that is mostly empty must not take for ever either.
        let step = max(
            Self.leastStep, (area / most).squareRoot(),
            (box.width * box.height / (100 * most)).squareRoot(),
            max(box.width, box.height) / (100 * most))
        var points: [Point] = []
        // Half a step from the edge, so that no point lies in an outer wall.
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
