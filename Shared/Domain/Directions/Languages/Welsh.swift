import Events
import Site
public import Wayfinding

/// Directions in Welsh, in the polite form.
///
/// Names stand where Welsh does not mutate the word that follows ("gan basio", "i gyrraedd",
/// "mae"), or in brackets, since names on signs are to be found as they are written. Nouns behind
/// numbers are singular, and change their first letter behind 2, 3 and 6 as Thomas 1996 ("Gramadeg
/// y Gymraeg") and every school grammar have it.
public struct Welsh: DirectionLanguage {
    public let code = "cy"

    public init() {}

    public func sentence(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        let walk = walk(manoeuvre, names)
        switch manoeuvre.action {
        case .head(let point, let isFromLift):
            let distance = distance(manoeuvre.metres).map { " am \($0)" } ?? ""
            let head = isFromLift ? "Gadewch y lifft ac ewch" : "Ewch"
            return "\(head) tua'r \(Self.compass(point))\(distance)\(path(manoeuvre, names))."
        case .turn(let turn): return "\(Self.turn(turn))\(and(walk))."
        case .door(let door): return self.door(door, walk, names)
        case .cross(.enter(let building)):
            return "Ewch i mewn i'r adeilad\(named(building, names))\(and(walk))."
        case .cross(.leave(let building)):
            return "Gadewch yr adeilad\(named(building, names))\(and(walk))."
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
            "\(room(place.room, names)) ar y \(place.isOnLeft ? "chwith" : "dde")"
        }
        guard !passed.isEmpty else { return along }
        // "A" would change the first letter of the name behind it; "ac yna" (and then) does not.
        return "\(along), gan basio \(passed.joined(separator: " ac yna "))"
    }

    /// By its name, or as what it is, with its article.
    private func room(_ id: RoomID, _ names: DirectionNames) -> String {
        names.named(id) ?? "\(Self.article(names.kind(id))) \(Self.noun(names.kind(id)))"
    }

    /// The same behind a vowel, where the article is 'r: "mae'r coridor", "mae Siop".
    private func roomBehindVowel(_ id: RoomID, _ names: DirectionNames) -> String {
        names.named(id).map { " \($0)" } ?? "'r \(Self.noun(names.kind(id)))"
    }

    /// In brackets; nothing where nobody has named it.
    private func named(_ id: BuildingID, _ names: DirectionNames) -> String {
        names.building(id).map { " (\($0))" } ?? ""
    }

    private static func article(_ kind: SpokenKind) -> String { kind == .room ? "yr" : "y" }

    /// As it stands behind the article.
    private static func noun(_ kind: SpokenKind) -> String {
        switch kind {
        case .corridor: "coridor"
        case .stairs: "grisiau"
        case .lift: "lifft"
        case .escalator: "grisiau symudol"
        case .ramp: "ramp"
        case .toilet: "toiled"
        case .lobby: "cyntedd"
        case .platform: "platfform"
        case .room: "ystafell"
        }
    }

    public func title(_ kind: SpokenKind) -> String {
        Self.noun(kind).prefix(1).uppercased() + Self.noun(kind).dropFirst()
    }

    private func distance(_ metres: Double) -> String? {
        switch SpokenDistance(metres: metres) {
        case .metres(let count): "\(count) \(Self.counted("metr", soft: "fetr", count))"
        case .tenthsOfKilometre(let tenths):
            "\(decimalText(Double(tenths) / 10, separator: ".")) km"
        case nil: nil
        }
    }

