import Events
import Site

/// Directions in Welsh for travellers who can't see.
extension Welsh {
    public func sentence(_ step: SpokenStep, _ names: DirectionNames) -> String {
        let start = step.start.map { "Rydych chi yma: \(room($0, names)). " } ?? ""
        let behind = step.behind.flatMap { self.behind($0, names) }
        /// The clause after what is behind the traveller, as a sentence.
        func begin(_ clause: String) -> String {
            behind.map { "Gyda\($0) y tu ôl i chi, \(clause)" }
                ?? clause.prefix(1).uppercased() + clause.dropFirst()
        }
        return start + text(step, begin, names)
    }

    public func announcement(
        of step: SpokenStep, before next: SpokenStep?, metres: Int, _ names: DirectionNames
    ) -> String {
        let thing = step.action.target.map { self.thing($0, names) } ?? "y gyffordd"
        let into = next?.action.roomBehind.map { " i gyrraedd \(behind($0, names))" } ?? ""
        let hand = step.action.hand.map { $0 == .left ? ", ar y chwith" : ", ar y dde" } ?? ""
        let danger = next?.action.isDanger == true ? " Gofal: maen nhw'n mynd i lawr." : ""
        let distance = distance(Double(metres)) ?? ""
        return "Mewn \(distance): \(thing)\(into)\(hand).\(danger)"
    }

    private func text(
        _ step: SpokenStep, _ begin: (String) -> String, _ names: DirectionNames
    ) -> String {
        let walk = distance(step.metres).map { " a cherddwch \($0)" } ?? ""
        switch step.action {
        case .findDoor(let target):
            return "Dewch o hyd i wal a'i dilyn at \(thing(target, names)) (yr unig un)."
        case .face(let point, let target):
            return "Gyda chwmpawd, trowch tua'r \(Self.compass(point))\(walk) at "
                + "\(thing(target, names))."
        case .wall(let walk): return wall(walk, begin, names)
        case .ahead(12, let target):
            let metres = distance(step.metres).map { " \($0)" } ?? ""
            return begin("cerddwch\(metres) yn syth ymlaen at \(thing(target, names)).")
        case .ahead(let hour, let target):
            return begin("trowch i \(hour) o'r gloch\(walk) at \(thing(target, names)).")
        case .pass(let door):
            let into = door.room.map { " i gyrraedd \(behind($0, names))" } ?? ""
            let manner = door.isAutomatic ? "drws awtomatig" : "drws"
            return "Ewch drwy'r \(door.isDoor ? manner : "agoriad")\(into)."
        case .path(let walk): return path(walk, begin, names)
        case .climb(let climb, let isDanger):
            let danger =
                isDanger && climb.kind == .stairs
                ? "Gofal: mae'r grisiau hyn yn mynd i lawr. " : ""
            let steps = names.steps(of: climb.connection).map { " Nifer y grisiau: \($0)." } ?? ""
            let text = self.climb(climb, names)
            return danger
                + (step.behind == .stairs
                    ? text.replacing(" grisiau", with: " grisiau nesaf") : text)
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

    /// The thing behind the traveller, after the vowel of "gyda".
    private func behind(_ behind: Behind, _ names: DirectionNames) -> String? {
        switch behind {
        case .door(let room): "'r drws\(room.map { " i\(roomBehindVowel($0, names))" } ?? "")"
        case .opening(let room): room.map { roomBehindVowel($0, names) }
        case .stairs: "'r grisiau"
        case .lift: "'r lifft"
        }
    }

    private func wall(
        _ walk: WallWalk, _ begin: (String) -> String, _ names: DirectionNames
    ) -> String {
        let hand = walk.hand == .left ? "chwith" : "dde"
        let opposite = walk.hand == .left ? "dde" : "chwith"
        let metres = distance(walk.metres).map { " am \($0)" } ?? ""
        let openings = walk.passed == 0 ? "" : ", heibio i \(walk.passed) agoriad,"
        let rest =
            "dilynwch y wal ar y \(hand)\(metres)\(openings) at \(thing(walk.target, names))."
        guard let crossing = walk.crossingMetres else {
            return begin("trowch i'r \(hand) a \(rest)")
        }
        if let compass = walk.compass {
            let across = distance(crossing).map { " a cherddwch \($0)" } ?? ""
            return "Gyda chwmpawd, trowch tua'r \(Self.compass(compass))\(across) at y wal. "
                + "Trowch i'r \(opposite) a \(rest)"
        }
        let across = distance(crossing).map { ", \($0)" } ?? ""
        return begin("croeswch at y wal gyferbyn\(across). Trowch i'r \(opposite) a \(rest)")
    }

    private func path(
        _ walk: PathWalk, _ begin: (String) -> String, _ names: DirectionNames
    ) -> String {
        let name = walk.along.flatMap(names.connection) ?? "y llwybr"
        let start =
            switch walk.beginning {
            case .hour(12, nil): begin("ewch yn syth ymlaen ar hyd \(name)")
            case .hour(let hour, nil): begin("trowch i \(hour) o'r gloch a dilynwch \(name)")
            case .hour(let hour, let choice?):
                begin(
                    "cymerwch ffordd rhif \(choice.number) o'r "
                        + "\(choice.hand == .left ? "chwith" : "dde"), ar \(hour) o'r gloch, a "
                        + "dilynwch \(name)")
            case .compass(let point):
                "Gyda chwmpawd, trowch tua'r \(Self.compass(point)) a dilynwch \(name)"
            }
        let metres = distance(walk.metres).map { " am \($0)" } ?? ""
        // Dwy (2) causes the soft mutation.
        let noun = walk.passed == 2 ? "gyffordd" : "cyffordd"
        let junctions = walk.passed == 0 ? "" : ", heibio i \(walk.passed) \(noun),"
        let end = walk.target.map { thing($0, names) } ?? "y gyffordd nesaf"
        return "\(start)\(metres)\(junctions) at \(end)."
    }

    private func thing(_ target: SpokenTarget, _ names: DirectionNames) -> String {
        switch target {
        case .door: "y drws"
        case .opening: "yr agoriad"
        case .stairs: "y grisiau"
        case .escalator: "y grisiau symudol"
        case .ramp: "y ramp"
        case .lift: "y lifft"
        case .place: "y lle"
        case .end: "y diwedd"
        case .room(let room): behind(room, names)
        }
    }
}
