import Events
import Geometry
import Glibc
import Site

/// The wall around a room, with its doors, as a traveller follows it by touch.
struct RoomWall {
    /// Two openings nearer to each other, in metres, are one to the touch.
    static let samePlaceMetres = 0.5
    /// The greatest distance from a wall, in metres, at which a cane still finds an opening.
    static let reachMetres = 3.0

    /// A place of the wall, in metres along it, and its distance from a point.
    struct Foot {
        var at: Double
        var metres: Double

        /// The place, if it is near enough.
        func at(within reach: Double) -> Double? { metres <= reach ? at : nil }
    }

    struct Opening {
        /// Metres along the wall, counter-clockwise from its first corner.
        var at: Double
        var point: Point
    }

    /// Counter-clockwise, so that the room is on the left of each edge.
    private let corners: [Point]
    private let starts: [Double]
    let metres: Double

    init?(_ outline: Polygon) {
        guard outline.corners.count > 2 else { return nil }
        var twice = 0.0
        for (one, other) in zip(outline.corners, outline.corners.dropFirst() + [outline.corners[0]])
        {
            twice += one.x * other.y - other.x * one.y
        }
        corners = twice < 0 ? outline.corners.reversed() : outline.corners
        var starts: [Double] = []
        var metres = 0.0
        for index in corners.indices {
            starts.append(metres)
            metres += corners[index].distance(to: corners[(index + 1) % corners.count])
        }
        guard metres > 0, metres.isFinite else { return nil }
        (self.starts, self.metres) = (starts, metres)
    }

    private func edge(_ index: Int) -> (start: Point, end: Point) {
        (corners[index], corners[(index + 1) % corners.count])
    }

    /// The nearest place of the wall, and its distance.
    func foot(of point: Point) -> Foot {
        var best = Foot(at: 0, metres: .infinity)
        for index in corners.indices {
            let (start, end) = edge(index)
            let (dx, dy) = (end.x - start.x, end.y - start.y)
            let squared = dx * dx + dy * dy
            let along = (point.x - start.x) * dx + (point.y - start.y) * dy
            let share = squared > 0 ? min(1, max(0, along / squared)) : 0
            let foot = Point(x: start.x + share * dx, y: start.y + share * dy)
            let distance = foot.distance(to: point)
            if distance < best.metres {
                best = Foot(at: starts[index] + start.distance(to: foot), metres: distance)
            }
        }
        return best
    }

    /// The direction into the room at a place of the wall, in degrees from the frame's north.
    func inwardDegrees(at place: Double) -> Double {
        let index = starts.lastIndex { $0 <= place + 1e-9 } ?? 0
        let (start, end) = edge(index)
        return positiveDegrees(atan2(end.x - start.x, end.y - start.y) * 180 / .pi - 90)
    }

    /// The first place of the wall in a direction, and its distance; nil if none is ahead.
    func hit(from point: Point, degrees: Double) -> (at: Double, metres: Double)? {
        let (dx, dy) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        var best: (at: Double, metres: Double)?
        for index in corners.indices {
            let (start, end) = edge(index)
            let (ex, ey) = (end.x - start.x, end.y - start.y)
            let determinant = ex * dy - ey * dx
            guard abs(determinant) > 1e-9 else { continue }
            let (px, py) = (start.x - point.x, start.y - point.y)
            let distance = (ex * py - ey * px) / determinant
            let share = (dx * py - dy * px) / determinant
            guard distance > 0.5, (0...1).contains(share), distance < best?.metres ?? .infinity
            else { continue }
            best = (starts[index] + share * start.distance(to: end), distance)
        }
        return best
    }

    /// Metres along the wall with it at the hand.
    func distance(from start: Double, to end: Double, _ hand: Hand) -> Double {
        let metres = (hand == .right ? end - start : start - end)
            .truncatingRemainder(dividingBy: metres)
        return metres < 0 ? metres + self.metres : metres
    }

    /// The first place at which the wall itself bars the way of a traveller who follows it: the
    /// space ends there. Niches and pillars are none. Nil if there is none.
    func end(from start: Double, to end: Double, _ hand: Hand) -> WallEnd? {
        let whole = distance(from: start, to: end, hand)
        let turns = corners.indices.map {
            (metres: distance(from: start, to: starts[$0], hand), degrees: turnDegrees(at: $0))
        }.filter { $0.metres > 0.01 && $0.metres < whole - Self.samePlaceMetres }
            .sorted { $0.metres < $1.metres }
        var turned = 0.0
        for (index, turn) in turns.enumerated() {
            turned += turn.degrees
            guard turned >= WallEnd.leastDegrees else { continue }
            var (sum, stays, isBack) = (turned, true, turned >= WallEnd.backDegrees)
            for next in turns[(index + 1)...] {
                let metres = next.metres - turn.metres
                if metres > WallEnd.backMetres { break }
                sum += next.degrees
                if metres < WallEnd.leastMetres, sum < WallEnd.leastDegrees { stays = false }
                if sum >= WallEnd.backDegrees { isBack = true }
            }
            if stays { return WallEnd(metres: turn.metres, isBack: isBack) }
        }
        return nil
    }

    /// The degrees by which a traveller turns away from the wall at a corner.
    private func turnDegrees(at index: Int) -> Double {
        let before = edge((index + corners.count - 1) % corners.count)
        let after = edge(index)
        func degrees(_ edge: (start: Point, end: Point)) -> Double {
            atan2(edge.end.x - edge.start.x, edge.end.y - edge.start.y) * 180 / .pi
        }
        return -signedDegrees(degrees(after) - degrees(before))
    }

    /// The openings that the hand passes between two places, those at both ends left out.
    func passed(
        _ openings: [Opening], from start: Double, to end: Double, _ hand: Hand
    ) -> Int {
        let whole = distance(from: start, to: end, hand)
        let places = openings.map { distance(from: start, to: $0.at, hand) }.filter {
            $0 > Self.samePlaceMetres && $0 < whole - Self.samePlaceMetres
                && metres - $0 > Self.samePlaceMetres
        }.sorted()
        var count = 0
        var last = -Double.infinity
        for place in places where place - last > Self.samePlaceMetres {
            count += 1
            last = place
        }
        return count
    }
}
