import Events
import Site

/// Directions in English for travellers who can't see.
extension English {
    public func sentence(_ step: SpokenStep, _ names: DirectionNames) -> String {
        let behind = step.behind.flatMap { self.behind($0, names) }
        // The colon spares the preposition: in a room, but on a platform.
        let start =
            place(step.startPlace, in: step.start, names, room: { room($0, names) })
            .map { "You are here: \($0). " } ?? ""
        let warning = step.danger.map { " \(Self.warning($0))" } ?? ""
        return start + text(step, behind, names) + warning + Self.facts(step.facts)
    }

    public func announcement(
        of step: SpokenStep, before next: SpokenStep?, metres: Int, _ names: DirectionNames
    ) -> String {
        let thing = step.action.target.map { target($0, names) } ?? "the junction"
        let into = next?.action.door.map { self.into($0, names) } ?? ""
        let hand = step.action.hand.map { $0 == .left ? ", on your left" : ", on your right" } ?? ""
        let warning = next?.action.danger.map { " \(Self.warning($0))" } ?? ""
        return "In \(metres) metres: \(thing)\(into)\(hand).\(warning)"
    }

    private func text(_ step: SpokenStep, _ behind: String?, _ names: DirectionNames) -> String {
        /// The clause after what is behind the traveller, as a sentence.
        func begin(_ clause: String) -> String {
            behind.map { "With \($0) behind you, \(clause)" } ?? Self.capitalised(clause)
        }
        let metres = distance(step.metres)
        switch step.action {
        case .findDoor(let target):
            return "Find a wall, and follow it to \(self.target(target, isOnly: true, names))."
        case .face(let point, let target):
            let place = self.target(target, names)
            return metres.map {
                "With a compass, face \(point.rawValue) and walk \($0) to \(place)."
            }
                ?? "With a compass, face \(point.rawValue), to \(place)."
        case .wall(let walk) where walk.compass != nil: return self.wall(walk, step, names)
        case .wall(let walk): return begin(self.wall(walk, step, names))
        case .ahead(let hour, let target):
            let walk = metres.map { " \($0)" } ?? ""
            let start =
                hour == 12
                ? "walk\(walk) straight ahead" : "\(Self.turn(hour)) and walk\(walk)"
            return begin("\(start) to \(self.target(target, isNext: step.isToNext, names)).")
        case .pass(let door): return pass(door, names)
        case .path(let walk): return path(walk, step, begin, names)
        case .climb(let climb):
            let warning = step.action.danger.map { "\(Self.warning($0)) " } ?? ""
            let text = self.climb(climb, names)
            let steps = Self.steps(names.steps(of: climb.connection))
            return warning
                + (step.behind == .stairs
                    ? text.replacing("Take the stairs", with: "Take the next stairs") : text)
                + ".\(steps)"
        case .leaveLift(let isOpposite, let room):
            let into = room.map {
                "\(isOpposite == false ? "," : "") and go into \(self.behind($0, names))"
            }
            let door = isOpposite.map {
                $0 ? " by the door opposite" : " by the door that you came in by"
            }
            return "Leave the lift\(door ?? "")\(into ?? "")."
        case .arrive(let arrival): return arrive(arrival, names)
        }
    }

    private func behind(_ behind: Behind, _ names: DirectionNames) -> String? {
        switch behind {
        case .door(let room): "the door\(room.map { " to \(self.room($0, names))" } ?? "")"
        case .opening(let room): room.map { self.room($0, names) }
        case .stairs: "the stairs"
        case .lift: "the lift"
        }
    }

