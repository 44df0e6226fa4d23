import Events
public import Wayfinding

/// Directions in German, in the polite form.
///
/// Names stand in quotation marks: their gender and case are not known, so no article may lean on them.
public struct German: DirectionLanguage {
    public let code = "de"

    public init() {}

    public func sentence(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        let walk = walk(manoeuvre, names)
        switch manoeuvre.action {
        case .head(let point):
            let distance = distance(manoeuvre.metres).map { " \($0)" } ?? ""
            return "Gehen Sie\(distance) nach \(Self.compass(point))\(path(manoeuvre, names))."
        case .turn(.straight):
            let distance = distance(manoeuvre.metres).map { " \($0)" } ?? ""
            return "Gehen Sie\(distance) geradeaus weiter\(path(manoeuvre, names))."
        case .turn(let turn): return "\(Self.turn(turn))\(and(walk))."
        case .door(let door): return self.door(door, walk, names)
        case .cross(.enter(let building)):
            return "Betreten Sie „\(names.building(building))“\(and(walk))."
        case .cross(.leave(let building)):
            return "Verlassen Sie „\(names.building(building))“\(and(walk))."
        case .climb(let climb): return "\(self.climb(climb, names))\(and(walk))."
        case .arrive(let arrival): return arrive(arrival, names)
        }
    }

    // MARK: Walking

    private func and(_ walk: String?) -> String { walk.map { " und \($0)" } ?? "" }

