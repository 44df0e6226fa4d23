import Events
import Geometry
import Site
import Wayfinding

extension SpokenMaker {
    /// The longest walk without a wall, in metres: straight ahead, and in another direction.
    private static let (aheadMetres, otherMetres) = (12.0, 6.0)
    /// The distance, in metres, at which another opening may be taken for the right one.
    static let confusedMetres = 2.5
    /// Metres by which a walk by the compass is worse.
    private static let compassPrice = 4.0

    mutating func walk(through room: RoomID) {
        // A path of the map within the room is no wall, so the room is walked as a whole.
        var legs: [RouteLeg] = []
        while let next = neighbour(legs.count), occupied(next) == room { legs.append(next) }
        defer { leg += legs.count }
        let present = route.legs[leg]
        guard let start = present.paths.first?.points.first,
            let end = legs.last?.paths.last?.points.last,
            !isWithinLift(room, legs.count)
        else { return }
        let next = neighbour(legs.count)
        let target = target(after: legs.count)
        let walked = legs.reduce(0) { $0 + $1.distanceMetres }
        let straight = direction(start, end)
        let metres = start.distance(to: end)
        if leg == 0, next != nil, openings(room).count == 1, isCounted(room) {
            note(.findDoor(target), at: start, on: present.startFloor)
        } else if metres >= 0.8 {
            let isStraight = walked < metres * 1.03 + 0.1
            let best = walks(
                room, start, end, isStraight: isStraight, isLast: next == nil, target
            )
            .min { $0.cost < $1.cost }
            let fallback: SpokenStep.Action =
                heading == nil
                ? .face(compass(straight), target) : .ahead(hour: hour(straight), target)
            note(
                best?.action ?? fallback, at: start, on: present.startFloor,
                metres: best?.metres ?? metres)
        }
        let foot = next == nil ? nil : wall(room).map { ($0, $0.foot(of: end)) }
        heading = straight
        if let (wall, foot) = foot, let place = foot.at(within: RoomWall.reachMetres) {
            // The traveller turns to the opening.
            heading = positiveDegrees(wall.inwardDegrees(at: place) + 180)
        }
    }

    /// Whether the leg is the way to or from the place where the traveller stands in a lift.
    private func isWithinLift(_ room: RoomID, _ count: Int) -> Bool {
        isLift(room)
            && (connection(neighbour(count))?.kind == .lift
                || connection(neighbour(-1))?.kind == .lift)
    }

    /// The thing at the end of the present leg.
    func target(after offset: Int) -> SpokenTarget {
        guard let next = neighbour(offset) else {
            return route.endRoom.map { .room($0) } ?? .place
        }
        if let room = occupied(next) { return .room(room) }
        guard let (record, kind) = connection(next) else { return .end }
        switch kind {
        case .door: return guide.isGap(record) ? .opening : .door
        case .walk: return .opening
        case .ramp: return .ramp
        case .stairs: return .stairs
        case .escalator: return .escalator
        case .lift, .platformLift: return .lift
        }
    }

    /// The openings of a room: all connections that stop in it, without those at one place.
    private func openings(_ room: RoomID) -> [Point] {
        guide.stops(of: room).reduce(into: []) { points, index in
            let point = site.document.connections[index.connection].stops[index.stop].point
            if !points.contains(where: { $0.distance(to: point) < RoomWall.samePlaceMetres }) {
                points.append(point)
            }
        }
    }

    /// Whether the map has all openings of the room, so that they can be counted.
    private func isCounted(_ room: RoomID) -> Bool {
        !site.unseenOpenings.rooms.contains(room)
    }

    typealias Walk = (action: SpokenStep.Action, metres: Double, cost: Double)

    /// All ways to walk through the room that the traveller can find by touch.
    private func walks(
        _ room: RoomID, _ start: Point, _ end: Point, isStraight: Bool, isLast: Bool,
        _ target: SpokenTarget
    ) -> [Walk] {
        let search = WallSearch(
            wall(room), openings(room), end, target, isCounted: isCounted(room))
        var walks: [Walk] = []
        let metres = start.distance(to: end)
        let straight = direction(start, end)
        let isClear =
            isLast
            || search.isClear(of: start, within: Self.confusedMetres + metres / 4)
        let foot = search.wall?.foot(of: start)
        let place = foot.flatMap { $0.metres <= RoomWall.reachMetres ? $0.at : nil }
        // A lift's door is in the wall, and the traveller leaves it at a right angle.
        let facing =
            behind == .lift ? place.flatMap { search.wall?.inwardDegrees(at: $0) } : heading
        if let facing {
            let hour = hour(straight)
            let most = hour == 12 ? Self.aheadMetres : Self.otherMetres
            if heading != nil, isStraight, isClear, metres <= most {
                walks.append((.ahead(hour: hour, target), metres, metres))
            }
            if let place { walks += search.walks(from: place) }
            walks += search.walks(across: start, facing: facing)
        } else {
            let point = compass(straight)
            if isStraight, isClear, metres <= Self.aheadMetres {
                walks.append((.face(point, target), metres, metres + Self.compassPrice))
            }
            for point in CompassPoint.allCases {
                let degrees = point.bearingDegrees - site.frame.bearingDegrees
                walks += search.walks(across: start, facing: degrees, point).map {
                    ($0.action, $0.metres, $0.cost + Self.compassPrice)
                }
            }
        }
        return walks
    }
}

