import Events
import Geometry
import Glibc
import Site
import Wayfinding

/// Follows a route from start to end and collects steps for a traveller who can't see.
struct SpokenMaker {
    let guide: RouteGuide
    let route: IndoorRoute
    var site: SiteIndex { guide.site }
    var made: [SpokenStep] = []
    /// The direction that the traveller faces, in degrees from the frame's north.
    var heading: Double?
    var behind: Behind?
    private var underfoot = Underfoot()
    /// The direction from a lift to the door by which the traveller came in.
    var wayIntoLift: Double?
    var leg = 0

    init(_ guide: RouteGuide, _ route: IndoorRoute) {
        (self.guide, self.route) = (guide, route)
    }

    mutating func make(from start: RoutePlace?, to destination: RoutePlace?) -> [SpokenStep] {
        underfoot = Underfoot(startRoom.flatMap(site.room))
        while leg < route.legs.count { addLeg() }
        var maker = ManoeuvreMaker(guide: guide)
        maker.face(heading.map { positiveDegrees($0 + site.frame.bearingDegrees) })
        maker.arrive(route, at: destination)
        if case .arrive(var arrival)? = maker.made.last?.action {
            switch made.last?.action {
            case .pass(let door)? where door.room == route.endRoom: arrival.side = .here
            case .leaveLift(_, let room)? where room == route.endRoom: arrival.side = .here
            default: break
            }
            note(.arrive(arrival), at: maker.made[0].point, on: maker.made[0].floor)
        }
        made[0].start = startRoom
        // Who is there already hears the name once, and who starts beside the place hears why.
        if made.count > 1, route.approximateStart == nil { made[0].startPlace = start }
        warn()
        return made
    }

    /// Has each step that leads to stairs down or to a dangerous door warn of it: a traveller
    /// without a dot hears no announcements.
    private mutating func warn() {
        for (index, next) in made.enumerated().dropFirst() {
            guard let danger = next.action.danger else { continue }
            switch (made[index - 1].action, danger) {
            case (.climb, .climb): continue
            case (let before, .door) where !before.leadsToThing: continue
            default: made[index - 1].danger = danger
            }
        }
    }

    private var startRoom: RoomID? { route.legs.first.flatMap(occupied) }

    /// The leg at a distance from the present one.
    func neighbour(_ offset: Int) -> RouteLeg? {
        route.legs.indices.contains(leg + offset) ? route.legs[leg + offset] : nil
    }

    func connection(_ leg: RouteLeg?) -> (record: ConnectionRecord, kind: ConnectionRecord.Kind)? {
        guard case .connection(let id, let kind)? = leg?.passage,
            let record = guide.connection(id)
        else { return nil }
        return (record, kind)
    }

    mutating func note(
        _ action: SpokenStep.Action, at point: Point?, on floor: FloorID?, metres: Double = 0
    ) {
        made.append(
            SpokenStep(
                action: action, behind: behind, start: nil, metres: metres, floor: floor,
                point: point ?? Point(x: 0, y: 0), leg: min(leg, max(0, route.legs.count - 1)),
                headingDegrees: heading.map { positiveDegrees($0 + site.frame.bearingDegrees) }))
        behind = nil
    }

    private mutating func addLeg() {
        let present = route.legs[leg]
        if let room = occupied(present) { return walk(through: room) }
        switch present.passage {
        case .room: leg += 1
        case .approach: approach(present)
        case .connection(_, let kind):
            switch kind {
            case .door: pass()
            case .walk, .ramp:
                let isAtWall = neighbour(-1).flatMap(occupied) != nil
                if isAtWall, isFirstChoice(present) { pass() } else { followPath() }
            case .stairs, .escalator: climb(kind)
            case .lift, .platformLift: ride(kind)
            }
        }
    }

    /// The room that a leg does not leave: the room that it goes through, or that has both stops of
    /// a walk.
    func occupied(_ leg: RouteLeg) -> RoomID? {
        switch leg.passage {
        case .room(let room): return room
        case .approach: return nil
        case .connection(let id, let kind):
            guard kind == .walk, let stops = guide.connection(id)?.stops, let room = stops[0].room,
                stops.allSatisfy({ $0.room == room && $0.floor == stops[0].floor })
            else { return nil }
            return room
        }
    }

