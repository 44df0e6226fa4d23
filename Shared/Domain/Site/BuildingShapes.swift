public import Events
public import Geometry

/// Which building a point is in, by the buildings' outlines.
public struct BuildingShapes: Sendable {
    /// Metres of hysteresis: about what a good satellite fix is wrong by beside a wall, and less
    /// than a street is wide.
    public static let marginMetres = 5.0

    private let shapes: [(building: BuildingID, outline: Polygon, area: Double)]

    /// Buildings without an outline are nowhere.
    public init(_ buildings: [BuildingRecord]) {
        shapes = buildings.compactMap { building in
            building.outline.polygon.map { (building.id, $0, $0.area) }
        }
    }

    /// The smallest building that holds the point, edges included; nil outdoors.
    public func building(at point: Point) -> BuildingID? {
        shapes.filter { $0.outline.contains(point) }.min { $0.area < $1.area }?.building
    }

    /// The building of somebody who was in `before` (nil for outdoors) when last seen.
    ///
    /// Who was in a building stays in it until the point is the margin outside, or the margin
    /// inside of a smaller one; who was outdoors is in a building from the margin inside of it. A
    /// building that is narrower than four margins counts from its edge on.
    public func building(
        at point: Point, before: BuildingID?, marginMetres: Double = marginMetres
    ) -> BuildingID? {
        let entered = shapes.filter { shape in
            shape.building != before && shape.outline.contains(point)
                && shape.outline.distanceToEdge(from: point)
                    >= entryDepth(shape.outline, marginMetres)
        }.min { $0.area < $1.area }
        guard let before, let stay = shapes.first(where: { $0.building == before }) else {
            return entered?.building
        }
        guard stay.outline.distance(from: point) <= marginMetres else { return building(at: point) }
        // A smaller building within the one before is entered; a larger one around it is not.
        if let entered, entered.area < stay.area { return entered.building }
        return before
    }

    /// Metres from the point to the building, 0 inside; infinite for one without an outline.
    public func distance(to building: BuildingID, from point: Point) -> Double {
        shapes.first { $0.building == building }?.outline.distance(from: point) ?? .infinity
    }

    /// Metres that a point has to lie inside; 0 for buildings that are too narrow for it.
    private func entryDepth(_ outline: Polygon, _ marginMetres: Double) -> Double {
        let box = outline.boundingBox
        return min(box.width, box.height) >= 4 * marginMetres ? marginMetres : 0
    }
}
