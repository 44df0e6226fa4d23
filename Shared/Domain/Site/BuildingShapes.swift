public import Events
public import Geometry

/// Finds the building that a point is in, by the buildings' outlines.
public struct BuildingShapes: Sendable {
    /// Metres of hysteresis. It is about the error of a good satellite fix beside a wall, and less
    /// than the width of a street.
    public static let marginMetres = 5.0

    private let shapes: [(building: BuildingID, outline: Polygon, area: Double)]

    /// A building without an outline contains no point.
    public init(_ buildings: [BuildingRecord]) {
        shapes = buildings.compactMap { building in
            building.outline.polygon.map { (building.id, $0, $0.area) }
        }
    }

    /// The smallest building that contains the point, edges included; nil outdoors.
    public func building(at point: Point) -> BuildingID? {
        shapes.filter { $0.outline.contains(point) }.min { $0.area < $1.area }?.building
    }

    /// The building of a device that was last in `before` (nil for outdoors).
    ///
    /// A device in a building stays in it until its point is `marginMetres` outside, or that far
    /// inside a smaller building. A device outdoors enters a building when its point is
    /// `marginMetres` inside. A building that is narrower than four margins is entered at its edge.
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
        // A smaller building within the last one is entered; a larger one around it is not.
        if let entered, entered.area < stay.area { return entered.building }
        return before
    }

    /// Metres from the point to the nearest edge of a building, below 0 inside of one. Nil where no
    /// building has an outline.
    public func signedDistance(from point: Point) -> Double? {
        guard !shapes.isEmpty else { return nil }
        if let around = shapes.first(where: { $0.outline.contains(point) }) {
            return -around.outline.distanceToEdge(from: point)
        }
        return shapes.reduce(.infinity) { nearest, shape in
            guard shape.outline.boundingBox.contains(point, tolerance: nearest) else {
                return nearest
            }
            return min(nearest, shape.outline.distanceToEdge(from: point))
        }
    }

    /// Metres from the point to the building, 0 inside; infinite for one without an outline.
    public func distance(to building: BuildingID, from point: Point) -> Double {
        shapes.first { $0.building == building }?.outline.distance(from: point) ?? .infinity
    }

    /// The metres that a point must lie inside to enter; 0 for buildings that are too narrow for a
    /// margin.
    private func entryDepth(_ outline: Polygon, _ marginMetres: Double) -> Double {
        let box = outline.boundingBox
        return min(box.width, box.height) >= 4 * marginMetres ? marginMetres : 0
    }
}
