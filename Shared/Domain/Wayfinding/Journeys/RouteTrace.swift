import Events
import Geometry
import Glibc

/// A route as one line, for finding the point of it that is nearest to a traveller.
struct RouteTrace {
    private struct Piece {
        var leg: Int
        var floor: FloorID?
        var start: Point
        var end: Point
        /// Metres and seconds from the beginning of the route to the start of this piece.
        var metresBefore: Double
        var secondsBefore: Double
        var metres: Double
        var seconds: Double
    }

    private let route: IndoorRoute
    private var pieces: [Piece] = []
    /// Metres from the beginning of the route to each turn or change of floor.
    private var turns: [Double] = []

    init(_ route: IndoorRoute) {
        self.route = route
        var (metres, seconds) = (0.0, 0.0)
        for (index, leg) in route.legs.enumerated() {
            add(leg, index, metres, seconds)
            metres += leg.distanceMetres
            seconds += leg.seconds
            if leg.endFloor != leg.startFloor { turns.append(metres - leg.distanceMetres) }
        }
        addBends()
        turns.sort()
    }

    /// A leg between floors has a path on each. Each of the paths counts with the length of the
    /// whole leg.
    private mutating func add(
        _ leg: RouteLeg, _ index: Int, _ metresBefore: Double, _ secondsBefore: Double
    ) {
        for path in leg.paths {
            let drawn = path.points.lengthMetres
            var along = 0.0
            let ends = path.points.count > 1 ? Array(path.points.dropFirst()) : path.points
            for (start, end) in zip(path.points, ends) {
                let metres = start.distance(to: end)
                let share = drawn > 0 ? metres / drawn : 1
                let before = drawn > 0 ? along / drawn : 0
                pieces.append(
                    Piece(
                        leg: index, floor: path.floor, start: start, end: end,
                        metresBefore: metresBefore + before * leg.distanceMetres,
                        secondsBefore: secondsBefore + before * leg.seconds,
                        metres: share * leg.distanceMetres, seconds: share * leg.seconds))
                along += metres
            }
        }
    }

    private mutating func addBends() {
        let walked = pieces.filter { $0.start != $0.end }
        for (piece, next) in zip(walked, walked.dropFirst()) where piece.floor == next.floor {
            let (ax, ay) = (piece.end.x - piece.start.x, piece.end.y - piece.start.y)
            let (bx, by) = (next.end.x - next.start.x, next.end.y - next.start.y)
            let angle = atan2(ax * by - ay * bx, ax * bx + ay * by) * 180 / .pi
            if abs(angle) >= WayFinder.turnDegrees { turns.append(next.metresBefore) }
        }
    }

    /// Metres from the beginning of the route to where it first comes within a distance of the
    /// point; nil where it never does.
    func metresAlong(to point: Point, on floor: FloorID, within metres: Double) -> Double? {
        var best: (along: Double, distance: Double)?
        for piece in pieces where piece.floor == floor {
            let (foot, share) = point.foot(onSegmentFrom: piece.start, to: piece.end)
            let distance = foot.distance(to: point)
            if distance <= metres, distance < best?.distance ?? .infinity {
                best = (piece.metresBefore + share * piece.metres, distance)
            } else if best != nil {
                // The route leaves the point. It may come by again, but it passes once.
                break
            }
        }
        return best?.along
    }

    func progress(of position: TravellerPosition) -> RouteProgress? {
        var best: (piece: Piece, foot: Point, share: Double, distance: Double)?
        for piece in pieces where piece.floor == position.floor {
            let (foot, share) = position.point.foot(onSegmentFrom: piece.start, to: piece.end)
            let distance = foot.distance(to: position.point)
            if distance < best?.distance ?? .infinity { best = (piece, foot, share, distance) }
        }
        guard let best else { return nil }
        let along = best.piece.metresBefore + best.share * best.piece.metres
        let seconds = best.piece.secondsBefore + best.share * best.piece.seconds
        let next = turns.first { $0 > along + 0.5 } ?? route.distanceMetres
        return RouteProgress(
            leg: best.piece.leg, nearest: best.foot, metresOff: best.distance,
            isOff: best.distance > position.radiusMetres + WayFinder.toleratedMetres,
            metresAlong: along, metresLeft: max(0, route.distanceMetres - along),
            secondsLeft: max(0, route.seconds - seconds),
            metresToNextTurn: max(0, next - along))
    }

    /// The point that the traveller should walk to: some metres ahead on the route, but on this
    /// floor. Nil at the destination, and where the traveller waits for a lift.
    func target(from position: TravellerPosition, _ progress: RouteProgress) -> Point? {
        let ahead = progress.metresAlong + WayFinder.lookAheadMetres
        var target: Point?
        for piece in pieces where piece.floor == position.floor {
            guard piece.metresBefore + piece.metres > progress.metresAlong - 1e-9 else { continue }
            // The part after a change of floor does not count, even if it returns to this floor.
            if piece.leg > progress.leg, leavesFloor(progress.leg..<piece.leg) { break }
            let share = piece.metres > 0 ? (ahead - piece.metresBefore) / piece.metres : 1
            let clamped = min(1, max(0, share))
            target = Point(
                x: piece.start.x + clamped * (piece.end.x - piece.start.x),
                y: piece.start.y + clamped * (piece.end.y - piece.start.y))
            if share <= 1 { break }
        }
        guard let target, target.distance(to: position.point) > 0.1 else { return nil }
        return target
    }

    private func leavesFloor(_ legs: Range<Int>) -> Bool {
        legs.contains { route.legs[$0].startFloor != route.legs[$0].endFloor }
    }
}
