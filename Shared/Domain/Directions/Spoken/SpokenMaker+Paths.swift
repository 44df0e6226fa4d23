import Events
import Geometry
import Site
import Wayfinding

extension SpokenMaker {
    /// The greatest bend, in degrees, at which a way at a junction counts as straight on.
    private static let straightDegrees = 40.0
    /// Two ways are one to the touch if their directions differ by less, in degrees.
    private static let sameDegrees = 1.0

    /// A way is at the traveller's back, and not counted, within this many degrees.
    private static let backDegrees = 10.0

    /// A walk from one stop to the next.
    private struct Arc {
        var points: [Point]
        var startFloor: FloorID?
        var endFloor: FloorID?
        var connection: ConnectionID
        /// The ground, and the sides of a handrail.
        var underfoot = Underfoot()
        var handrail: Handrail?

        var metres: Double { points.lengthMetres }
    }

    /// Follows all walks of the map from here to the next room, door, stairs or lift.
    mutating func followPath() {
        var count = 0
        var arcs: [Arc] = []
        while let next = neighbour(count), let (record, kind) = connection(next),
            kind == .walk || kind == .ramp, occupied(next) == nil
        {
            arcs += self.arcs(next, record)
            count += 1
        }
        let target = target(after: count)
        var begun = 0
        var passed = 0
        for (index, arc) in arcs.enumerated() {
            guard let end = arc.points.last, arc.points.count > 1 else { continue }
            let facing = direction(arc.points[arc.points.count - 2], end)
            let isLast = index == arcs.count - 1
            let isJunction = guide.ways(at: end, on: arc.endFloor).count > 2
            if !isLast, !isJunction { continue }
            if !isLast, isStraightOn(at: end, arc.endFloor, facing, to: arcs[index + 1]) {
                passed += 1
                continue
            }
            follow(arcs[begun...index], passed, isLast ? target : nil)
            (passed, begun) = (0, index + 1)
            heading = facing
        }
        leg += count
    }

    /// The leg cut at each stop that it passes.
    private func arcs(_ leg: RouteLeg, _ record: ConnectionRecord) -> [Arc] {
        guard let points = leg.paths.first?.points, points.count > 1 else { return [] }
        let isForward = record.isForward(
            from: points[0], on: leg.startFloor, leaving: nil, entering: nil)
        var arcs: [Arc] = []
        var part = [points[0]]
        for (index, point) in points.enumerated().dropFirst() {
            if point.distance(to: part[part.count - 1]) > 0.01 { part.append(point) }
            let isEnd = index == points.count - 1
            let isStop =
                leg.startFloor == leg.endFloor
                && !guide.ways(at: point, on: leg.startFloor).isEmpty
            guard isEnd || isStop, part.count > 1 else { continue }
            arcs.append(
                Arc(
                    points: part, startFloor: arcs.isEmpty ? leg.startFloor : leg.endFloor,
                    endFloor: leg.endFloor, connection: record.id,
                    underfoot: Underfoot(record), handrail: record.handrail(isForward: isForward)))
            part = [point]
        }
        return arcs
    }

    private mutating func follow(
        _ arcs: ArraySlice<Arc>, _ passed: Int, _ target: SpokenTarget?
    ) {
        guard let first = arcs.first else { return }
        let degrees = direction(first.points[0], first.points[1])
        let named = arcs.compactMap { guide.connection($0.connection) }.first {
            $0.name?.isEmpty == false || !$0.names.isEmpty
        }
        let metres = arcs.reduce(0) { $0 + $1.metres }
        let isWhole = arcs.allSatisfy { isCounted($0.startFloor) && isCounted($0.endFloor) }
        let beginning: PathWalk.Beginning =
            heading == nil
            ? .compass(compass(degrees))
            : .hour(
                hour(degrees),
                choice: choice(
                    degrees, at: first.points[0], first.startFloor))
        note(
            .path(
                PathWalk(
                    beginning: beginning, metres: metres, passed: isWhole ? passed : nil,
                    target: target,
                    along: named?.id)),
            at: first.points[0], on: first.startFloor, metres: metres)
        // Only a fact that holds all along confirms the way.
        let grounds = Set(arcs.map(\.underfoot))
        stepOnto(grounds.count == 1 ? first.underfoot : Underfoot())
        let handrails = Set(arcs.map(\.handrail))
        if handrails.count == 1, first.handrail != .missing { confirm(first.handrail) }
    }

    /// Whether the map has all ways of a floor outside of rooms.
    private func isCounted(_ floor: FloorID?) -> Bool {
        !site.unseenOpenings.floors.contains(floor)
    }

    /// The number of a way among those that leave a point, counted round from behind the traveller.
    private func choice(
        _ degrees: Double, at point: Point, _ floor: FloorID?
    ) -> PathWalk.Choice? {
        guard let heading, isCounted(floor) else { return nil }
        let back = positiveDegrees(heading + 180)
        // Clockwise from the traveller's back: the leftmost way comes first.
        let turns = guide.ways(at: point, on: floor).map { positiveDegrees($0 - back) }
            .filter { $0 > Self.backDegrees && $0 < 360 - Self.backDegrees }
        let wanted = positiveDegrees(degrees - back)
        guard wanted > Self.backDegrees, wanted < 360 - Self.backDegrees else { return nil }
        let before = turns.count { $0 < wanted - Self.sameDegrees }
        let after = turns.count { $0 > wanted + Self.sameDegrees }
        guard before + after > 0 else { return nil }
        return before <= after
            ? PathWalk.Choice(hand: .left, number: before + 1)
            : PathWalk.Choice(hand: .right, number: after + 1)
    }

    /// Whether the next walk is the straightest way on, and bends little.
    private func isStraightOn(
        at point: Point, _ floor: FloorID?, _ facing: Double, to next: Arc
    ) -> Bool {
        let degrees = direction(next.points[0], next.points[1])
        let bend = abs(signedDegrees(degrees - facing))
        let others = guide.ways(at: point, on: floor).filter {
            abs(signedDegrees($0 - degrees)) > Self.sameDegrees
        }
        return bend <= Self.straightDegrees
            && others.allSatisfy { abs(signedDegrees($0 - facing)) > bend + 5 }
    }
}
