import Events
import Geometry
import Glibc
import Site
import Wayfinding

/// Follows a route from start to end and collects the manoeuvres.
struct ManoeuvreMaker {
    /// Metres that a drawn line may deviate from a straight one before it counts as a bend.
    private static let bendMetres = 0.75
    /// A shorter walk, in metres, is not mentioned.
    private static let shortMetres = 1.0
    /// A shorter walk, in metres, is not mentioned next to stairs or a lift.
    private static let landingMetres = 3.0
    /// Two turns nearer to each other, in metres, become one.
    private static let turnMetres = 2.5
    /// A slight turn behind a door is not mentioned if the walk is shorter, in metres.
    private static let crossingMetres = 5.0
    /// A way of another name that is followed for less, in metres, is not named.
    private static let namedMetres = 10.0

    let guide: RouteGuide
    var site: SiteIndex { guide.site }
    var made: [Manoeuvre] = []
    /// Whether doors, handrails and the ground are described.
    var isByTouch = false
    /// The direction of the last step, in degrees from true north; nil at the start and after a
    /// lift.
    private var bearing: Double?
    /// Whether the traveller is in a lift.
    private var isInLift = false
    /// The traveller's place so far; nil before the first piece.
    private var place: (floor: FloorID?, point: Point)?
    /// The legs of the present passage.
    private(set) var flights: [RouteLeg] = []

    init(guide: RouteGuide) { self.guide = guide }

    /// - Parameter bearing: the direction that the traveller faces, in degrees from true north.
    mutating func face(_ bearing: Double?) { self.bearing = bearing }

    // MARK: Walks

    /// - Parameters:
    ///   - isBesideClimb: whether stairs, a lift or the like come directly before or after.
    ///   - isLast: whether nothing comes after it.
    mutating func walk(_ stretch: Stretch, isBesideClimb: Bool, isLast: Bool) {
        guard let first = stretch.points.first, let last = stretch.points.last else { return }
        cross(to: stretch.floor, at: first, leg: stretch.parts.first?.leg ?? 0)
        place = (stretch.floor, last)
        let corners = merged(simplified(stretch.points, within: Self.bendMetres))
        guard stretch.metres >= Self.shortMetres else {
            if corners.count > 1 { bearing = bearing ?? self.bearing(corners[0], last) }
            return
        }
        let shortest = isBesideClimb ? Self.landingMetres : isLast ? Self.turnMetres : 0
        if !made.isEmpty, stretch.metres < shortest {
            bearing = self.bearing(corners[corners.count - 2], last)
            return
        }
        let drawn = corners.lengthMetres
        let stretching = drawn > 0 ? stretch.metres / drawn : 1
        var walked = 0.0
        for (start, end) in zip(corners, corners.dropFirst()) {
            let towards = self.bearing(start, end)
            let turn = bearing.map { Turn(degrees: towards - $0) }
            let part = stretch.parts.last { $0.from <= walked + 1e-6 }
            let metres = start.distance(to: end) * stretching
            let isNew = turn == nil || turn != .straight || made.isEmpty
            let isBend = turn?.isSlight == true && isOnlyBend(at: walked, start, part, stretch)
            if isNew && !isBend || isToBeNamed(part, from: walked, of: stretch) {
                let action: Manoeuvre.Action =
                    if let turn { .turn(isBend ? .straight : turn) } else {
                        .head(
                            CompassPoint(bearingDegrees: towards), isFromLift: isInLift)
                    }
                note(action, at: start, on: stretch.floor, leg: part?.leg ?? 0)
                turnBeforeCrossing()
            }
            goOn(start.distance(to: end), towards, along: named(part?.connection))
            addLandmarks(of: stretch, from: walked, to: walked + metres)
            walked += metres
            bearing = towards
            isInLift = false
        }
    }

    /// Makes one manoeuvre of a building's open entrance and a turn there.
    private mutating func turnBeforeCrossing() {
        let (turn, crossing) = (made.count - 1, made.count - 2)
        guard crossing > 0, case .cross = made[crossing].action, made[crossing].metres == 0,
            case .turn(let kind) = made[turn].action, kind != .straight
        else { return }
        made[crossing].turn = kind
        made.remove(at: turn)
    }

    /// The corners without segments that are too short for an instruction of their own. Both ends
    /// of such a segment become its middle; the first and the last corner stay.
    private func merged(_ corners: [Point]) -> [Point] {
        var corners = corners
        while corners.count > 2 {
            let lengths = zip(corners, corners.dropFirst()).map { $0.distance(to: $1) }
            guard let (index, metres) = lengths.enumerated().min(by: { $0.1 < $1.1 }),
                metres < Self.turnMetres
            else { break }
            if index == 0 {
                corners.remove(at: 1)
            } else if index == lengths.count - 1 {
                corners.remove(at: index)
            } else {
                let (start, end) = (corners[index], corners[index + 1])
                corners[index] = Point(x: (start.x + end.x) / 2, y: (start.y + end.y) / 2)
                corners.remove(at: index + 1)
            }
        }
        return corners
    }

