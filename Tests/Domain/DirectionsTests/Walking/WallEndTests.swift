import Geometry
import Testing

@testable import Directions

@Suite("Where a wall bars the way of those who follow it") struct WallEndTests {
    /// The walls below, counter-clockwise; the walk begins at the first point's place.
    ///
    ///     corridor            niche in the south        pillar in the south
    ///     +-------------+     +-------------+           +-------------+
    ///     |             |     |             |           |             |
    ///     +-------------+     +-----+ +-----+           +-----+-+-----+
    ///                               +-+                       +-+ (inside)
    private static let corridor: [Point] = [[0, 0], [30, 0], [30, 3], [0, 3]]
    private static let niche: [Point] = [
        [0, 0], [10, 0], [10, -1], [11, -1], [11, 0], [30, 0], [30, 3], [0, 3],
    ]
    private static let pillar: [Point] = [
        [0, 0], [10, 0], [10, 1], [11, 1], [11, 0], [30, 0], [30, 3], [0, 3],
    ]
    /// A hall of 20 by 20 metres.
    private static let hall: [Point] = [[0, 0], [20, 0], [20, 20], [0, 20]]
    /// A corridor to the east that turns to the north.
    private static let bend: [Point] = [[0, 0], [30, 0], [30, 30], [27, 30], [27, 3], [0, 3]]

    private static func end(
        _ outline: [Point], from start: Point, to end: Point, _ hand: Hand
    ) throws -> WallEnd? {
        let polygon = try #require(Polygon(outline))
        let wall = try #require(RoomWall(polygon))
        return wall.end(from: wall.foot(of: start).at, to: wall.foot(of: end).at, hand)
    }

    @Test("The end of a corridor leads back, that of a hall turns away")
    func ends() throws {
        let round = try #require(try Self.end(Self.corridor, from: [8, 0], to: [12, 3], .right))
        #expect(abs(round.metres - 22) < 1e-9 && round.isBack)
        let other = try #require(try Self.end(Self.corridor, from: [8, 0], to: [12, 3], .left))
        #expect(abs(other.metres - 8) < 1e-9 && other.isBack)
        let hall = try #require(try Self.end(Self.hall, from: [8, 0], to: [20, 12], .right))
        #expect(abs(hall.metres - 12) < 1e-9 && !hall.isBack)
        #expect(try Self.end(Self.corridor, from: [8, 0], to: [29, 0], .right) == nil)
    }

    @Test("Niches, pillars and corners that turn towards the hand bar no way")
    func none() throws {
        for outline in [Self.niche, Self.pillar] {
            #expect(try Self.end(outline, from: [2, 0], to: [25, 0], .right) == nil)
            let end = try #require(try Self.end(outline, from: [2, 0], to: [12, 3], .right))
            #expect(end.isBack && abs(end.metres - 30) < 1e-9, "\(end)")
        }
        // The inner wall of the bend turns towards the left hand; the outer one bars the way.
        #expect(try Self.end(Self.bend, from: [5, 3], to: [27, 20], .left) == nil)
        let outer = try #require(try Self.end(Self.bend, from: [5, 0], to: [30, 20], .right))
        #expect(abs(outer.metres - 25) < 1e-9 && !outer.isBack)
    }

    /// A slow twin: the traveller takes steps of 1 cm, and looks how the wall lies there.
    @Test("In a rectangle it is the first corner", arguments: 0..<50)
    func rectangles(seed: Int) throws {
        let (wide, deep) = (Double(4 + seed % 9), Double(5 + seed % 7))
        let outline: [Point] = [[0, 0], [wide, 0], [wide, deep], [0, deep]]
        let polygon = try #require(Polygon(outline))
        let wall = try #require(RoomWall(polygon))
        let start = Double((seed * 37) % 100) / 100 * wall.metres
        let length = wall.metres * (0.2 + 0.6 * Double((seed * 53) % 100) / 100)
        for hand in [Hand.left, .right] {
            let sign = hand == .right ? 1.0 : -1.0
            func inward(_ metres: Double) -> Double {
                let at = (start + sign * metres).truncatingRemainder(dividingBy: wall.metres)
                return wall.inwardDegrees(at: at < 0 ? at + wall.metres : at)
            }
            let steps = stride(from: 0.01, to: length - RoomWall.samePlaceMetres, by: 0.01)
            let corner = steps.first { abs(inward($0) - inward(0.005)) > 1 }
            let end = wall.end(
                from: start,
                to: positiveRemainder(start + sign * length, wall.metres), hand)
            guard let corner else {
                #expect(end == nil || end!.metres > length - 0.52, "\(String(describing: end))")
                continue
            }
            #expect(abs(try #require(end).metres - corner) < 0.02)
        }
    }

    private func positiveRemainder(_ value: Double, _ whole: Double) -> Double {
        let rest = value.truncatingRemainder(dividingBy: whole)
        return rest < 0 ? rest + whole : rest
    }
}
