import Events
import Site

/// Directions in Welsh for travellers who can't see.
extension Welsh {
    public func sentence(_ step: SpokenStep, _ names: DirectionNames) -> String {
        let start =
            place(step.startPlace, in: step.start, names, room: { room($0, names) })
            .map { "Rydych chi yma: \($0). " } ?? ""
        let behind = step.behind.flatMap { self.behind($0, names) }
        /// The clause after what is behind the traveller, as a sentence.
        func begin(_ clause: String) -> String {
            behind.map { "Gyda'r \($0) y tu ôl i chi, \(clause)" }
                ?? clause.prefix(1).uppercased() + clause.dropFirst()
        }
        let warning = step.danger.map { " \(Self.warning($0))" } ?? ""
        return start + text(step, begin, names) + warning + Self.facts(step.facts)
    }

    public func announcement(
        of step: SpokenStep, before next: SpokenStep?, metres: Int, _ names: DirectionNames
    ) -> String {
        let thing = step.action.target.map { self.thing($0, names) } ?? "y gyffordd"
        let into = next?.action.door.map { to($0, names) } ?? ""
        let hand = step.action.hand.map { $0 == .left ? ", ar y chwith" : ", ar y dde" } ?? ""
        let warning = next?.action.danger.map { " \(Self.warning($0))" } ?? ""
        let distance = distance(Double(metres)) ?? ""
        return "Mewn \(distance): \(thing)\(into)\(hand).\(warning)"
    }

    private func text(
        _ step: SpokenStep, _ begin: (String) -> String, _ names: DirectionNames
    ) -> String {
        let walk = distance(step.metres).map { " a cherddwch \($0)" } ?? ""
        switch step.action {
        case .findDoor(let target):
            return "Dewch o hyd i wal a'i dilyn at \(onlyThing(target, names))."
        case .face(let point, let target):
            return "Gyda chwmpawd, trowch tua'r \(Self.compass(point))\(walk) at "
                + "\(thing(target, names))."
        case .wall(let walk): return wall(walk, step, begin, names)
        case .ahead(12, let target):
            let metres = distance(step.metres).map { " \($0)" } ?? ""
            let place = thing(target, isNext: step.isToNext, names)
            return begin("cerddwch\(metres) yn syth ymlaen at \(place).")
        case .ahead(let hour, let target):
            let place = thing(target, isNext: step.isToNext, names)
            return begin("\(Self.turn(hour))\(walk) at \(place).")
        case .pass(let door):
            let isNext = door.isAlike && door.room.map(names.kind) != .room
            let next = isNext ? " nesaf" : ""
            let into = door.room.map { " i gyrraedd \(behind($0, names))\(next)" } ?? ""
            let name = Self.bracketed(names.connection(door.connection))
            let manner = Self.door(door.isAutomatic, door.leaf) + name
            return "Ewch drwy'r \(door.isDoor ? manner : "agoriad")\(into)."
                + Self.opening(door.leaf)
        case .path(let walk): return path(walk, step, begin, names)
        case .climb(let climb):
            let warning = step.action.danger.map { "\(Self.warning($0)) " } ?? ""
            let steps = Self.steps(names.steps(of: climb.connection))
            let text = self.climb(climb, names)
            let noun = climb.kind == .escalator ? " grisiau symudol" : " grisiau"
            return warning
                + (step.behind == .stairs
                    ? text.replacing(noun, with: noun + " nesaf") : text)
                + ".\(steps)"
        case .leaveLift(let isOpposite, let room):
            let door = isOpposite.map {
                $0 ? " drwy'r drws gyferbyn" : " drwy'r drws y daethoch i mewn drwyddo"
            }
            let into = room.map { " i gyrraedd \(behind($0, names))" } ?? ""
            return "Gadewch y lifft\(door ?? "")\(into)."
        case .arrive(let arrival): return arrive(arrival, names)
        }
    }

    /// The thing behind the traveller, after the article. "Gyda" (with) would change the first
    /// letter of a name, so a name stands in brackets.
    private func behind(_ behind: Behind, _ names: DirectionNames) -> String? {
        switch behind {
        case .door(let room): "drws\(room.map { to($0, names) } ?? "")"
        case .opening(let room):
            room.map {
                names.named($0).map { "agoriad\(Self.bracketed($0))" } ?? Self.noun(names.kind($0))
            }
        case .stairs: "grisiau"
        case .lift: "lifft"
        }
    }

    private func to(_ door: SpokenDoor, _ names: DirectionNames) -> String {
        guard let room = door.room else { return "" }
        let isNext = door.isAlike && names.kind(room) != .room
        return to(room, names) + (isNext ? " nesaf" : "")
    }

    /// The room that a door or an opening leads to. "I" (to) would change the first letter of a
    /// name, so a name stands in brackets.
    private func to(_ room: RoomID, _ names: DirectionNames) -> String {
        if let name = names.named(room) { return Self.bracketed(name) }
        let kind = names.kind(room)
        return " i'r \(Self.noun(kind))\(kind == .room ? " nesaf" : "")"
    }

