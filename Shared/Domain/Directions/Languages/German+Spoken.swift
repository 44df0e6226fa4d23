import Events
import Site

/// Directions in German for travellers who can't see.
extension German {
    public func sentence(_ step: SpokenStep, _ names: DirectionNames) -> String {
        let start =
            place(
                step.startPlace, in: step.start, names, marks: ("„", "“"),
                room: { room($0, .nominative, names) }
            ).map { "Sie sind hier: \($0). " } ?? ""
        let behind =
            step.behind.flatMap { self.behind($0, names) }.map { "\($0) im Rücken: " } ?? ""
        let warning = step.danger.map { " \(Self.warning($0))" } ?? ""
        return start + text(step, behind, names) + warning + Self.facts(step.facts)
    }

    public func announcement(
        of step: SpokenStep, before next: SpokenStep?, metres: Int, _ names: DirectionNames
    ) -> String {
        let thing = step.action.target.map { nominative($0, names) } ?? "die Kreuzung"
        let into = next?.action.door.map { behind($0, names) } ?? ""
        let hand = step.action.hand.map { $0 == .left ? ", links" : ", rechts" } ?? ""
        let warning = next?.action.danger.map { " \(Self.warning($0))" } ?? ""
        return "In \(metres) Metern: \(thing)\(into)\(hand).\(warning)"
    }

    private func text(_ step: SpokenStep, _ behind: String, _ names: DirectionNames) -> String {
        let metres = distance(step.metres).map { " \($0)" } ?? ""
        switch step.action {
        case .findDoor(let target):
            let place = to(target, names, isOnly: true)
            return "Suchen Sie eine Wand und folgen Sie ihr bis \(place)."
        case .face(let point, let target):
            return "\(Self.turn(point)) und gehen Sie"
                + "\(metres) bis \(to(target, names))."
        case .wall(let walk): return wall(walk, step, behind, names)
        case .ahead(12, let target):
            let place = to(target, names, isNext: step.isToNext)
            return "\(behind)Gehen Sie\(metres) geradeaus bis \(place)."
        case .ahead(let hour, let target):
            return "\(behind)\(Self.turn(hour)) und gehen Sie\(metres) bis "
                + "\(to(target, names, isNext: step.isToNext))."
        case .pass(let door):
            let into = into(door, names)
            let name = names.connection(door.connection).map { " „\($0)“" } ?? ""
            let manner = Self.door(door.isAutomatic, door.leaf) + name
            return "Gehen Sie durch die \(door.isDoor ? manner : "Öffnung")\(into)."
                + Self.opening(door.leaf)
        case .path(let walk): return path(walk, step, behind, names)
        case .climb(let climb):
            let warning = step.action.danger.map { "\(Self.warning($0)) " } ?? ""
            let steps = Self.steps(names.steps(of: climb.connection))
            let text = self.climb(climb, names)
            return warning
                + (step.behind == .stairs
                    ? text.replacing("die Treppe", with: "die nächste Treppe") : text)
                + ".\(steps)"
        case .leaveLift(let isOpposite, let room):
            let door = isOpposite.map {
                $0 ? " durch die Tür gegenüber" : " durch die Tür, durch die Sie eingestiegen sind,"
            }
            let into = room.map { " und gehen Sie \(self.into($0, names))" } ?? ""
            let way = into.isEmpty && door?.last == "," ? door.map { String($0.dropLast()) } : door
            return "Verlassen Sie den Aufzug\(way ?? "")\(into)."
        case .arrive(let arrival): return arrive(arrival, names)
        }
    }

    private func behind(_ behind: Behind, _ names: DirectionNames) -> String? {
        switch behind {
        case .door(let room):
            "Mit der Tür\(room.map { " \(to(.room($0), names))" } ?? "")"
        case .opening(let room): room.map { "Mit \(self.room($0, .dative, names))" }
        case .stairs: "Mit der Treppe"
        case .lift: "Mit dem Aufzug"
        }
    }

    private static func turn(_ hour: Int) -> String {
        hour == 6 ? "Drehen Sie sich um" : "Drehen Sie sich auf \(hour) Uhr"
    }

    private static func turn(_ point: CompassPoint) -> String {
        "Drehen Sie sich mithilfe eines Kompasses nach \(compass(point))"
    }

    private func wall(
        _ walk: WallWalk, _ step: SpokenStep, _ behind: String, _ names: DirectionNames
    ) -> String {
        let hand = walk.hand == .left ? "links" : "rechts"
        let opposite = walk.hand == .left ? "rechts" : "links"
        let metres = distance(walk.metres).map { " \($0) weit" } ?? ""
        let rest =
            "olgen Sie der Wand \(hand) von Ihnen\(metres)\(passed(walk.passed, "Öffnung"))"
            + " bis \(to(walk.target, names, isNext: step.isToNext))."
            + (walk.end.map { end($0, opposite) } ?? "")
        // Two short sentences are easier to keep in mind than a long one.
        guard let crossing = walk.crossingMetres else {
            return "\(behind)Drehen Sie sich nach \(hand). F\(rest)"
        }
        let across = distance(crossing).map { " \($0)" } ?? ""
        let start = walk.compass.map {
            "\(Self.turn($0)) und gehen Sie\(across) bis zur Wand."
        }
        return (start ?? "\(behind)Gehen Sie geradeaus\(across) bis zur Wand gegenüber.")
            + " Drehen Sie sich nach \(opposite) und f\(rest)"
    }

