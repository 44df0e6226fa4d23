import Events
import Site

/// Directions in German for travellers who can't see.
extension German {
    public func sentence(_ step: SpokenStep, _ names: DirectionNames) -> String {
        let start = step.start.map { "Sie sind hier: \(room($0, .nominative, names)). " } ?? ""
        let behind =
            step.behind.flatMap { self.behind($0, names) }.map { "\($0) im Rücken: " } ?? ""
        return start + text(step, behind, names)
    }

    public func announcement(
        of step: SpokenStep, before next: SpokenStep?, metres: Int, _ names: DirectionNames
    ) -> String {
        let thing = step.action.target.map { nominative($0, names) } ?? "die Kreuzung"
        let into = next?.action.roomBehind.map { " \(self.into($0, names))" } ?? ""
        let hand = step.action.hand.map { $0 == .left ? ", links" : ", rechts" } ?? ""
        let danger = next?.action.isDanger == true ? " Vorsicht, sie führt nach unten." : ""
        return "In \(metres) Metern: \(thing)\(into)\(hand).\(danger)"
    }

    private func text(_ step: SpokenStep, _ behind: String, _ names: DirectionNames) -> String {
        let metres = distance(step.metres).map { " \($0)" } ?? ""
        switch step.action {
        case .findDoor(let target):
            let place = to(target, names, isOnly: true)
            return "Suchen Sie eine Wand und folgen Sie ihr bis \(place)."
        case .face(let point, let target):
            return "Drehen Sie sich mit einem Kompass nach \(Self.compass(point)) und gehen Sie"
                + "\(metres) bis \(to(target, names))."
        case .wall(let walk): return wall(walk, behind, names)
        case .ahead(12, let target):
            return "\(behind)Gehen Sie\(metres) geradeaus bis \(to(target, names))."
        case .ahead(let hour, let target):
            return "\(behind)Drehen Sie sich auf \(hour) Uhr und gehen Sie\(metres) bis "
                + "\(to(target, names))."
        case .pass(let door):
            let into = door.room.map { " \(self.into($0, names))" } ?? ""
            let manner = door.isAutomatic ? "automatische Tür" : "Tür"
            return "Gehen Sie durch die \(door.isDoor ? manner : "Öffnung")\(into)."
        case .path(let walk): return path(walk, behind, names)
        case .climb(let climb, let isDanger):
            let danger =
                isDanger && climb.kind == .stairs ? "Vorsicht: Diese Treppe führt nach unten. " : ""
            let steps = names.steps(of: climb.connection).map { " Es sind \($0) Stufen." } ?? ""
            let text = self.climb(climb, names)
            return "\(danger)"
                + (step.behind == .stairs
                    ? text.replacing("die Treppe", with: "die nächste Treppe") : text)
                + ".\(steps)"
        case .leaveLift(let isOpposite, let room):
            let door = isOpposite.map {
                $0 ? " durch die Tür gegenüber" : " durch die Tür, durch die Sie eingestiegen sind"
            }
            let into = room.map { " und gehen Sie \(self.into($0, names))" } ?? ""
            return "Verlassen Sie den Aufzug\(door ?? "")\(into)."
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

    private func wall(_ walk: WallWalk, _ behind: String, _ names: DirectionNames) -> String {
        let hand = walk.hand == .left ? "links" : "rechts"
        let opposite = walk.hand == .left ? "rechts" : "links"
        let metres = distance(walk.metres).map { " \($0) weit" } ?? ""
        let rest =
            "folgen Sie der Wand \(hand) von Ihnen\(metres)\(passed(walk.passed, "Öffnung"))"
            + " bis \(to(walk.target, names))."
        guard let crossing = walk.crossingMetres else {
            return "\(behind)Drehen Sie sich nach \(hand) und \(rest)"
        }
        let across = distance(crossing).map { " \($0)" } ?? ""
        let start = walk.compass.map {
            "Drehen Sie sich mit einem Kompass nach \(Self.compass($0)) und gehen Sie\(across) bis "
                + "zur Wand."
        }
        return (start ?? "\(behind)Gehen Sie geradeaus\(across) bis zur Wand gegenüber.")
            + " Drehen Sie sich nach \(opposite) und \(rest)"
    }

    private func passed(_ count: Int, _ noun: String) -> String {
        switch count {
        case 0: ""
        case 1: ", an 1 \(noun) vorbei,"
        default: ", an \(count) \(noun)en vorbei,"
        }
    }

    private func path(_ walk: PathWalk, _ behind: String, _ names: DirectionNames) -> String {
        let name = walk.along.flatMap(names.connection).map { " („\($0)“)" } ?? ""
        let start =
            switch walk.beginning {
            case .hour(12, nil): "\(behind)Gehen Sie geradeaus auf dem Weg\(name)"
            case .hour(let hour, nil):
                "\(behind)Drehen Sie sich auf \(hour) Uhr und folgen Sie dem Weg\(name)"
            case .hour(let hour, let choice?):
                "\(behind)Nehmen Sie den \(choice.number). Weg von "
                    + "\(choice.hand == .left ? "links" : "rechts"), auf \(hour) Uhr\(name),"
                    + " und gehen Sie"
            case .compass(let point):
                "Drehen Sie sich mit einem Kompass nach \(Self.compass(point)) und folgen Sie dem "
                    + "Weg\(name)"
            }
        let metres = distance(walk.metres).map { " \($0) weit" } ?? ""
        let end = walk.target.map { to($0, names) } ?? "zur nächsten Kreuzung"
        return "\(start)\(metres)\(passed(walk.passed, "Kreuzung")) bis \(end)."
    }

    private func to(
        _ target: SpokenTarget, _ names: DirectionNames, isOnly: Bool = false
    ) -> String {
        let (article, noun) = noun(target, names)
        let only = isOnly ? "einzigen " : ""
        return article.map { "\($0 == "die" ? "zur" : "zum") \(only)\(noun)" } ?? "zu \(noun)"
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
