import Events
public import Wayfinding

/// Directions in Welsh, in the polite form.
///
/// Names stand where Welsh does not mutate the word that follows ("gan basio", "i gyrraedd", "mae"), or in
/// brackets, since names on signs are to be found as they are written. Nouns behind numbers are
/// singular, and change their first letter behind 2, 3 and 6 as Thomas 1996 ("Gramadeg y Gymraeg")
/// and every school grammar have it.
public struct Welsh: DirectionLanguage {
    public let code = "cy"

    public init() {}

    public func sentence(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        let walk = walk(manoeuvre, names)
        switch manoeuvre.action {
        case .head(let point):
            let distance = distance(manoeuvre.metres).map { " am \($0)" } ?? ""
            return "Ewch tua'r \(Self.compass(point))\(distance)\(path(manoeuvre, names))."
        case .turn(let turn): return "\(Self.turn(turn))\(and(walk))."
        case .door(let door): return self.door(door, walk, names)
        case .cross(.enter(let building)):
            return "Ewch i mewn i'r adeilad (\(names.building(building)))\(and(walk))."
        case .cross(.leave(let building)):
            return "Gadewch yr adeilad (\(names.building(building)))\(and(walk))."
        case .climb(let climb): return "\(self.climb(climb, names))\(and(walk))."
        case .arrive(let arrival): return arrive(arrival, names)
        }
    }

    // MARK: Walking

    /// "A" (and) takes the aspirate mutation: cerddwch, a cherddwch.
    private func and(_ walk: String?) -> String { walk.map { " a \($0)" } ?? "" }