    /// Whether the way only bends here: it is a path of the map, and no other leads away.
    private func isOnlyBend(
        at walked: Double, _ point: Point, _ part: Stretch.Part?, _ stretch: Stretch
    ) -> Bool {
        guard let part, let last = made.last else { return false }
        // A short way across, from one door to another, needs no turn.
        if case .door = last.action, last.metres == 0, walked == 0 {
            return stretch.metres < Self.crossingMetres
        }
        guard walked > 0, part.connection != nil else { return false }
        if walked > part.from + Self.shortMetres { return true }
        return guide.ways(at: point, on: stretch.floor).count == 2
    }

    /// Whether a way of another name begins here, so that going straight on needs an instruction.
    private func isToBeNamed(
        _ part: Stretch.Part?, from walked: Double, of stretch: Stretch
    ) -> Bool {
        guard let next = named(part?.connection), let last = made.last, let before = last.along,
            last.metres > 0, !isSameName(next, before)
        else { return false }
        let other = stretch.parts.first { $0.from > walked && !isSameName(next, $0.connection) }
        return (other?.from ?? stretch.metres) - walked >= Self.namedMetres
    }

    /// Whether both have the same name. A street has many pieces: connections of the same name.
    private func isSameName(_ one: ConnectionID, _ other: ConnectionID?) -> Bool {
        guard let other else { return false }
        let (first, second) = (guide.connection(one), guide.connection(other))
        return first?.name == second?.name && first?.names == second?.names
    }

    private func named(_ connection: ConnectionID?) -> ConnectionID? {
        guard let connection, let record = guide.connection(connection),
            record.name?.isEmpty == false || !record.names.isEmpty
        else { return nil }
        return connection
    }

    private mutating func goOn(_ metres: Double, _ towards: Double, along: ConnectionID?) {
        guard var last = made.popLast() else { return }
        last.metres += metres
        last.bearingDegrees = last.bearingDegrees ?? towards
        if last.along == nil, let along {
            last.along = along
            if let before = made.last?.along { last.staysAlong = isSameName(along, before) }
        }
        made.append(last)
    }

    private mutating func addLandmarks(of stretch: Stretch, from start: Double, to end: Double) {
        guard !made.isEmpty else { return }
        for part in stretch.parts {
            for passed in part.passed {
                let metres = part.from + passed.metresAlong
                guard metres >= start, metres < end else { continue }
                let place = PassedPlace(room: passed.room, isOnLeft: passed.side == .left)
                guard guide.isNamed(passed.room) else { continue }
                if !made[made.count - 1].landmarks.contains(place) {
                    made[made.count - 1].landmarks.append(place)
                }
            }
        }
    }

    // MARK: Passages

    mutating func pass(_ passage: PassagePiece, of route: IndoorRoute) {
        flights = passage.legs.map { route.legs[$0] }
        isInLift = passage.kind == .lift || passage.kind == .platformLift
        place = (passage.endFloor, passage.end)
        switch passage.kind {
        case .door, .walk: passDoor(passage)
        case .stairs: climb(passage, .stairs)
        case .ramp: climb(passage, .ramp)
        case .escalator: climb(passage, .escalator)
        case .lift: climb(passage, .lift)
        case .platformLift: climb(passage, .platformLift)
        }
    }

    private mutating func passDoor(_ passage: PassagePiece) {
        let rooms = doorRooms(passage)
        let through = doorBearing(passage, from: rooms.before, to: rooms.after)
        let turn =
            if let bearing, let through { Turn(degrees: through - bearing) } else { Turn.straight }
        // A door in front of the traveller needs no turn.
        let isAhead = turn == .slightLeft || turn == .slightRight
        let record = guide.connection(passage.connection)
        var door = Door(
            turn: isAhead ? .straight : turn, isAutomatic: passage.isAutomatic, room: rooms.after,
            change: change(from: passage.startFloor, to: passage.endFloor),
            connection: passage.connection, before: rooms.before)
        if door.change == nil, (passage.startFloor == nil) != (passage.endFloor == nil) {
            door.leadsIn = passage.startFloor == nil
        }
        door.isGap = record.map(guide.isGap) ?? false
        if isByTouch { door.leaf = leaf(passage, rooms) }
        note(.door(door), at: passage.start, on: passage.startFloor, leg: passage.leg)
        if isByTouch {
            made[made.count - 1].facts = Underfoot(rooms.after.flatMap(site.room)).facts(
                after: Underfoot(rooms.before.flatMap(site.room)))
        }
        if let through { bearing = through }
    }