    /// A masculine noun behind a number: dau (2) takes the soft mutation. Tri and chwe (3 and 6)
    /// would take the aspirate one, which changes none of the nouns here.
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
            return "\(go) i mewn i'r adeilad\(named(building, names)) \(leaf)\(and(walk))."
        case .leave(let building):
            return "\(go) allan o'r adeilad\(named(building, names)) \(leaf)\(and(walk))."
        case nil:
            let into = door.room.map { " i gyrraedd \(room($0, names))" } ?? ""
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
        if let near = arrival.approximate { return nearby(near, names) }
        guard let id = arrival.room else { return "Rydych wedi cyrraedd." }
        let room = roomBehindVowel(id, names)
        return switch arrival.side {
        case .here: "Rydych wedi cyrraedd: \(self.room(id, names))."
        case .ahead: "Rydych wedi cyrraedd. Mae\(room) o'ch blaen."
        case .left: "Rydych wedi cyrraedd. Mae\(room) ar y chwith."
        case .right: "Rydych wedi cyrraedd. Mae\(room) ar y dde."
        }
    }

    // MARK: Ends that are not known

    public func sentence(startingNear near: ApproximateEnd, _ names: DirectionNames) -> String {
        let distance = distance(near.straightMetres).map { ", tua \($0) i ffwrdd" } ?? ""
        return "Nid yw'r ffordd allan yn hysbys (\(place(near, names))): mae hyn yn dechrau ar y "
            + "ffordd hysbys agosaf\(distance)."
    }

    private func nearby(_ near: ApproximateEnd, _ names: DirectionNames) -> String {
        let why =
            near.missing == .way
            ? "nid yw'r ffordd i mewn yn hysbys" : "nid oes drws hysbys"
        let distance =
            distance(near.straightMetres).map { ", tua \($0) i ffwrdd mewn llinell syth" } ?? ""
        return "Nid oes ffordd hysbys yn nes at y lle (\(place(near, names))\(distance)): \(why)."
    }

    private func place(_ near: ApproximateEnd, _ names: DirectionNames) -> String {
        near.room.map { room($0, names) } ?? near.building.flatMap(names.building) ?? "yr adeilad"
    }

    // MARK: Barriers

    public func sentence(_ obstacle: Obstacle) -> String {
        switch obstacle {
        case .nothingNear: "Nid oes ffordd hysbys ger y lle hwnnw."
        case .noEntrance: "Nid oes drws hysbys i'r awyr agored."
        case .barriers: "Mae ffyrdd, ond dim un y gallwch ei defnyddio nawr."
        case .noWayOut: "Nid oes ffordd hysbys allan o'r man cychwyn."
        case .noWayIn: "Nid oes ffordd hysbys i'r lle rydych am ei gyrraedd."
        case .apart: "Nid oes ffordd hysbys o'r naill le i'r llall."
        }
    }

    public func sentence(
        _ rule: Barrier.Rule, at barrier: Barrier, _ names: DirectionNames, _ clock: LocalClock
    ) -> String {
        let name = place(of: barrier, names)
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
            return "Y tu ôl i'r \(thing) mae\(roomBehindVowel(room, names)), "
                + "nad yw ar agor i'r cyhoedd."
        case .shut(let hours, let room):
            let shut = room.map { roomBehindVowel($0, names) } ?? "'r \(thing)"
            return
                "Mae\(shut) ar gau bryd hynny; oriau agor: \(spokenHours(hours, Self.hours))."
        }
    }

    /// In brackets the name, or the rooms on both sides of a door, and the level; a lift is on
    /// many.
    private func place(of barrier: Barrier, _ names: DirectionNames) -> String {
        var parts: [String] = []
        if let name = names.connection(barrier.connection) {
            parts.append(name)
        } else if barrier.kind == .door, !barrier.rooms.isEmpty {
            parts.append(barrier.rooms.prefix(2).map { room($0, names) }.joined(separator: " / "))
        }
        if let floor = barrier.floor, barrier.kind != .lift { parts.append(level(floor, names)) }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }

    private static let hours = HoursWords(
        weekdays: [
            "dydd Llun", "dydd Mawrth", "dydd Mercher", "dydd Iau", "dydd Gwener",
            "dydd Sadwrn", "dydd Sul",
        ],
        // "I" (to) takes the soft mutation.
        lastWeekdays: [
            "ddydd Llun", "ddydd Mawrth", "ddydd Mercher", "ddydd Iau", "ddydd Gwener",
            "ddydd Sadwrn", "ddydd Sul",
        ],
        months: [
            "Ionawr", "Chwefror", "Mawrth", "Ebrill", "Mai", "Mehefin", "Gorffennaf", "Awst",
            "Medi", "Hydref", "Tachwedd", "Rhagfyr",
        ],
        toDay: " i ", toHour: " tan ", fromHour: "o ", and: " ac ", daily: "bob dydd",
        allDay: "bob awr", closed: "ar gau")

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