    private func wall(_ walk: WallWalk, _ step: SpokenStep, _ names: DirectionNames) -> String {
        let hand = walk.hand == .left ? "left" : "right"
        let opposite = walk.hand == .left ? "right" : "left"
        let metres = distance(walk.metres).map { " for \($0)" } ?? ""
        let rest =
            "follow the wall on your \(hand)\(metres)\(passed(walk.passed, "opening")) to "
            + "\(target(walk.target, isNext: step.isToNext, names))."
            + (walk.end.map { end($0, opposite) } ?? "")
        // Two short sentences are easier to keep in mind than a long one.
        guard let crossing = walk.crossingMetres else {
            return "turn \(hand). \(Self.capitalised(rest))"
        }
        if let compass = walk.compass {
            let across = distance(crossing).map { " and walk \($0)" } ?? ""
            return "With a compass, face \(compass.rawValue)\(across) to the wall. "
                + "Turn \(opposite) and \(rest)"
        }
        let across = distance(crossing).map { ", \($0)" } ?? ""
        return "cross to the wall opposite\(across). Turn \(opposite) and \(rest)"
    }

    private func end(_ end: WallEnd, _ turn: String) -> String {
        let metres = distance(max(1, end.metres)) ?? ""
        return " On the way, after \(metres), there is a wall ahead: "
            + (end.isBack
                ? "follow it round, and back along the other side." : "turn \(turn) along it.")
    }

    /// - Parameter count: nil where the map may lack some.
    private func passed(_ count: Int?, _ noun: String) -> String {
        guard let count else { return ", past other \(noun)s, if there are any," }
        return count == 0 ? "" : ", past \(count) \(noun)\(count == 1 ? "" : "s"),"
    }

    private func path(
        _ walk: PathWalk, _ step: SpokenStep, _ begin: (String) -> String,
        _ names: DirectionNames
    ) -> String {
        let name = walk.along.flatMap(names.connection) ?? "the path"
        let start =
            switch walk.beginning {
            case .hour(12, nil): begin("go straight on along \(name)")
            case .hour(let hour, let choice):
                choice.map { begin("\(way(hour, $0)). Follow \(name)") }
                    ?? begin("\(Self.turn(hour)). Follow \(name)")
            case .compass(let point):
                "With a compass, face \(point.rawValue) and follow \(name)"
            }
        let metres = distance(walk.metres).map { " for \($0)" } ?? ""
        let end =
            walk.target.map { target($0, isNext: step.isToNext, names) }
            ?? (walk.passed == nil ? "a junction" : "the next junction")
        return "\(start)\(metres)\(passed(walk.passed, "junction")) to \(end)."
    }

    private func target(
        _ target: SpokenTarget, isOnly: Bool = false, isNext: Bool = false,
        _ names: DirectionNames
    ) -> String {
        let only = isOnly ? "only " : isNext ? "next " : ""
        return switch target {
        case .door: "the \(only)door"
        case .opening: "the \(only)opening"
        case .stairs: "the \(isNext ? only : "")stairs"
        case .escalator: "the escalator"
        case .ramp: "the ramp"
        case .lift: "the lift"
        case .place: "the place"
        case .end: "the end"
        case .room(let room): behind(room, names)
        }
    }

    private static func turn(_ hour: Int) -> String {
        hour == 6 ? "turn round" : "turn to \(hour) o'clock"
    }

    private func way(_ hour: Int, _ choice: PathWalk.Choice) -> String {
        let numbers = ["first", "second", "third", "fourth", "fifth", "sixth"]
        let number =
            numbers.indices.contains(choice.number - 1)
            ? numbers[choice.number - 1] : "\(choice.number)th"
        return "take the \(number) way from the \(choice.hand == .left ? "left" : "right"), at "
            + "\(hour) o'clock"
    }

    private func into(_ door: SpokenDoor, _ names: DirectionNames) -> String {
        guard let room = door.room else { return "" }
        let next = "the next \(Self.noun(names.kind(room)))"
        return " into \(door.isAlike ? next : behind(room, names))"
    }

    private func pass(_ door: SpokenDoor, _ names: DirectionNames) -> String {
        let into = into(door, names)
        let name = names.connection(door.connection)
        guard door.isDoor else {
            return "Go through the opening\(into)."
        }
        let manner = Self.manner(door.isAutomatic, door.leaf)
        return "Go through the \(manner)door\(name.map { " \($0)" } ?? "")\(into)."
            + Self.opening(door.leaf)
    }
}