    private mutating func climb(_ passage: PassagePiece, _ kind: Climb.Kind) {
        let floors = (
            passage.startFloor.flatMap(site.floor), passage.endFloor.flatMap(site.floor)
        )
        let difference: Int? =
            if let from = floors.0, let to = floors.1 { to.ordinal - from.ordinal } else { nil }
        let isUp = isUp(passage, floors.0?.ordinal, floors.1?.ordinal)
        let climb = Climb(
            kind: kind, connection: passage.connection, isUp: isUp,
            floors: difference.flatMap { $0 == 0 ? nil : abs($0) }, floor: passage.endFloor)
        note(.climb(climb), at: passage.start, on: passage.startFloor, leg: passage.leg)
        if isByTouch {
            made[made.count - 1].danger = climb.leadsDown ? .climb(climb) : nil
            made[made.count - 1].facts = facts(passage)
        }
        let isLift = kind == .lift || kind == .platformLift
        bearing = isLift ? nil : passage.endDirection.map { bearing($0.from, $0.to) }
    }

    /// Whether the passage leads up, from the ordinals of its floors or else from its rise.
    /// Outdoors counts as the ground floor. Nil if neither is known.
    private func isUp(_ passage: PassagePiece, _ start: Int?, _ end: Int?) -> Bool? {
        if let start, let end, start != end { return end > start }
        let rise = passage.riseMetres ?? 0
        if rise != 0 { return rise > 0 }
        if start == nil, let end, end != 0 { return end > 0 }
        if end == nil, let start, start != 0 { return start < 0 }
        return nil
    }

    /// Adds a manoeuvre if the traveller enters or leaves a building where there is no door.
    private mutating func cross(to floor: FloorID?, at point: Point, leg: Int) {
        guard let place, let change = change(from: place.floor, to: floor) else { return }
        if case .climb? = made.last?.action { return }
        if case .door(let door)? = made.last?.action, door.change != nil { return }
        note(.cross(change), at: point, on: floor, leg: leg)
    }

    private func change(from start: FloorID?, to end: FloorID?) -> BuildingChange? {
        let before = building(start)
        let after = building(end)
        if before == after { return nil }
        if let after { return .enter(after) }
        return before.map { .leave($0) }
    }

    /// The building of the floor. Nil for the building that stands for no building: it has open
    /// levels such as station platforms.
    private func building(_ floor: FloorID?) -> BuildingID? {
        guard let id = floor.flatMap(site.floor)?.building, let building = site.building(id),
            id != SiteDocument.openBuilding || !building.outline.isEmpty
        else { return nil }
        return id
    }

    // MARK: The end

    /// - Parameter destination: the place that the traveller asked for, if it is known.
    mutating func arrive(_ route: IndoorRoute, at destination: RoutePlace?) {
        let end = route.legs.last?.paths.last
        var arrival = Arrival(
            side: side(of: route), room: route.endRoom, approximate: route.approximateEnd)
        switch destination {
        case .location, .entry, .zone: arrival.asked = destination
        case .entrance: arrival.isWayOut = true
        case .kind(let word, _) where route.endRoom == nil:
            let asked = PlaceKind(word).base
            arrival.thing = ConnectionRecord.Kind.allCases.first { PlaceKind($0)?.base == asked }
        default: break
        }
        // Nobody passes the room that the route ends at, nor looks for two rooms of its name.
        let (site, room) = (site, route.endRoom.flatMap(site.room))
        for index in made.indices {
            made[index].landmarks.removeAll { passed in
                let other = site.room(passed.room)
                return passed.room == route.endRoom
                    || room?.name == other?.name && room?.names == other?.names
            }
        }
        note(
            .arrive(arrival), at: end?.points.last ?? Point(x: 0, y: 0), on: end?.floor,
            leg: max(0, route.legs.count - 1))
    }

    private func side(of route: IndoorRoute) -> Arrival.Side {
        guard let point = route.legs.last?.paths.last?.points.last, let bearing,
            let outline = route.endRoom.flatMap(site.roomIndex).flatMap(site.outline),
            !isInside(route.endRoom), !outline.isInside(point)
        else { return .here }
        switch Turn(degrees: self.bearing(point, outline.centroid) - bearing) {
        case .straight, .slightLeft, .slightRight, .around: return .ahead
        case .left, .sharpLeft: return .left
        case .right, .sharpRight: return .right
        }
    }

    /// Whether the last manoeuvre led through a door into this room.
    private func isInside(_ room: RoomID?) -> Bool {
        if case .door(let door)? = made.last?.action { door.room == room } else { false }
    }

    private mutating func note(
        _ action: Manoeuvre.Action, at point: Point, on floor: FloorID?, leg: Int
    ) {
        made.append(
            Manoeuvre(
                action: action, floor: floor, point: point, bearingDegrees: nil, metres: 0,
                along: nil, landmarks: [], leg: leg))
    }

    /// The direction from start to end in degrees clockwise from true north.
    func bearing(_ start: Point, _ end: Point) -> Double {
        let degrees = atan2(end.x - start.x, end.y - start.y) * 180 / .pi
        return positiveDegrees(degrees + site.frame.bearingDegrees)
    }
}

extension Polygon {
    /// Whether the point is inside and not on the edge, where doors are.
    func isInside(_ point: Point) -> Bool {
        contains(point) && distanceToEdge(from: point) > 0.05
    }
}
