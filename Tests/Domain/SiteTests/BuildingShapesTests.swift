import Events
import Geometry
import Site
import Testing

@Suite struct BuildingShapesTests {
    private static let hall = BuildingID("hall")
    private static let chapel = BuildingID("chapel")
    private static let kiosk = BuildingID("kiosk")

    /// A hall of 40 m by 30 m with a chapel in its yard and a kiosk of 3 m beside it. A fourth
    /// building has no outline.
    private let shapes: BuildingShapes = {
        func building(_ id: BuildingID, _ outline: Ring) -> BuildingRecord {
            BuildingRecord(id: id, name: id.text, timeZone: "Europe/London", outline: outline)
        }
        let document = SiteDocument(
            name: "Campus", originLatitude: 51, originLongitude: 0, bearingDegrees: 0,
            buildings: [
                building(hall, [[0, 0], [40, 0], [40, 30], [0, 30]]),
                building(chapel, [[10, 5], [32, 5], [32, 26], [10, 26]]),
                building(kiosk, [[60, 0], [63, 0], [63, 3], [60, 3]]),
                building(BuildingID("undrawn"), []),
            ])
        do { return try SiteIndex(document).buildingShapes } catch { fatalError("\(error)") }
    }()

    private func walk(_ points: [(Double, Double)]) -> [String?] {
        var before: BuildingID?
        return points.map { x, y in
            before = shapes.building(at: Point(x: x, y: y), before: before)
            return before?.text
        }
    }

    @Test("A point is in the smallest building that contains it")
    func smallest() {
        #expect(shapes.building(at: Point(x: 5, y: 5)) == Self.hall)
        #expect(shapes.building(at: Point(x: 20, y: 15)) == Self.chapel)
        #expect(shapes.building(at: Point(x: -1, y: 15)) == nil)
    }

    @Test("A walk along a wall does not switch between inside and outside")
    func alongTheWall() {
        #expect(
            walk([(-2, 15), (1, 15), (-1, 15), (4, 15), (-3, 15)]) == [nil, nil, nil, nil, nil])
        #expect(
            walk([(6, 15), (1, 15), (-1, 15), (-4, 15), (3, 15)])
                == ["hall", "hall", "hall", "hall", "hall"])
    }

    @Test("A device enters at the margin inside and leaves at the margin outside")
    func enteringAndLeaving() {
        #expect(walk([(-9, 2), (5.5, 15), (-4.9, 15), (-5.1, 15)]) == [nil, "hall", "hall", nil])
    }

    @Test("A building within another is entered from it, and left into it")
    func nested() {
        #expect(
            walk([(6, 15), (11, 15), (16, 15), (8, 15), (4.9, 15), (5.1, 15)])
                == ["hall", "hall", "chapel", "chapel", "hall", "hall"])
    }

    @Test("A building too narrow for the margin is entered at its edge")
    func narrow() {
        #expect(walk([(58, 1), (60.5, 1), (66, 1), (69, 1)]) == [nil, "kiosk", "kiosk", nil])
    }

    @Test("A building without an outline contains no point and is far from everywhere")
    func undrawn() {
        #expect(shapes.distance(to: BuildingID("undrawn"), from: Point(x: 0, y: 0)) == .infinity)
        #expect(shapes.distance(to: Self.hall, from: Point(x: -3, y: 15)) == 3)
        #expect(shapes.building(at: Point(x: -9, y: 9), before: BuildingID("undrawn")) == nil)
    }

    @Test("The distance to the nearest edge is negative inside, as all edges together give it")
    func signedDistance() {
        func slow(_ point: Point) -> Double {
            let outlines: [Ring] = [
                [[0, 0], [40, 0], [40, 30], [0, 30]], [[60, 0], [63, 0], [63, 3], [60, 3]],
            ]
            let distances = outlines.compactMap(\.polygon).map { outline in
                let metres = outline.distanceToEdge(from: point)
                return outline.contains(point) ? -metres : metres
            }
            return distances.min() ?? .infinity
        }
        for x in stride(from: -30.0, through: 90, by: 7.3) {
            for y in stride(from: -30.0, through: 60, by: 6.1) {
                let point = Point(x: x, y: y)
                guard shapes.building(at: point) != Self.chapel else { continue }
                #expect(shapes.signedDistance(from: point) == slow(point))
            }
        }
        #expect(BuildingShapes([]).signedDistance(from: Point(x: 0, y: 0)) == nil)
    }
}