    private func walk(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String? {
        distance(manoeuvre.metres).map { "cherddwch \($0)\(path(manoeuvre, names))" }
    }

    private func path(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        let along = manoeuvre.along.flatMap(names.connection).map { " ar hyd \($0)" } ?? ""
        let passed = manoeuvre.landmarks.suffix(Self.mostLandmarks).map { place in
            "\(names.room(place.room)) ar y \(place.isOnLeft ? "chwith" : "dde")"
        }
        guard !passed.isEmpty else { return along }
        // "A" becomes "ac" before a vowel, and would change the name's first letter: a comma does not.
        return "\(along), gan basio \(passed.joined(separator: ", "))"
    }

    private func distance(_ metres: Double) -> String? {
        switch SpokenDistance(metres: metres) {
        case .metres(let count): "\(count) \(Self.counted("metr", soft: "fetr", count))"
        case .tenthsOfKilometre(let tenths):
            "\(decimalText(Double(tenths) / 10, separator: ".")) km"
        case nil: nil
        }
    }

    /// A masculine noun behind a number: dau (2) takes the soft mutation. Tri and chwe (3 and 6) would
    /// take the aspirate one, which changes none of the nouns here.
    private static func counted(_ noun: String, soft: String, _ count: Int) -> String {
        count == 2 ? soft : noun
    }

    private static func compass(_ point: CompassPoint) -> String {
        switch point {
        case .north: "gogledd"
        case .northEast: "gogledd-ddwyrain"
        case .east: "dwyrain"
        case .southEast: "de-ddwyrain"
        case .south: "de"
        case .southWest: "de-orllewin"
        case .west: "gorllewin"
        case .northWest: "gogledd-orllewin"
        }
    }

    private static func turn(_ turn: Turn) -> String {
        switch turn {
        case .straight: "Ewch yn syth ymlaen"
        case .slightLeft: "Trowch ychydig i'r chwith"
        case .left: "Trowch i'r chwith"
        case .sharpLeft: "Trowch yn siarp i'r chwith"
        case .slightRight: "Trowch ychydig i'r dde"
        case .right: "Trowch i'r dde"
        case .sharpRight: "Trowch yn siarp i'r dde"
        case .around: "Trowch yn ôl"
        }
    }

    // MARK: Doors, stairs and lifts

    private func door(_ door: Door, _ walk: String?, _ names: DirectionNames) -> String {
        let leaf = door.isAutomatic ? "drwy'r drws awtomatig" : "drwy'r drws"
        let turn = door.turn == .straight ? nil : Self.turn(door.turn)
        // "Ac" stands before a vowel: ewch, ac ewch.
        let go = turn.map { "\($0) ac ewch" } ?? "Ewch"
        switch door.change {
        case .enter(let building):
            return "\(go) i mewn i'r adeilad (\(names.building(building))) \(leaf)\(and(walk))."
        case .leave(let building):
            return "\(go) allan o'r adeilad (\(names.building(building))) \(leaf)\(and(walk))."
        case nil:
            let into = door.room.map { " i gyrraedd \(names.room($0))" } ?? ""
            return "\(go) \(leaf)\(into)\(and(walk))."
        }
    }

    private func climb(_ climb: Climb, _ names: DirectionNames) -> String {
        let name = names.connection(climb.connection).map { " (\($0))" } ?? ""
        let floors =
            climb.floors.map { " \($0) \(Self.counted("llawr", soft: "lawr", $0))" } ?? ""
        let end = climb.floors == nil ? "" : climb.floor.map { " i \(level($0, names))" } ?? ""
        switch climb.kind {
        case .lift, .platformLift:
            let lift = climb.kind == .lift ? "lifft" : "lifft platfform"
            let way = climb.isUp.map { $0 ? " i fynd i fyny" : " i fynd i lawr" } ?? " i fynd"
            return "Defnyddiwch y \(lift)\(name)\(way)\(floors)\(end)"
        case .stairs, .escalator, .ramp:
            let noun =
                switch climb.kind {
                case .stairs: "grisiau"
                case .escalator: "grisiau symudol"
                default: "ramp"
                }
            // The article is 'r behind a vowel.
            let way = climb.isUp.map { $0 ? "i fyny'r" : "i lawr y" } ?? "ar hyd y"
            return "Ewch \(way) \(noun)\(name)\(floors)\(end)"
        }
    }

    private func level(_ floor: FloorID, _ names: DirectionNames) -> String {
        let (level, name) = names.floor(floor)
        return name.map { "lefel \(level) (\($0))" } ?? "lefel \(level)"
    }

    private func arrive(_ arrival: Arrival, _ names: DirectionNames) -> String {
        guard let room = arrival.room.map(names.room) else { return "Rydych wedi cyrraedd." }
        return switch arrival.side {
        case .here: "Rydych wedi cyrraedd: \(room)."
        case .ahead: "Rydych wedi cyrraedd. Mae \(room) o'ch blaen."
        case .left: "Rydych wedi cyrraedd. Mae \(room) ar y chwith."
        case .right: "Rydych wedi cyrraedd. Mae \(room) ar y dde."
        }
    }

    // MARK: Barriers

    public func sentence(_ obstacle: Obstacle) -> String {
        switch obstacle {
        case .nothingNear: "Nid oes ffordd hysbys ger y lle hwnnw."
        case .barriers: "Mae ffyrdd, ond dim un y gallwch ei defnyddio nawr."
        case .noWayOut: "Nid oes ffordd hysbys allan o'r man cychwyn."
        case .noWayIn: "Nid oes ffordd hysbys i'r lle rydych am ei gyrraedd."
        case .apart: "Nid oes ffordd hysbys o'r naill le i'r llall."
        }
    }

    public func sentence(
        _ rule: Barrier.Rule, at barrier: Barrier, _ names: DirectionNames, _ clock: LocalClock
    ) -> String {
        let name = names.connection(barrier.connection).map { " (\($0))" } ?? ""
        // The article is 'r behind a vowel and "yw".
        let thing = Self.kind(barrier.kind) + name
        switch rule {
        case .steps: return "Mae grisiau ar y ffordd\(name): caniatewch risiau."
        case .escalator: return "Mae grisiau symudol ar y ffordd\(name): caniatewch risiau symudol."
        case .avoided: return "Gofynnoch am osgoi'r \(thing)."
        case .inaccessible: return "Ni all olwynion ddefnyddio'r \(thing): dewiswch broffil arall."
        case .tooNarrow(let metres, let needed):
            return "Lled y \(thing) yw \(number(metres)) m, ac mae angen \(number(needed)) m."
        case .tooSteep(let slope, let limit):
            return "Graddiant y \(thing) yw \(percent(slope)) %, a'r terfyn yw \(percent(limit)) %."
        case .kerb(let metres, let limit):
            return
                "Mae cwrb o \(number(metres)) m ar y ffordd\(name), a'r terfyn yw \(number(limit)) m."
        case .surface(let surface):
            return "Wyneb y \(thing) yw \(surface): caniatewch dir rhydd."
        case .unknown(let facts):
            let missing = facts.map(Self.fact).joined(separator: ", ")
            return "Nid oes neb wedi nodi hyn am y \(thing): \(missing)."
        case .outage(let since, let until, let reason):
            let why = reason.map { " (\($0))" } ?? ""
            let end = until.map { " tan \(clock.text($0))" } ?? ""
            return "Nid yw'r \(thing) yn gweithio ers \(clock.text(since))\(end)\(why)."
        case .restricted(let room):
            return "Y tu ôl i'r \(thing) mae \(names.room(room)), nad yw ar agor i'r cyhoedd."
        case .shut(let hours): return "Mae'r \(thing) ar gau bryd hynny; oriau agor: \(hours)."
        }
    }

    private func number(_ value: Double) -> String { decimalText(value, separator: ".") }
    private func percent(_ slope: Double) -> String {
        decimalText(abs(slope) * 100, separator: ".")
    }

    /// Behind the article, which changes feminine nouns only: all of these are masculine or plural.
    private static func kind(_ kind: ConnectionRecord.Kind) -> String {
        switch kind {
        case .walk: "llwybr"
        case .door: "drws"
        case .stairs: "grisiau"
        case .ramp: "ramp"
        case .lift: "lifft"
        case .platformLift: "lifft platfform"
        case .escalator: "grisiau symudol"
        }
    }

    private static func fact(_ fact: UnknownFact.Fact) -> String {
        switch fact {
        case .accessible: "hygyrchedd"
        case .width: "lled"
        case .slope: "graddiant"
        case .kerb: "cwrb"
        }
    }
}
