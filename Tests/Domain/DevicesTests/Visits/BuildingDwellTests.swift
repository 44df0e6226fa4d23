import Events
import Geometry
import SeededRandomness
import Site
import Testing

@testable import Devices

/// The slow way: all points since the last change are kept, and each answer looks at them again.
private struct ObviousDwell {
    private var building: BuildingID?
    private var points: [(at: Timestamp, seen: BuildingID?)] = []

    mutating func answer(
        _ point: Point, at: Timestamp, in shapes: BuildingShapes, _ rules: VisitRules
    ) -> BuildingID? {
        if let last = points.last?.at, Duration.microseconds(at - last) <= rules.silence {
            points.append((at, shapes.building(at: point, before: building)))
        } else {
            building = shapes.building(at: point, before: nil)
            points = [(at, building)]
        }
        let now = points[points.count - 1].seen
        let start = points.lastIndex { $0.seen != now }.map { $0 + 1 } ?? 0
        let lasted = Duration.microseconds(at - points[start].at)
        if now != building, lasted >= (now == nil ? rules.exitDelay : rules.minimumDwell) {
            building = now
            points = [(at, now)]
        }
        return building
    }
}

@Suite("The building of a device that asks from time to time") struct BuildingDwellTests {
    private static let hall = BuildingID("hall")
    private static let tower = BuildingID("tower")
    private static let rules = VisitRules()

    /// Two buildings of 40 m by 40 m that share a wall.
    private static func shapes(without gone: BuildingID? = nil) throws -> BuildingShapes {
        func building(_ id: BuildingID, _ outline: Ring) -> BuildingRecord {
            BuildingRecord(id: id, name: id.text, timeZone: "Europe/London", outline: outline)
        }
        return BuildingShapes(
            [
                building(hall, [[0, 0], [40, 0], [40, 40], [0, 40]]),
                building(tower, [[40, 0], [80, 0], [80, 40], [40, 40]]),
            ].filter { $0.id != gone })
    }

    private static func time(_ seconds: Double) -> Timestamp {
        Timestamp(microseconds: 1_795_305_600_000_000 + Int64(seconds * 1_000_000))
    }

    /// The answers to points at these seconds and metres along the middle of both buildings.
    private static func answers(
        _ points: [(seconds: Double, x: Double)], _ rules: VisitRules = rules
    ) throws -> [BuildingID?] {
        let shapes = try shapes()
        var dwell: BuildingDwell?
        return points.map { seconds, x in
            let point = Point(x: x, y: 20)
            if var known = dwell {
                known.evolve(point, at: time(seconds), in: shapes, rules)
                dwell = known
            } else {
                dwell = BuildingDwell(point, at: time(seconds), in: shapes)
            }
            return dwell?.building
        }
    }

    @Test("The first point counts at once; one wrong fix changes nothing")
    func wrongFix() throws {
        #expect(
            try Self.answers([(0, 20), (3, 60), (6, 20), (9, 200), (12, 20)])
                == [Self.hall, Self.hall, Self.hall, Self.hall, Self.hall])
    }

    @Test("Another building is entered after the dwell of visits, and outdoors after their delay")
    func dwell() throws {
        #expect(
            try Self.answers([(0, 20), (4, 60), (13.9, 60), (14, 60)])
                == [Self.hall, Self.hall, Self.hall, Self.tower])
        #expect(
            try Self.answers([(0, -50), (4, 20), (13, 20), (14, 20), (15, -50), (25, -50)])
                == [nil, nil, nil, Self.hall, Self.hall, nil])
        let patient = VisitRules(minimumDwell: .seconds(30), exitDelay: .seconds(2))
        #expect(
            try Self.answers([(0, 20), (4, 60), (14, 60), (34, 60), (35, 99), (37, 99)], patient)
                == [Self.hall, Self.hall, Self.hall, Self.tower, Self.tower, nil])
    }

    @Test("A walk along the common wall does not flip, however long it takes")
    func alongTheWall() throws {
        var walk: [(seconds: Double, x: Double)] = [(-5, 20)]
        for second in 0..<400 { walk.append((Double(second), second % 3 == 0 ? 35.1 : 44.9)) }
        #expect(Set(try Self.answers(walk)) == [Self.hall])
    }

    @Test("After a silence, or a wrong clock, a point is a first one")
    func silence() throws {
        #expect(try Self.answers([(0, 20), (600, 60)]) == [Self.hall, Self.hall])
        #expect(try Self.answers([(0, 20), (600.001, 60)]) == [Self.hall, Self.tower])
        #expect(try Self.answers([(0, 20), (-3, 60), (7, 60)]).last == Self.tower)
        #expect(try Self.answers([(0, 20), (-601, 60)]).last == Self.tower)
    }

    @Test("A change that began ahead of the clock counts from the next point on")
    func ahead() throws {
        var dwell = BuildingDwell(
            building: Self.hall,
            change: BuildingDwell.Change(to: Self.tower, since: Self.time(1_000_000)),
            last: Self.time(0))
        for (seconds, building) in [(1.0, Self.hall), (10.9, Self.hall), (11, Self.tower)] {
            dwell.evolve(
                Point(x: 60, y: 20), at: Self.time(seconds), in: try Self.shapes(), Self.rules)
            #expect(dwell.building == building)
        }
    }

    @Test("A building that the site lost is left at once")
    func gone() throws {
        var dwell = BuildingDwell(building: Self.tower, last: Self.time(0))
        dwell.evolve(
            Point(x: 60, y: 20), at: Self.time(1), in: try Self.shapes(without: Self.tower),
            Self.rules)
        #expect(dwell == BuildingDwell(building: nil, last: Self.time(1)))
    }

    @Test("The answers are those of looking at all points again", arguments: 0..<40)
    func obvious(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let shapes = try Self.shapes()
        let rules = VisitRules(
            minimumDwell: .seconds(Int.random(in: 0...12, using: &random)),
            exitDelay: .seconds(Int.random(in: 0...12, using: &random)), silence: .seconds(40))
        var (seconds, x) = (0.0, 20.0)
        var dwell: BuildingDwell?
        var slow = ObviousDwell()
        var changes = 0
        for step in 0..<400 {
            // Mostly a walk, now and then a jump or a pause.
            x += Double.random(in: -9...9, using: &random)
            if Int.random(in: 0..<12, using: &random) == 0 {
                x = Double.random(in: -30...110, using: &random)
            }
            x = min(max(x, -30), 110)
            seconds += Double.random(in: 0...4, using: &random)
            if Int.random(in: 0..<50, using: &random) == 0 { seconds += 41 }
            let (point, at) = (Point(x: x, y: 20), Self.time(seconds))
            let expected = slow.answer(point, at: at, in: shapes, rules)
            let before = dwell?.building
            if var known = dwell {
                known.evolve(point, at: at, in: shapes, rules)
                dwell = known
            } else {
                dwell = BuildingDwell(point, at: at, in: shapes)
            }
            try #require(dwell?.building == expected, "step \(step) at \(seconds), \(x)")
            if dwell?.building != before { changes += 1 }
        }
        #expect(changes > 3, "a walk without changes shows nothing")
    }
}