    /// Whether somebody who goes through the opening takes this walk out of the room. It is the
    /// only one there, or it leads most directly out.
    private func isFirstChoice(_ present: RouteLeg) -> Bool {
        guard let heading, let points = present.paths.first?.points, let start = points.first,
            guide.waysOut(at: start, on: present.startFloor, of: neighbour(-1).flatMap(occupied))
                > 1,
            let next = points.dropFirst().first(where: { $0.distance(to: start) > 0.01 })
        else { return true }
        let bend = abs(signedDegrees(direction(start, next) - heading))
        let others = guide.ways(at: start, on: present.startFloor).filter {
            abs(signedDegrees($0 - direction(start, next))) > 1
        }
        return others.allSatisfy { abs(signedDegrees($0 - heading)) >= bend + 30 }
    }

    /// The clock's hour of a direction; 12 without a heading.
    func hour(_ degrees: Double) -> Int {
        guard let heading else { return 12 }
        let hour = Int((positiveDegrees(degrees - heading) / 30).rounded()) % 12
        return hour == 0 ? 12 : hour
    }

    func compass(_ degrees: Double) -> CompassPoint {
        CompassPoint(bearingDegrees: degrees + site.frame.bearingDegrees)
    }

    func direction(_ start: Point, _ end: Point) -> Double {
        positiveDegrees(atan2(end.x - start.x, end.y - start.y) * 180 / .pi)
    }

    private mutating func approach(_ present: RouteLeg) {
        defer { leg += 1 }
        guard let points = present.paths.first?.points, let start = points.first,
            let end = points.last, present.distanceMetres >= 1
        else { return }
        let degrees = direction(start, end)
        let action: SpokenStep.Action =
            heading == nil ? .face(compass(degrees), .end) : .ahead(hour: hour(degrees), .end)
        note(action, at: start, on: present.startFloor, metres: present.distanceMetres)
        heading = degrees
    }

    // MARK: Doors, stairs and lifts

    /// Goes through a door, or an opening that a short way leads through.
    private mutating func pass() {
        defer { leg += 1 }
        let present = route.legs[leg]
        guard let (record, kind) = connection(present), let path = present.paths.last,
            let start = present.paths.first?.points.first, let end = path.points.last
        else { return }
        let before = neighbour(-1).flatMap(occupied)
        let after = neighbour(1).flatMap(occupied) ?? (neighbour(1) == nil ? route.endRoom : nil)
        if let before, isLift(before), connection(neighbour(-2))?.kind == .lift {
            leaveLift(through: start, into: after, before: neighbour(-2))
        } else {
            let isForward = record.isForward(
                from: start, on: present.startFloor, leaving: before, entering: after)
            note(
                .pass(
                    SpokenDoor(
                        connection: record.id, isDoor: kind == .door && !guide.isGap(record),
                        isAutomatic: record.isAutomatic == true,
                        leaf: DoorLeaf(record, isForward: isForward), room: after,
                        isAlike: isAlike(before, after))),
                at: start, on: present.startFloor)
            if kind == .ramp { confirm(record.handrail(isForward: isForward)) }
        }
        stepOnto(Underfoot(after.flatMap(site.room)))
        let isDoor = kind == .door && !guide.isGap(record)
        behind = isDoor ? .door(before) : before.map { .opening($0) }
        if let last = path.points.dropLast().last(where: { $0.distance(to: end) > 0.05 }) {
            heading = direction(last, end)
        } else if let wall = (after ?? before).flatMap(wall) {
            let inward = wall.inwardDegrees(at: wall.foot(of: end).at)
            heading = after == nil ? positiveDegrees(inward + 180) : inward
        }
    }

