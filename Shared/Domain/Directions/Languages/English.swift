import Events
import Site
public import Wayfinding

/// Directions in English.
public struct English: DirectionLanguage {
    public let code = "en"
    public let codeOfNames: String

    public init(codeOfNames: String? = nil) { self.codeOfNames = codeOfNames ?? "en" }

    func plain(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        let walk = walk(manoeuvre, names)
        switch manoeuvre.action {
        case .head(let point, let isFromLift):
            let distance = distance(manoeuvre.metres).map { " for \($0)" } ?? ""
            let head = isFromLift ? "Leave the lift and head" : "Head"
            let along = along(manoeuvre, names).map { " along \($0)" } ?? ""
            return "\(head) \(Self.compass(point))\(distance)\(along)\(passing(manoeuvre, names))."
        case .turn(.straight): return walk.map { "Go straight on and \($0)." } ?? "Go straight on."
        case .turn(let turn):
            return walk.map { "\(Self.turn(turn)) and \($0)." } ?? "\(Self.turn(turn))."
        case .door(let door): return self.door(door, walk, then(walk, manoeuvre), names)
        case .cross(.enter(let building)):
            return cross(manoeuvre, "Enter", building, walk, names)
        case .cross(.leave(let building)):
            return cross(manoeuvre, "Leave", building, walk, names)
        case .climb(let climb): return "\(self.climb(climb, names))\(and(walk))."
        case .arrive(let arrival): return arrive(arrival, names)
        }
    }

    // MARK: Walking

    private func and(_ walk: String?) -> String { walk.map { " and \($0)" } ?? "" }

    /// The walk after the thing before it, as a sentence of its own if it is long.
    private func then(_ walk: String?, _ manoeuvre: Manoeuvre) -> String {
        guard let walk, !manoeuvre.landmarks.isEmpty else { return and(walk) }
        return ". \(Self.capitalised(walk))"
    }

