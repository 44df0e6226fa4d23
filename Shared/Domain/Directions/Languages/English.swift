import Events
public import Wayfinding

/// Directions in English.
public struct English: DirectionLanguage {
    public let code = "en"

    public init() {}

    public func sentence(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        let walk = walk(manoeuvre, names)
        switch manoeuvre.action {
        case .head(let point):
            let distance = distance(manoeuvre.metres).map { " for \($0)" } ?? ""
            return "Head \(Self.compass(point))\(distance)\(path(manoeuvre, names))."
        case .turn(.straight): return walk.map { "Go straight on and \($0)." } ?? "Go straight on."
        case .turn(let turn):
            return walk.map { "\(Self.turn(turn)) and \($0)." } ?? "\(Self.turn(turn))."
        case .door(let door): return self.door(door, walk, names)
        case .cross(.enter(let building)): return "Enter \(names.building(building))\(and(walk))."
        case .cross(.leave(let building)): return "Leave \(names.building(building))\(and(walk))."
        case .climb(let climb): return "\(self.climb(climb, names))\(and(walk))."
        case .arrive(let arrival): return arrive(arrival, names)
        }
    }

    // MARK: Walking

    private func and(_ walk: String?) -> String { walk.map { " and \($0)" } ?? "" }

    private func walk(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String? {
        distance(manoeuvre.metres).map { "walk \($0)\(path(manoeuvre, names))" }
    }

    /// The way that one follows, and what one comes by.
    private func path(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        let along = manoeuvre.along.flatMap(names.connection).map { " along \($0)" } ?? ""
        let passed = manoeuvre.landmarks.suffix(Self.mostLandmarks).map { place in
            "\(names.room(place.room)) on the \(place.isOnLeft ? "left" : "right")"
        }
        return passed.isEmpty ? along : "\(along), passing \(passed.joined(separator: " and "))"
    }

    private func distance(_ metres: Double) -> String? {
        switch SpokenDistance(metres: metres) {
        case .metres(1): "1 metre"
        case .metres(let count): "\(count) metres"
        case .tenthsOfKilometre(let tenths):
            "\(decimalText(Double(tenths) / 10, separator: ".")) km"
        case nil: nil
        }
    }

    private static func compass(_ point: CompassPoint) -> String { point.rawValue }

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

    private func door(_ door: Door, _ walk: String?, _ names: DirectionNames) -> String {
        let leaf = door.isAutomatic ? "automatic door" : "door"
        let into = door.room.map { " into \(names.room($0))" } ?? ""
        let turn = door.turn == .straight ? nil : Self.turn(door.turn)
        switch door.change {
        case .enter(let building):
            let turned = turn.map { "\($0) and enter" } ?? "Enter"
            return "\(turned) \(names.building(building)) through the \(leaf)\(and(walk))."
        case .leave(let building):
            let turned = turn.map { "\($0) and leave" } ?? "Leave"
            return "\(turned) \(names.building(building)) through the \(leaf)\(and(walk))."
        case nil: return "\(turn ?? "Go") through the \(leaf)\(into)\(and(walk))."
        }
    }

    private func climb(_ climb: Climb, _ names: DirectionNames) -> String {
        let way = climb.isUp.map { $0 ? " up" : " down" } ?? ""
        let floors = climb.floors.map { " \($0) \($0 == 1 ? "floor" : "floors")" } ?? ""
        let end = climb.floors == nil ? "" : climb.floor.map { " to \(level($0, names))" } ?? ""
        return "Take \(thing(climb, names))\(way)\(floors)\(end)"
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

    /// By its name; with what it is where the name does not tell, such as that of the lift B.
    private static func called(_ name: String?, _ noun: String) -> String {
        guard let name else { return "the \(noun)" }
        let words: [String] =
            switch noun {
            case "lift", "platform lift": ["lift", "elevator"]
            case "stairs", "flight of stairs": ["stair", "steps"]
            case "path": [""]
            default: [noun]
            }
        let small = name.lowercased()
        return words.contains { small.contains($0) || $0.isEmpty } ? name : "the \(noun) \(name)"
    }

    private func level(_ floor: FloorID, _ names: DirectionNames) -> String {
        let (level, name) = names.floor(floor)
        return name.map { "level \(level) (\($0))" } ?? "level \(level)"
    }

    private func arrive(_ arrival: Arrival, _ names: DirectionNames) -> String {
        guard let room = arrival.room.map(names.room) else { return "You have arrived." }
        return switch arrival.side {
        case .here: "You have arrived: \(room)."
        case .ahead: "You have arrived. \(room) is ahead of you."
        case .left: "You have arrived. \(room) is on your left."
        case .right: "You have arrived. \(room) is on your right."
        }
    }

    // MARK: Barriers

    public func sentence(_ obstacle: Obstacle) -> String {
        switch obstacle {
        case .nothingNear: "There is no known way near that place."
        case .barriers: "There are ways, but none that you can use now."
        case .noWayOut: "No known way leads out of where you start."
        case .noWayIn: "No known way leads to where you want to go."
        case .apart: "No known way leads from the one place to the other."
        }
    }

    public func sentence(
        _ rule: Barrier.Rule, at barrier: Barrier, _ names: DirectionNames, _ clock: LocalClock
    ) -> String {
        let inside = Self.called(names.connection(barrier.connection), Self.noun(barrier.kind))
        let thing = inside.prefix(1).uppercased() + inside.dropFirst()
        switch rule {
        case .steps: return "\(thing) has steps: allow stairs."
        case .escalator: return "\(thing) is an escalator: allow escalators."
        case .avoided: return "You asked to avoid \(inside): allow it."
        case .inaccessible: return "\(thing) can't be used with wheels: take another profile."
        case .tooNarrow(let metres, let needed):
            return "\(thing) is \(number(metres)) m wide, and \(number(needed)) m are needed."
        case .tooSteep(let slope, let limit):
            return "\(thing) rises by \(percent(slope)) %, and the limit is \(percent(limit)) %."
        case .kerb(let metres, let limit):
            return
                "\(thing) has a kerb of \(number(metres)) m, and the limit is \(number(limit)) m."
        case .surface(let surface):
            return "The surface of \(inside) is \(surface): allow loose ground."
        case .unknown(let facts):
            let missing = facts.map(Self.fact).joined(separator: " and ")
            return
                "Nobody has stated \(missing) of \(inside): have it surveyed, or accept what is not known."
        case .outage(let since, let until, let reason):
            let why = reason.map { " (\($0))" } ?? ""
            let end = until.map { " until \(clock.text($0))" } ?? ""
            return "\(thing) has been out of service since \(clock.text(since))\(end)\(why)."
        case .restricted(let room):
            return "Behind \(inside) lies \(names.room(room)), which is not open to the public."
        case .shut(let hours): return "\(thing) is shut then: it is open \(hours)."
        }
    }

    private func number(_ value: Double) -> String { decimalText(value, separator: ".") }
    private func percent(_ slope: Double) -> String {
        decimalText(abs(slope) * 100, separator: ".")
    }

    private static func noun(_ kind: ConnectionRecord.Kind) -> String {
        switch kind {
        case .walk: "path"
        case .door: "door"
        case .stairs: "flight of stairs"
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