    private func walk(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String? {
        distance(manoeuvre.metres).map { "gehen Sie \($0)\(path(manoeuvre, names))" }
    }

    private func path(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        let along = manoeuvre.along.flatMap(names.connection).map { " auf „\($0)“" } ?? ""
        let passed = manoeuvre.landmarks.suffix(Self.mostLandmarks).map { place in
            "„\(names.room(place.room))“ \(place.isOnLeft ? "links" : "rechts")"
        }
        return passed.isEmpty ? along : "\(along), vorbei an \(passed.joined(separator: " und "))"
    }

    /// "Meter" is the same for one and for many.
    private func distance(_ metres: Double) -> String? {
        switch SpokenDistance(metres: metres) {
        case .metres(let count): "\(count) Meter"
        case .tenthsOfKilometre(let tenths): "\(number(Double(tenths) / 10)) km"
        case nil: nil
        }
    }

    private static func compass(_ point: CompassPoint) -> String {
        switch point {
        case .north: "Norden"
        case .northEast: "Nordosten"
        case .east: "Osten"
        case .southEast: "Südosten"
        case .south: "Süden"
        case .southWest: "Südwesten"
        case .west: "Westen"
        case .northWest: "Nordwesten"
        }
    }

    private static func turn(_ turn: Turn) -> String {
        switch turn {
        case .straight: "Gehen Sie geradeaus weiter"
        case .slightLeft: "Halten Sie sich links"
        case .left: "Biegen Sie links ab"
        case .sharpLeft: "Biegen Sie scharf links ab"
        case .slightRight: "Halten Sie sich rechts"
        case .right: "Biegen Sie rechts ab"
        case .sharpRight: "Biegen Sie scharf rechts ab"
        case .around: "Kehren Sie um"
        }
    }

    // MARK: Doors, stairs and lifts

    private func door(_ door: Door, _ walk: String?, _ names: DirectionNames) -> String {
        let leaf = door.isAutomatic ? "durch die automatische Tür" : "durch die Tür"
        let turn = door.turn == .straight ? nil : Self.turn(door.turn)
        func verb(_ start: String, _ inside: String) -> String {
            turn.map { "\($0) und \(inside)" } ?? start
        }
        switch door.change {
        case .enter(let building):
            return
                "\(verb("Betreten", "betreten")) Sie „\(names.building(building))“ \(leaf)\(and(walk))."
        case .leave(let building):
            return
                "\(verb("Verlassen", "verlassen")) Sie „\(names.building(building))“ \(leaf)\(and(walk))."
        case nil:
            let into = door.room.map { " in „\(names.room($0))“" } ?? ""
            return "\(verb("Gehen", "gehen")) Sie \(leaf)\(into)\(and(walk))."
        }
    }

    private func climb(_ climb: Climb, _ names: DirectionNames) -> String {
        let name = names.connection(climb.connection).map { " „\($0)“" } ?? ""
        let floors =
            climb.floors.map { " \($0) \($0 == 1 ? "Stockwerk" : "Stockwerke")" } ?? ""
        let end = climb.floors == nil ? "" : climb.floor.map { " auf \(level($0, names))" } ?? ""
        let way = climb.isUp.map { $0 ? " nach oben" : " nach unten" } ?? ""
        let thing =
            switch climb.kind {
            case .stairs: "Nehmen Sie die Treppe"
            case .escalator: "Nehmen Sie die Rolltreppe"
            case .ramp: "Nehmen Sie die Rampe"
            case .lift: "Nehmen Sie den Aufzug"
            case .platformLift: "Nehmen Sie den Plattformlift"
            }
        return "\(thing)\(name)\(floors)\(way)\(end)"
    }

    private func level(_ floor: FloorID, _ names: DirectionNames) -> String {
        let (level, name) = names.floor(floor)
        return name.map { "Ebene \(level) (\($0))" } ?? "Ebene \(level)"
    }

    private func arrive(_ arrival: Arrival, _ names: DirectionNames) -> String {
        guard let room = arrival.room.map(names.room) else { return "Sie sind am Ziel." }
        return switch arrival.side {
        case .here: "Sie sind am Ziel: „\(room)“."
        case .ahead: "Sie sind am Ziel. „\(room)“ liegt vor Ihnen."
        case .left: "Sie sind am Ziel. „\(room)“ liegt links von Ihnen."
        case .right: "Sie sind am Ziel. „\(room)“ liegt rechts von Ihnen."
        }
    }

    // MARK: Barriers

    public func sentence(_ obstacle: Obstacle) -> String {
        switch obstacle {
        case .nothingNear: "In der Nähe dieses Ortes ist kein Weg bekannt."
        case .barriers: "Es gibt Wege, aber keinen, den Sie jetzt nutzen können."
        case .noWayOut: "Aus dem Startort führt kein bekannter Weg hinaus."
        case .noWayIn: "Zum Ziel führt kein bekannter Weg."
        case .apart: "Zwischen den beiden Orten ist kein Weg bekannt."
        }
    }

    public func sentence(
        _ rule: Barrier.Rule, at barrier: Barrier, _ names: DirectionNames, _ clock: LocalClock
    ) -> String {
        let thing =
            names.connection(barrier.connection).map { "„\($0)“" } ?? Self.kind(barrier.kind)
        switch rule {
        case .steps: return "\(thing) hat Stufen: erlauben Sie Treppen."
        case .escalator: return "\(thing) ist eine Rolltreppe: erlauben Sie Rolltreppen."
        case .avoided: return "\(thing) liegt auf dem Weg, und Sie wollten das vermeiden."
        case .inaccessible:
            return "\(thing) ist mit Rädern nicht nutzbar: wählen Sie ein anderes Profil."
        case .tooNarrow(let metres, let needed):
            return "\(thing) ist \(number(metres)) m breit, nötig sind \(number(needed)) m."
        case .tooSteep(let slope, let limit):
            return "\(thing) hat \(percent(slope)) % Steigung, erlaubt sind \(percent(limit)) %."
        case .kerb(let metres, let limit):
            return
                "\(thing) hat eine Kante von \(number(metres)) m, erlaubt sind \(number(limit)) m."
        case .surface(let surface):
            return "\(thing) hat diesen Belag: \(surface). Erlauben Sie losen Boden."
        case .unknown(let facts):
            let missing = facts.map(Self.fact).joined(separator: ", ")
            return
                "\(thing): nicht bekannt (\(missing)). Lassen Sie es erheben, oder nehmen Sie es in Kauf."
        case .outage(let since, let until, let reason):
            let why = reason.map { " (\($0))" } ?? ""
            let end = until.map { " bis \(clock.text($0))" } ?? ""
            return "\(thing) ist seit \(clock.text(since))\(end) außer Betrieb\(why)."
        case .restricted(let room):
            return "Hinter \(thing) liegt „\(names.room(room))“, nicht öffentlich zugänglich."
        case .shut(let hours): return "\(thing) ist dann geschlossen; geöffnet: \(hours)."
        }
    }

    private func number(_ value: Double) -> String { decimalText(value, separator: ",") }
    private func percent(_ slope: Double) -> String {
        decimalText(abs(slope) * 100, separator: ",")
    }

    private static func kind(_ kind: ConnectionRecord.Kind) -> String {
        switch kind {
        case .walk: "Der Weg"
        case .door: "Die Tür"
        case .stairs: "Die Treppe"
        case .ramp: "Die Rampe"
        case .lift: "Der Aufzug"
        case .platformLift: "Der Plattformlift"
        case .escalator: "Die Rolltreppe"
        }
    }

    private static func fact(_ fact: UnknownFact.Fact) -> String {
        switch fact {
        case .accessible: "Zugänglichkeit"
        case .width: "Breite"
        case .slope: "Steigung"
        case .kerb: "Kante"
        }
    }
}