    private func end(_ end: WallEnd, _ turn: String) -> String {
        let metres = distance(max(1, end.metres)) ?? ""
        // The dative: einem Meter, 22 Metern.
        let after =
            metres == "einen Meter"
            ? "einem Meter" : metres.replacing(" Meter", with: " Metern")
        return " Unterwegs ist nach \(after) vor Ihnen eine Wand: Folgen Sie ihr "
            + (end.isBack ? "herum und auf der anderen Seite zurück." : "nach \(turn).")
    }

    /// - Parameter count: nil where the map may lack some.
    private func passed(_ count: Int?, _ noun: String) -> String {
        switch count {
        case nil: ", an anderen \(noun)en vorbei, falls es welche gibt,"
        case 0: ""
        case 1: ", an einer \(noun) vorbei,"
        case let count?: ", an \(count) \(noun)en vorbei,"
        }
    }

    private func path(
        _ walk: PathWalk, _ step: SpokenStep, _ behind: String, _ names: DirectionNames
    ) -> String {
        let name = walk.along.flatMap(names.connection).map { " („\($0)“)" } ?? ""
        let metres = distance(walk.metres).map { " \($0)" } ?? ""
        let start =
            switch walk.beginning {
            case .hour(12, nil): "\(behind)Gehen Sie auf dem Weg\(name)\(metres) geradeaus"
            case .hour(let hour, nil):
                "\(behind)\(Self.turn(hour)). Folgen Sie dem Weg\(name)\(metres) weit"
            case .hour(let hour, let choice?):
                "\(behind)Nehmen Sie den \(Self.number(choice.number)) Weg von "
                    + "\(choice.hand == .left ? "links" : "rechts"), auf \(hour) Uhr. "
                    + "Folgen Sie dem Weg\(name)\(metres) weit"
            case .compass(let point):
                "\(Self.turn(point)) und folgen Sie dem Weg\(name)\(metres) weit"
            }
        let end =
            walk.target.map { to($0, names, isNext: step.isToNext) }
            ?? (walk.passed == nil ? "zu einer Kreuzung" : "zur nächsten Kreuzung")
        return "\(start)\(passed(walk.passed, "Kreuzung")) bis \(end)."
    }

    /// The ordinal in the accusative of the masculine.
    private static func number(_ number: Int) -> String {
        let numbers = ["ersten", "zweiten", "dritten", "vierten", "fünften", "sechsten"]
        return numbers.indices.contains(number - 1) ? numbers[number - 1] : "\(number)."
    }

    private func to(
        _ target: SpokenTarget, _ names: DirectionNames, isOnly: Bool = false, isNext: Bool = false
    ) -> String {
        let (article, noun) = noun(target, names)
        let kind = isOnly ? "einzigen " : isNext ? "nächsten " : ""
        return article.map { "\($0 == "die" ? "zur" : "zum") \(kind)\(noun)" } ?? "zu \(noun)"
    }

    /// The room that a door leads to, as the door's attribute.
    private func behind(_ door: SpokenDoor, _ names: DirectionNames) -> String {
        guard let room = door.room else { return "" }
        let isNext = door.isAlike || names.named(room) == nil && names.kind(room) == .room
        return " \(to(.room(room), names, isNext: isNext))"
    }

    /// The room that the traveller goes into.
    private func into(_ door: SpokenDoor, _ names: DirectionNames) -> String {
        guard let room = door.room else { return "" }
        guard door.isAlike else { return " \(into(room, names))" }
        let (article, noun) = Self.noun(names.kind(room))
        return switch article {
        case "der": " in den nächsten \(noun)"
        case "die": " in die nächste \(noun)"
        default: " ins nächste \(noun)"
        }
    }

    private func nominative(_ target: SpokenTarget, _ names: DirectionNames) -> String {
        let (article, noun) = noun(target, names)
        return article.map { "\($0) \(noun)" } ?? noun
    }

    private func noun(
        _ target: SpokenTarget, _ names: DirectionNames
    ) -> (article: String?, noun: String) {
        switch target {
        case .door: return ("die", "Tür")
        case .opening: return ("die", "Öffnung")
        case .stairs: return ("die", "Treppe")
        case .escalator: return ("die", "Rolltreppe")
        case .ramp: return ("die", "Rampe")
        case .lift: return ("der", "Aufzug")
        case .place: return ("das", "Ziel")
        case .end: return ("das", "Ende")
        case .room(let room):
            if let name = names.named(room) { return (nil, "„\(name)“") }
            let (article, noun) = Self.noun(names.kind(room))
            return (article, noun)
        }
    }
}