    /// Has the last step name the ground that begins at its end.
    mutating func stepOnto(_ ground: Underfoot) {
        if !made.isEmpty {
            let facts = ground.facts(after: underfoot)
            made[made.count - 1].facts.surface = facts.surface
            made[made.count - 1].facts.isTactile = facts.isTactile
        }
        underfoot = ground
    }

    /// Has the last step name the handrail.
    mutating func confirm(_ handrail: Handrail?) {
        if !made.isEmpty { made[made.count - 1].facts.handrail = handrail }
    }

    /// Whether both rooms are called by the same kind.
    private func isAlike(_ before: RoomID?, _ after: RoomID?) -> Bool {
        guard let before, let after, before != after, !guide.isNamed(before),
            !guide.isNamed(after)
        else { return false }
        return site.room(before).map { SpokenKind($0.kind) }
            == site.room(after).map { SpokenKind($0.kind) }
    }

    private mutating func climb(_ kind: ConnectionRecord.Kind) {
        defer { leg += 1 }
        let present = route.legs[leg]
        guard let start = present.paths.first?.points.first, let path = present.paths.last,
            let (record, _) = connection(present)
        else { return }
        let floors = (present.startFloor, present.endFloor)
        let ordinals = (
            floors.0.flatMap(site.floor)?.ordinal, floors.1.flatMap(site.floor)?.ordinal
        )
        let difference: Int? =
            if let from = ordinals.0, let to = ordinals.1 { to - from } else { nil }
        let rise = present.riseMetres ?? 0
        let isUp = difference.flatMap { $0 == 0 ? nil : $0 > 0 } ?? (rise == 0 ? nil : rise > 0)
        let climb = Climb(
            kind: kind == .stairs ? .stairs : .escalator, connection: record.id, isUp: isUp,
            floors: difference.flatMap { $0 == 0 ? nil : abs($0) }, floor: floors.1)
        note(.climb(climb), at: start, on: floors.0)
        confirm(
            record.handrail(
                isForward: record.isForward(
                    from: start, on: floors.0, leaving: neighbour(-1).flatMap(occupied),
                    entering: neighbour(1).flatMap(occupied))))
        underfoot = Underfoot(neighbour(1).flatMap(occupied).flatMap(site.room))
        behind = .stairs
        let end = path.points[path.points.count - 1]
        if let last = path.points.dropLast().last(where: { $0.distance(to: end) > 0.05 }) {
            heading = direction(last, end)
        }
    }

    private mutating func ride(_ kind: ConnectionRecord.Kind) {
        defer { leg += 1 }
        let present = route.legs[leg]
        guard let start = present.paths.first?.points.first, let (record, _) = connection(present)
        else { return }
        let floors = (
            present.startFloor.flatMap(site.floor), present.endFloor.flatMap(site.floor)
        )
        let difference = (floors.1?.ordinal ?? 0) - (floors.0?.ordinal ?? 0)
        note(
            .climb(
                Climb(
                    kind: kind == .lift ? .lift : .platformLift, connection: record.id,
                    isUp: difference == 0 ? nil : difference > 0,
                    floors: difference == 0 ? nil : abs(difference), floor: present.endFloor)),
            at: start, on: present.startFloor)
        behind = .lift
        heading = nil
        wayIntoLift = made.dropLast().last.flatMap { step in
            if case .pass(let door) = step.action, door.room.map(isLift) == true {
                direction(start, step.point)
            } else {
                nil
            }
        }
    }

    private mutating func leaveLift(through door: Point, into: RoomID?, before: RouteLeg?) {
        let stop = before?.paths.last?.points.last
        var isOpposite: Bool?
        if let wayIntoLift, let stop {
            isOpposite = abs(signedDegrees(direction(stop, door) - wayIntoLift)) > 90
        }
        note(
            .leaveLift(isOpposite: isOpposite, into: into), at: door, on: route.legs[leg].startFloor
        )
    }

    func isLift(_ room: RoomID) -> Bool {
        site.room(room).map { SpokenKind($0.kind) == .lift } ?? false
    }

    func wall(_ room: RoomID) -> RoomWall? {
        site.roomIndex(room).flatMap(site.outline).flatMap(RoomWall.init)
    }
}