/// The walks along a room's wall to one place.
private struct WallSearch {
    /// The farthest wall to walk to, in metres.
    private static let crossingMetres = 25.0
    /// Metres by which crossing a room is worse than following its wall.
    private static let crossingPrice = 6.0
    /// Metres by which an opening where the traveller reaches the wall makes it worse.
    private static let doubtPrice = 40.0

    let wall: RoomWall?
    private let openings: [RoomWall.Opening]
    private let points: [Point]
    private let end: Point
    private let goal: Double?
    private let target: SpokenTarget
    private let isCounted: Bool

    /// - Parameter isCounted: whether the points are all openings of the room.
    init(
        _ wall: RoomWall?, _ points: [Point], _ end: Point, _ target: SpokenTarget, isCounted: Bool
    ) {
        (self.wall, self.points, self.end, self.target) = (wall, points, end, target)
        self.isCounted = isCounted
        openings = points.compactMap { point in
            wall?.foot(of: point).at(within: RoomWall.reachMetres).map {
                RoomWall.Opening(at: $0, point: point)
            }
        }
        goal = wall?.foot(of: end).at(within: RoomWall.reachMetres)
    }

    /// Whether no other opening is near the end, except the one at the start.
    func isClear(of start: Point, within metres: Double) -> Bool {
        points.allSatisfy {
            $0.distance(to: end) < RoomWall.samePlaceMetres
                || $0.distance(to: start) < RoomWall.samePlaceMetres
                || $0.distance(to: end) > metres
        }
    }

    func walks(from place: Double) -> [SpokenMaker.Walk] {
        guard let goal, let wall else { return [] }
        return [Hand.left, .right].compactMap { hand in
            let metres = wall.distance(from: place, to: goal, hand)
            // The end is farther from the wall than along it.
            if metres < 1 || wall.metres - metres < 1 { return nil }
            let passed = wall.passed(openings, from: place, to: goal, hand)
            let walk = WallWalk(
                hand: hand, metres: metres, passed: isCounted ? passed : nil, target: target,
                end: wall.end(from: place, to: goal, hand))
            return (.wall(walk), metres, metres + Double(passed) / 2)
        }
    }

    /// The walks that first go straight to a wall.
    func walks(
        across start: Point, facing degrees: Double, _ compass: CompassPoint? = nil
    ) -> [SpokenMaker.Walk] {
        guard let goal, let wall, let hit = wall.hit(from: start, degrees: degrees),
            hit.metres <= Self.crossingMetres
        else { return [] }
        // The traveller reaches the wall somewhere around that place.
        let doubt = RoomWall.samePlaceMetres + hit.metres / 4
        let isClear = openings.allSatisfy {
            min(
                wall.distance(from: hit.at, to: $0.at, .left),
                wall.distance(from: hit.at, to: $0.at, .right)) > doubt
        }
        let isThere =
            compass == nil
            && min(
                wall.distance(from: hit.at, to: goal, .left),
                wall.distance(from: hit.at, to: goal, .right)) < 1.5
        if isThere {
            let isSure = self.isClear(of: start, within: SpokenMaker.confusedMetres)
            let price = isSure ? Self.crossingPrice / 2 : Self.doubtPrice / 2
            return [(.ahead(hour: 12, target), hit.metres, hit.metres + price)]
        }
        return [Hand.left, .right].map { hand in
            let metres = wall.distance(from: hit.at, to: goal, hand)
            let passed = wall.passed(openings, from: hit.at, to: goal, hand)
            let walk = WallWalk(
                crossingMetres: hit.metres, compass: compass, hand: hand, metres: metres,
                passed: isCounted ? passed : nil, target: target,
                end: wall.end(from: hit.at, to: goal, hand))
            let price = Self.crossingPrice + (isClear ? 0 : Self.doubtPrice)
            return (
                .wall(walk), metres + hit.metres,
                metres + hit.metres + Double(passed) / 2 + price
            )
        }
    }
}