    private func walk(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String? {
        guard let distance = distance(manoeuvre.metres) else { return nil }
        let (along, passing) = (along(manoeuvre, names), passing(manoeuvre, names))
        guard let along else { return "walk \(distance)\(passing)" }
        return manoeuvre.staysAlong
            ? "continue along \(along) for \(distance)\(passing)"
            : "walk \(distance) along \(along)\(passing)"
    }

    /// The name of the connection that the walk follows.
    private func along(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String? {
        manoeuvre.along.flatMap(names.connection)
    }

    /// The rooms that the walk passes.
    private func passing(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        let passed = passedSides(manoeuvre).map { rooms, isOnLeft in
            let rooms = rooms.map { room($0, names) }
            // A name may have an "and" of its own.
            let word = rooms.contains { $0.contains(" and ") } ? ", then " : " and "
            return "\(rooms.joined(separator: word)) on the \(isOnLeft ? "left" : "right")"
        }
        return passed.isEmpty ? "" : ", passing \(passed.joined(separator: " and "))"
    }

    /// Enters or leaves a building where there is no door.
    private func cross(
        _ manoeuvre: Manoeuvre, _ verb: String, _ id: BuildingID, _ walk: String?,
        _ names: DirectionNames
    ) -> String {
        let building = building(id, names)
        let then = then(walk, manoeuvre)
        guard let turn = manoeuvre.turn.map(Self.turn) else {
            return "\(verb) \(building)\(then)."
        }
        let comma = walk == nil || !manoeuvre.landmarks.isEmpty ? " and" : ","
        return "\(turn)\(comma) \(verb.lowercased()) \(building)\(then)."
    }

    /// The room's name, or else its kind with an article.
    func room(_ id: RoomID, _ names: DirectionNames) -> String {
        names.named(id) ?? "the \(Self.noun(names.kind(id)))"
    }

    func building(_ id: BuildingID, _ names: DirectionNames) -> String {
        names.building(id) ?? "the building"
    }

    func distance(_ metres: Double) -> String? {
        switch SpokenDistance(metres: metres) {
        case .metres(1): "1 metre"
        case .metres(let count): "\(count) metres"
        case .tenthsOfKilometre(let tenths):
            "\(decimalText(Double(tenths) / 10, separator: ".")) km"
        case nil: nil
        }
    }

    static func compass(_ point: CompassPoint) -> String { point.rawValue }

    private static func turn(_ turn: Turn) -> String {
        switch turn {
        case .straight: "Go straight on"
        case .slightLeft: "Bear left"
        case .left: "Turn left"
        case .sharpLeft: "Turn sharp left"
        case .slightRight: "Bear right"
        case .right: "Turn right"
        case .sharpRight: "Turn sharp right"
        case .around: "Turn round"
        }
    }

    // MARK: Doors, stairs and lifts

    /// - Parameter then: the walk after a way into a building or out of it.
    private func door(
        _ door: Door, _ walk: String?, _ then: String, _ names: DirectionNames
    ) -> String {
        let leaf = leaf(door, names)
        let into = door.room.map { " into \(behind($0, names))" } ?? ""
        let turn = door.turn == .straight ? nil : Self.turn(door.turn)
        switch (door.change, door.leadsIn) {
        case (.enter(let building), _):
            let turned = turn.map { "\($0) and enter" } ?? "Enter"
            return "\(turned) \(self.building(building, names)) through \(leaf)\(then)."
        case (.leave(let building), _):
            let turned = turn.map { "\($0) and leave" } ?? "Leave"
            return "\(turned) \(self.building(building, names)) through \(leaf)\(then)."
        case (nil, let leadsIn?):
            let go = turn.map { "\($0) and go" } ?? "Go"
            return
                "\(go) \(leadsIn ? "in" : "out") through \(leaf)\(leadsIn ? into : "")\(and(walk))."
        case (nil, nil):
            if door.isFromLift {
                guard let room = door.room else { return "Leave the lift\(and(walk))." }
                let comma = walk == nil ? " and" : ","
                return "Leave the lift\(comma) go into \(behind(room, names))\(and(walk))."
            }
            if door.isGap, door.room != nil { return "\(turn ?? "Go on")\(into)\(and(walk))." }
            if door.turn == .around {
                return "Turn round and go through \(leaf)\(into)\(and(walk))."
            }
            return "\(turn ?? "Go") through \(leaf)\(into)\(and(walk))."
        }
    }

    /// The door with its own name, if it has one: `the Main door`, `the automatic door North`.
    private func leaf(_ door: Door, _ names: DirectionNames) -> String {
        let manner = Self.manner(door.isAutomatic, door.leaf)
        guard let name = names.connection(door.connection) else { return "the \(manner)door" }
        return Self.isDoor(name) ? "the \(manner)\(name)" : "the \(manner)door \(name)"
    }

    /// Whether a name says that it is one of a door.
    private static func isDoor(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter }
        return words.contains { ["door", "doors", "entrance", "exit", "gate"].contains($0) }
    }

    /// The room behind a door. A room without a name and a kind of its own is the next room.
    func behind(_ id: RoomID, _ names: DirectionNames) -> String {
        names.named(id) ?? (names.kind(id) == .room ? "the next room" : room(id, names))
    }

    func climb(_ climb: Climb, _ names: DirectionNames) -> String {
        let way = climb.isUp.map { $0 ? " up" : " down" } ?? ""
        let floors = climb.floors.map { " \($0) \($0 == 1 ? "floor" : "floors")" } ?? ""
        let end = climb.floors == nil ? "" : climb.floor.map { " to \(level($0, names))" } ?? ""
        let thing = thing(climb, names)
        guard let turn = climb.turn, turn != .straight else {
            return "Take \(thing)\(way)\(floors)\(end)"
        }
        return "\(Self.turn(turn)) to \(thing) and take it\(way)\(floors)\(end)"
    }

    private func thing(_ climb: Climb, _ names: DirectionNames) -> String {
        let noun =
            switch climb.kind {
            case .stairs: "stairs"
            case .escalator: "escalator"
            case .ramp: "ramp"
            case .lift: "lift"
            case .platformLift: "platform lift"
            }
        return Self.called(names.connection(climb.connection), noun)
    }

    /// The connection's name, after its kind if the name does not contain it: `Lift B` for a lift
    /// named B and for one named Lift B.
    private static func called(_ name: String?, _ noun: String) -> String {
        guard let name else { return "the \(noun)" }
        if noun == "door" { return isDoor(name) ? "the \(name)" : "the door \(name)" }
        let words: [String] =
            switch noun {
            case "lift", "platform lift": ["lift", "elevator"]
            case "stairs": ["stair", "steps"]
            case "path": [""]
            default: [noun]
            }
        let small = name.lowercased()
        if words.contains(where: { small.contains($0) || $0.isEmpty }) { return name }
        guard name.count <= shortName, !name.contains(" ") else { return "the \(noun) \(name)" }
        return "\(capitalised(noun)) \(name)"
    }

    static func capitalised(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    private func level(_ floor: FloorID, _ names: DirectionNames) -> String {
        let (level, name) = names.floor(floor)
        return name.map { "level \(level) (\($0))" } ?? "level \(level)"
    }

    func arrive(_ arrival: Arrival, _ names: DirectionNames) -> String {
        if let near = arrival.approximate {
            return nearby(near, names.asked(arrival.asked) ?? place(near, names))
        }
        return self.arrival(
            arrival, names, Self.arrivals, thing: { "the \(Self.noun($0))" },
            room: { room($0, names) })
    }

    private static let arrivals = ArrivalWords(
        arrived: "You have arrived", outside: "you are outside", ahead: ", ahead of you",
        left: ", on your left", right: ", on your right")

    // MARK: Ends without a way

    public func sentence(startingNear near: ApproximateEnd, _ names: DirectionNames) -> String {
        let distance = distance(near.straightMetres).map { ", about \($0) away" } ?? ""
        return "The way out of \(place(near, names)) is not on the map. These directions start at "
            + "the nearest path\(distance)."
    }

    private func nearby(_ near: ApproximateEnd, _ place: String) -> String {
        let why =
            near.missing == .way
            ? "the map shows no way in" : "the map shows no door to it"
        let distance = distance(near.straightMetres).map {
            " It is about \($0) away in a straight line."
        }
        return "This is as close as the map can take you to \(place): \(why)."
            + (distance ?? "")
    }

    private func place(_ near: ApproximateEnd, _ names: DirectionNames) -> String {
        near.room.map { room($0, names) } ?? near.building.map { building($0, names) }
            ?? "the place"
    }

    // MARK: Barriers

    public func sentence(_ obstacle: Obstacle) -> String {
        switch obstacle {
        case .nothingNear: "The map shows no path near that place."
        case .noEntrance: "The map shows no door to the outside."
        case .barriers: "There are routes, but none that you can use now."
        case .noWayOut: "The map shows no way out of your starting point."
        case .noWayIn: "The map shows no way to your destination."
        case .apart: "The map shows no way between the two places."
        }
    }

    public func sentence(
        _ rule: Barrier.Rule, at barrier: Barrier, _ names: DirectionNames, _ clock: LocalClock
    ) -> String {
        let name = names.connection(barrier.connection)
        let place = place(of: barrier, but: rule.closedRoom, names)
        let inside = Self.called(name, Self.noun(barrier.kind)) + place
        let isKnown = name != nil || !place.isEmpty || !barrier.isCommon
        let thing =
            isKnown ? Self.capitalised(inside) : "A \(Self.noun(barrier.kind)) on the way"
        switch rule {
        case .steps, .escalator:
            return "The way leads over \(inside), and the map shows none without."
        case .avoided: return "You asked to avoid \(inside). To use it, remove that choice."
        case .inaccessible:
            return "\(thing) is not suitable for wheels, and the map shows no way round."
        case .tooNarrow(let metres, let needed):
            return "\(thing) is \(number(metres)) m wide, but you need \(number(needed)) m."
        case .tooSteep(let slope, let limit):
            return "\(thing) has a slope of \(percent(slope)) %; your limit is \(percent(limit)) %."
        case .kerb(let metres, let limit):
            return "\(thing) has a kerb of \(number(metres)) m; your limit is \(number(limit)) m."
        case .surface: return "The surface of \(inside) is loose."
        case .unknown(let facts):
            let missing = facts.map(Self.fact).joined(separator: " and ")
            return
                "The map does not give \(missing) of \(inside). Ask somebody there whether "
                + "you can use it."
        case .outage(let since, let until, let reason):
            let why = reason.map { " (\($0))" } ?? ""
            let start = clock.text(since, Self.dates)
            guard let until else { return "\(thing) has been out of service since \(start)\(why)." }
            let end = clock.text(until, Self.dates)
            return "\(thing) is out of service from \(start) until \(end)\(why)."
        case .restricted(let room):
            let room = self.room(room, names)
            return "\(thing) leads to \(room), which is not open to the public."
        case .shut(let hours, let room):
            let shut = room.map { Self.capitalised(self.room($0, names)) } ?? thing
            return sentence(shut: shut, hours)
        }
    }

    /// The rooms on both sides of a door without a name, and the level. A lift has many levels, so
    /// none is named.
    ///
    /// - Parameter but: a room that the sentence names itself.
    private func place(
        of barrier: Barrier, but known: RoomID?, _ names: DirectionNames
    ) -> String {
        let rooms = barrier.rooms.filter { $0 != known }.map { room($0, names) }
        let isNamed = names.connection(barrier.connection) != nil
        var place = ""
        if !isNamed, barrier.kind == .door {
            switch rooms.count {
            case 0: break
            case 1: place = " of \(rooms[0])"
            case _ where rooms.contains { $0.contains(" and ") }:
                place = " from \(rooms[0]) to \(rooms[1])"
            default: place = " between \(rooms[0]) and \(rooms[1])"
            }
        }
        let levels = barrier.kind == .lift ? [] : names.levels(of: barrier.connection)
        if let low = levels.first, let high = levels.last {
            place += " between \(level(low, names)) and \(level(high, names))"
        } else if let floor = barrier.floor, barrier.kind != .lift {
            place += " on \(level(floor, names))"
        }
        return place
    }

    static let dates = DateWords(months: hours.months)

    static let hours = HoursWords(
        weekdays: weekdays, lastWeekdays: weekdays,
        months: [
            "January", "February", "March", "April", "May", "June", "July", "August",
            "September", "October", "November", "December",
        ],
        toDay: " to ", toHour: " to ", fromHour: "", and: " and ", daily: "daily",
        allDay: "24 hours", closed: "closed")
    private static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    private func number(_ value: Double) -> String { decimalText(value, separator: ".") }
    private func percent(_ slope: Double) -> String {
        decimalText(abs(slope) * 100, separator: ".")
    }

    /// Stairs are a stairwell here, which has a singular.
    static func noun(_ kind: SpokenKind) -> String {
        kind == .stairs ? "stairwell" : kind.rawValue
    }

    public func title(_ kind: SpokenKind) -> String { Self.capitalised(kind.rawValue) }

    static func noun(_ kind: ConnectionRecord.Kind) -> String {
        switch kind {
        case .walk: "path"
        case .door: "door"
        case .stairs: "stairs"
        case .ramp: "ramp"
        case .lift: "lift"
        case .platformLift: "platform lift"
        case .escalator: "escalator"
        }
    }

    private static func fact(_ fact: UnknownFact.Fact) -> String {
        switch fact {
        case .accessible: "the accessibility"
        case .width: "the width"
        case .slope: "the slope"
        case .kerb: "the kerb"
        }
    }
}