    private func wall(
        _ walk: WallWalk, _ step: SpokenStep, _ begin: (String) -> String, _ names: DirectionNames
    ) -> String {
        let hand = walk.hand == .left ? "chwith" : "dde"
        let opposite = walk.hand == .left ? "dde" : "chwith"
        let metres = distance(walk.metres).map { " am \($0)" } ?? ""
        let openings = passed(walk.passed, "agoriadau") { _ in "agoriad" }
        let rest =
            "ilynwch y wal ar y \(hand)\(metres)\(openings) at "
            + "\(thing(walk.target, isNext: step.isToNext, names))."
            + (walk.end.map { end($0, opposite) } ?? "")
        // Two short sentences are easier to keep in mind than a long one.
        guard let crossing = walk.crossingMetres else {
            return begin("trowch i'r \(hand). D\(rest)")
        }
        if let compass = walk.compass {
            let across = distance(crossing).map { " a cherddwch \($0)" } ?? ""
            return "Gyda chwmpawd, trowch tua'r \(Self.compass(compass))\(across) at y wal. "
                + "Trowch i'r \(opposite) a d\(rest)"
        }
        let across = distance(crossing).map { ", \($0)" } ?? ""
        return begin("croeswch at y wal gyferbyn\(across). Trowch i'r \(opposite) a d\(rest)")
    }

    private func end(_ end: WallEnd, _ turn: String) -> String {
        let metres = distance(max(1, end.metres)) ?? ""
        return " Ar y ffordd, ar ôl \(metres), mae wal o'ch blaen: "
            + (end.isBack
                ? "dilynwch hi o gwmpas, ac yn ôl ar hyd yr ochr arall."
                : "trowch i'r \(turn) ar ei hyd.")
    }

    /// - Parameters:
    ///   - count: nil where the map may lack some.
    ///   - others: the plural.
    ///   - noun: the noun after a number.
    private func passed(_ count: Int?, _ others: String, _ noun: (Int) -> String) -> String {
        guard let count else { return ", heibio i \(others) eraill os oes rhai," }
        return count == 0 ? "" : ", heibio i \(count) \(noun(count)),"
    }

    private func path(
        _ walk: PathWalk, _ step: SpokenStep, _ begin: (String) -> String,
        _ names: DirectionNames
    ) -> String {
        let name = Self.bracketed(walk.along.flatMap(names.connection))
        let start =
            switch walk.beginning {
            case .hour(12, nil): begin("ewch yn syth ymlaen. Dilynwch y llwybr\(name)")
            case .hour(let hour, nil):
                begin("\(Self.turn(hour)). Dilynwch y llwybr\(name)")
            case .hour(let hour, let choice?):
                begin(
                    "cymerwch \(Self.way(choice.number)) o'r "
                        + "\(choice.hand == .left ? "chwith" : "dde"), ar \(hour) o'r gloch. "
                        + "Dilynwch y llwybr\(name)")
            case .compass(let point):
                "Gyda chwmpawd, trowch tua'r \(Self.compass(point)) a dilynwch y llwybr\(name)"
            }
        let metres = distance(walk.metres).map { " am \($0)" } ?? ""
        let junctions = passed(walk.passed, "gyffyrdd", Self.junctions)
        let end =
            walk.target.map { thing($0, isNext: step.isToNext, names) }
            ?? (walk.passed == nil ? "gyffordd" : "y gyffordd nesaf")
        return "\(start)\(metres)\(junctions) at \(end)."
    }

    private static func turn(_ hour: Int) -> String {
        hour == 6 ? "trowch yn ôl" : "trowch i \(hour) o'r gloch"
    }

    /// "Ffordd" (way) is feminine, so the ordinals after the article change their first letter.
    private static func way(_ number: Int) -> String {
        let ways = [
            "y ffordd gyntaf", "yr ail ffordd", "y drydedd ffordd", "y bedwaredd ffordd",
            "y bumed ffordd", "y chweched ffordd",
        ]
        return ways.indices.contains(number - 1) ? ways[number - 1] : "ffordd rhif \(number)"
    }

    /// "Cyffordd" is feminine: un and dwy (1 and 2) cause the soft mutation, chwe (6) the aspirate
    /// one.
    private static func junctions(_ count: Int) -> String {
        switch count {
        case 1, 2: "gyffordd"
        case 6: "chyffordd"
        default: "cyffordd"
        }
    }

    /// "Unig" (only) stands before its noun and causes the soft mutation.
    private func onlyThing(_ target: SpokenTarget, _ names: DirectionNames) -> String {
        switch target {
        case .door: "yr unig ddrws"
        case .opening: "yr unig agoriad"
        case .lift: "yr unig lifft"
        case .stairs, .escalator, .ramp, .place, .end, .room: thing(target, names)
        }
    }

    private func thing(
        _ target: SpokenTarget, isNext: Bool = false, _ names: DirectionNames
    ) -> String {
        let next = isNext ? " nesaf" : ""
        return switch target {
        case .door: "y drws\(next)"
        case .opening: "yr agoriad\(next)"
        case .stairs: "y grisiau\(next)"
        case .escalator: "y grisiau symudol"
        case .ramp: "y ramp"
        case .lift: "y lifft"
        case .place: "y lle"
        case .end: "y diwedd"
        case .room(let room): behind(room, names)
        }
    }
}
