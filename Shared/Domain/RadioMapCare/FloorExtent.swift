public import Events
public import Geometry
public import Site

/// The extent of the drawn parts of a floor: its rooms, locations, stops of connections, and its
/// building's outline. A floor without any drawing extends a little beyond all other floors. Where
/// nothing at all is drawn, every point is inside.
public struct FloorExtent: Sendable {
    /// Metres; enough for a terrace before the door, and for an inexact touch on a small screen.
    public static let marginMetres = 15.0
    /// Metres; enough for a building that is not drawn yet, beside those that are.
    static let undrawnMarginMetres = 100.0

    private struct Box {
        var least: Point
        var most: Point

        mutating func include(_ point: Point) {
            least = Point(x: min(least.x, point.x), y: min(least.y, point.y))
            most = Point(x: max(most.x, point.x), y: max(most.y, point.y))
        }
    }

    private var boxes: [FloorID: Box] = [:]
    private var whole: Box?

    public init(_ site: SiteIndex) {
        let document = site.document
        for room in document.rooms { include(room.outline.corners, on: room.floor) }
        for location in document.locations {
            include([location.point], on: location.floor)
        }
        for stop in document.connections.flatMap(\.stops) {
            if let floor = stop.floor { include([stop.point], on: floor) }
        }
        let outlines = Dictionary(document.buildings.map { ($0.id, $0.outline) }) { one, _ in one }
        for floor in document.floors {
            if let outline = outlines[floor.building] { include(outline.corners, on: floor.id) }
        }
    }

    private mutating func include(_ points: [Point], on floor: FloorID) {
        for point in points {
            boxes[floor, default: Box(least: point, most: point)].include(point)
            whole = whole ?? Box(least: point, most: point)
            whole?.include(point)
        }
    }

    /// Metres by which the point lies outside of the floor and its margin; nil where it is inside.
    public func distanceOutside(_ point: Point, on floor: FloorID) -> Double? {
        let drawn = boxes[floor]
        guard let box = drawn ?? whole else { return nil }
        let x = max(box.least.x - point.x, point.x - box.most.x, 0)
        let y = max(box.least.y - point.y, point.y - box.most.y, 0)
        let distance = (x * x + y * y).squareRoot()
        let margin = drawn == nil ? Self.undrawnMarginMetres : Self.marginMetres
        return distance > margin ? distance : nil
    }
}
