import Events
import Geometry
import Magnetic
import SeededRandomness
import Site
import Testing

@Suite("MagneticGap") struct MagneticGapTests {
    private static let floors = [FloorID("ground"), FloorID("upper")]

    private static func corridor(_ id: String, _ floor: Int, x: ClosedRange<Double>, y: Double)
        -> RoomRecord
    {
        RoomRecord(
            id: RoomID(id), floor: floors[floor], name: id, kind: "corridor",
            outline: Ring([
                Point(x: x.lowerBound, y: y), Point(x: x.upperBound, y: y),
                Point(x: x.upperBound, y: y + 2), Point(x: x.lowerBound, y: y + 2),
            ]))
    }

    private static func site(_ rooms: [RoomRecord]) -> SiteDocument {
        SiteDocument(
            name: "Small", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
            buildings: [
                BuildingRecord(id: BuildingID("house"), name: "House", timeZone: "Europe/London")
            ],
            floors: floors.enumerated().map { number, floor in
                FloorRecord(
                    id: floor, building: BuildingID("house"), ordinal: number, level: "\(number)")
            }, rooms: rooms, locations: [])
    }

    @Test("A corridor is a gap if no route of its floor leads along at least half of it")
    func corridors() {
        var office = Self.corridor("office", 0, x: 0...10, y: 50)
        office.kind = "room"
        let site = Self.site([
            Self.corridor("covered", 0, x: 0...40, y: 0),
            Self.corridor("part", 0, x: 0...40, y: 20),
            Self.corridor("above", 1, x: 0...60, y: 0), office,
        ])
        let routes = [0.0, 20].map { y in
            (
                floor: Self.floors[0],
                line: [Point(x: 0, y: y + 1), Point(x: y == 0 ? 40 : 10, y: y + 1)]
            )
        }
        let gaps = MagneticGap.all(in: site, beside: routes)
        #expect(gaps.map(\.room.text) == ["above", "part"])
        #expect(gaps.map(\.uncovered.description).first == "1.0")
        #expect(gaps.first.map { abs($0.squareMetres - 120) < 1e-9 } == true)
        #expect(gaps.last.map { abs($0.uncovered - 0.7) < 0.02 } == true)
        #expect(MagneticGap.all(in: site, beside: []).count == 3)
        let upper = MagneticGap.all(in: site, beside: [], on: [Self.floors[1]])
        #expect(upper.map(\.room.text) == ["above"])
        #expect(MagneticGap.floors(of: site) == Set(Self.floors))
        #expect(MagneticGap.floors(of: site, on: [Self.floors[1]]) == [Self.floors[1]])
        #expect(MagneticGap.floors(of: Self.site([office])).isEmpty)
    }

    @Test("The gaps are those of a count over many random places", arguments: 0..<3)
    func slow(seed: Int) {
        var random = SeededRandom(seed: seed)
        func draw(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
        let rooms = (0..<6).map {
            Self.corridor("c\($0)", $0 % 2, x: 0...draw(10...40), y: Double($0) * 10)
        }
        let routes = (0..<6).map { _ in
            (
                floor: Self.floors[Int(draw(0...1.99))],
                line: (0..<3).map { _ in Point(x: draw(0...40), y: draw(0...60)) }
            )
        }
        let gaps = MagneticGap.all(in: Self.site(rooms), beside: routes)
        for (number, room) in rooms.enumerated() {
            let width = room.outline.corners[1].x
            var beside = 0
            for _ in 0..<1_000 {
                let place = Point(x: draw(0...width), y: Double(number) * 10 + draw(0...2))
                let isBeside = routes.contains { route in
                    route.floor == room.floor
                        && zip(route.line, route.line.dropFirst()).contains { from, to in
                            (0...200).contains { step in
                                let share = Double(step) / 200
                                let foot = Point(
                                    x: from.x + share * (to.x - from.x),
                                    y: from.y + share * (to.y - from.y))
                                return foot.distance(to: place) <= 2.5
                            }
                        }
                }
                if isBeside { beside += 1 }
            }
            let uncovered = 1 - Double(beside) / 1_000
            let gap = gaps.first { $0.room == room.id }
            #expect(gap != nil || uncovered < 0.58)
            #expect(gap == nil || abs(uncovered - (gap?.uncovered ?? 0)) < 0.08)
        }
    }

    @Test("A route beside a corridor, outside of its outline, covers the near part of it")
    func beside() {
        let site = Self.site([Self.corridor("hall", 0, x: 0...40, y: 0)])
        func gaps(y: Double) -> [MagneticGap] {
            let line = [Point(x: -20, y: y), Point(x: 60, y: y)]
            return MagneticGap.all(in: site, beside: [(floor: Self.floors[0], line: line)])
        }
        #expect(gaps(y: -1).isEmpty)
        #expect(gaps(y: 3).isEmpty)
        #expect(gaps(y: -2).count == 1)
        #expect(gaps(y: -10).map(\.uncovered) == [1])
    }
}
