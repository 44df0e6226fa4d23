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
    private static let landingMetres = 2.0

    let guide: RouteGuide
    var site: SiteIndex { guide.site }
    private(set) var made: [Manoeuvre] = []
    /// The direction of the last step, in degrees from true north; nil at the start and after a
    /// lift.
    private var bearing: Double?
    /// Whether the traveller is in a lift.
    private var isInLift = false
    /// The traveller's place so far; nil before the first piece.
    private var place: (floor: FloorID?, point: Point)?

    init(guide: RouteGuide) { self.guide = guide }

    // MARK: Walks

    /// - Parameter isBesideClimb: whether stairs, a lift or the like come directly before or after.
    mutating func walk(_ stretch: Stretch, isBesideClimb: Bool) {
        guard let first = stretch.points.first, let last = stretch.points.last else { return }
        cross(to: stretch.floor, at: first, leg: stretch.parts.first?.leg ?? 0)
        place = (stretch.floor, last)
        let corners = simplified(stretch.points, within: Self.bendMetres)
        guard stretch.metres >= Self.shortMetres else {
            if corners.count > 1 { bearing = bearing ?? self.bearing(corners[0], last) }
            return
        }
        if isBesideClimb, !made.isEmpty, stretch.metres < Self.landingMetres {
            bearing = self.bearing(corners[corners.count - 2], last)
            return
        }
        var walked = 0.0
        for (start, end) in zip(corners, corners.dropFirst()) {
            let towards = self.bearing(start, end)
            let turn = bearing.map { Turn(degrees: towards - $0) }
            let part = stretch.parts.last { $0.from <= walked + 1e-6 }
            if turn == nil || turn != .straight || made.isEmpty || isToBeNamed(part) {
                let action: Manoeuvre.Action =
                    if let turn { .turn(turn) } else {
                        .head(
                            CompassPoint(bearingDegrees: towards), isFromLift: isInLift)
                    }
                note(action, at: start, on: stretch.floor, leg: part?.leg ?? 0)
            }
            let metres = start.distance(to: end)
            goOn(metres, towards, along: named(part?.connection))
            addLandmarks(of: stretch, from: walked, to: walked + metres)
            walked += metres
            bearing = towards
            isInLift = false
        }
    }

    /// Whether a way of another name begins here, so that going straight on needs an instruction.
    private func isToBeNamed(_ part: Stretch.Part?) -> Bool {
        guard let next = named(part?.connection), let last = made.last, let before = last.along,
            last.metres > 0, next != before
        else { return false }
        // A street has many pieces: connections of the same name.
        let (one, other) = (guide.connection(before), guide.connection(next))
        return one?.name != other?.name || one?.names != other?.names
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
        last.along = last.along ?? along
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

    mutating func pass(_ passage: PassagePiece) {
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
        let door = Door(
            turn: isAhead ? .straight : turn, isAutomatic: passage.isAutomatic, room: rooms.after,
            change: change(from: passage.startFloor, to: passage.endFloor))
        note(.door(door), at: passage.start, on: passage.startFloor, leg: passage.leg)
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

    mutating func arrive(_ route: IndoorRoute) {
        let room = route.endRoom.flatMap(site.roomIndex)
        let end = route.legs.last?.paths.last
        var side = Arrival.Side.here
        if let room, let point = end?.points.last, let outline = site.outline(room) {
            if let bearing, !isInside(route.endRoom), !outline.isInside(point) {
                let degrees = self.bearing(point, outline.centroid) - bearing
                switch Turn(degrees: degrees) {
                case .straight, .slightLeft, .slightRight, .around: side = .ahead
                case .left, .sharpLeft: side = .left
                case .right, .sharpRight: side = .right
                }
            }
        }
        note(
            .arrive(
                Arrival(side: side, room: route.endRoom, approximate: route.approximateEnd)),
            at: end?.points.last ?? Point(x: 0, y: 0), on: end?.floor,
            leg: max(0, route.legs.count - 1))
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
