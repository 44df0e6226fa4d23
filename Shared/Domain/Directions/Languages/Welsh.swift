import Events
import Site
public import Wayfinding

/// Directions in Welsh, in the polite form.
///
/// Names keep the spelling of their signs. So they stand in brackets, or after words that cause no
/// mutation ("gan basio", "i gyrraedd", "mae"). Nouns after numbers are singular. They change their
/// first letter after 2, 3 and 6 (Thomas 1996, "Gramadeg y Gymraeg").
public struct Welsh: DirectionLanguage {
    public let code = "cy"

    public init() {}

    func plain(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        let walk = walk(manoeuvre, names)
        switch manoeuvre.action {
        case .head(let point, let isFromLift):
            let distance = distance(manoeuvre.metres).map { " am \($0)" } ?? ""
            let head = isFromLift ? "Gadewch y lifft ac ewch" : "Ewch"
            let along = along(manoeuvre, names).map { " ar hyd \($0)" } ?? ""
            return "\(head) tua'r \(Self.compass(point))\(distance)\(along)"
                + "\(passing(manoeuvre, names))."
        case .turn(let turn): return "\(Self.turn(turn))\(and(walk))."
        case .door(let door): return self.door(door, then(walk, manoeuvre), names)
        case .cross(.enter(let building)):
            let go = manoeuvre.turn.map { "\(Self.turn($0)) ac ewch" } ?? "Ewch"
            return
                "\(go) i mewn i'r adeilad\(named(building, names))\(then(walk, manoeuvre))."
        case .cross(.leave(let building)):
            let leave = manoeuvre.turn.map { "\(Self.turn($0)) a gadewch" } ?? "Gadewch"
            return "\(leave) yr adeilad\(named(building, names))\(then(walk, manoeuvre))."
        case .climb(let climb): return "\(self.climb(climb, names))\(and(walk))."
        case .arrive(let arrival): return arrive(arrival, names)
        }
    }

    // MARK: Walking

    /// "A" (and) takes the aspirate mutation: cerddwch, a cherddwch.
    private func and(_ walk: String?) -> String {
        walk.map { " a \($0.hasPrefix("c") ? "ch" + $0.dropFirst() : $0)" } ?? ""
    }

    /// The walk after the thing before it, as a sentence of its own if it is long.
    private func then(_ walk: String?, _ manoeuvre: Manoeuvre) -> String {
        guard let walk, !manoeuvre.landmarks.isEmpty else { return and(walk) }
        return ". \(walk.prefix(1).uppercased() + walk.dropFirst())"
    }

    private func walk(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String? {
        guard let distance = distance(manoeuvre.metres) else { return nil }
        let (along, passing) = (along(manoeuvre, names), passing(manoeuvre, names))
        guard let along else { return "cerddwch \(distance)\(passing)" }
        return manoeuvre.staysAlong
            ? "daliwch i gerdded ar hyd \(along) am \(distance)\(passing)"
            : "cerddwch \(distance) ar hyd \(along)\(passing)"
    }

    private func along(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String? {
        manoeuvre.along.flatMap(names.connection)
    }

    private func passing(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        let passed = passedSides(manoeuvre).map { rooms, isOnLeft in
            "\(rooms.map { room($0, names) }.joined(separator: " ac yna ")) "
                + "ar y \(isOnLeft ? "chwith" : "dde")"
        }
        // The word "a" would change the first letter of the name after it; "ac yna" (and then) does
        // not.
        return passed.isEmpty ? "" : ", gan basio \(passed.joined(separator: " ac yna "))"
    }

    /// The room's name, or else its kind with an article.
    func room(_ id: RoomID, _ names: DirectionNames) -> String {
        names.named(id) ?? "\(Self.article(names.kind(id))) \(Self.noun(names.kind(id)))"
    }

    /// The room's name, or else its kind, after a vowel. The article is then 'r: "mae'r coridor",
    /// but "mae Siop".
    func roomBehindVowel(_ id: RoomID, _ names: DirectionNames) -> String {
        names.named(id).map { " \($0)" } ?? "'r \(Self.noun(names.kind(id)))"
    }

    /// The building's name in brackets; empty if it has none.
    private func named(_ id: BuildingID, _ names: DirectionNames) -> String {
        Self.bracketed(names.building(id))
    }

    /// A name in brackets, after a space. Brackets of its own become commas.
    static func bracketed(_ name: String?) -> String {
        guard let name else { return "" }
        let parts = name.replacing(" (", with: ", ").split { $0 == "(" || $0 == ")" }
        return " (\(parts.joined()))"
    }

    static func article(_ kind: SpokenKind) -> String { kind == .room ? "yr" : "y" }

    /// The noun in the form that it has after the article.
    static func noun(_ kind: SpokenKind) -> String {
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

    func distance(_ metres: Double) -> String? {
        switch SpokenDistance(metres: metres) {
        case .metres(let count): "\(count) \(Self.counted("metr", soft: "fetr", count))"
        case .tenthsOfKilometre(let tenths):
            "\(decimalText(Double(tenths) / 10, separator: ".")) km"
        case nil: nil
        }
    }

    /// A masculine noun after a number: dau (2) causes the soft mutation. Tri and chwe (3 and 6)
    /// cause the aspirate one, which changes none of the nouns here.
    static func counted(_ noun: String, soft: String, _ count: Int) -> String {
        count == 2 ? soft : noun
    }

    static func compass(_ point: CompassPoint) -> String {
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

    /// - Parameter then: the walk after the door.
    private func door(_ door: Door, _ then: String, _ names: DirectionNames) -> String {
        let leaf = leaf(door, names)
        let turn = door.turn == .straight ? nil : Self.turn(door.turn)
        // Before a vowel "a" (and) becomes "ac": ac ewch.
        let go = turn.map { "\($0) ac ewch" } ?? "Ewch"
        let into = door.room.map { " i gyrraedd \(behind($0, names))" } ?? ""
        switch (door.change, door.leadsIn) {
        case (.enter(let building), _):
            return "\(go) i mewn i'r adeilad\(named(building, names)) \(leaf)\(then)."
        case (.leave(let building), _):
            return "\(go) allan o'r adeilad\(named(building, names)) \(leaf)\(then)."
        case (nil, let leadsIn?):
            return
                "\(go) \(leadsIn ? "i mewn" : "allan") \(leaf)\(leadsIn ? into : "")\(then)."
        case (nil, nil):
            if door.isFromLift { return "Gadewch y lifft\(into)\(then)." }
            if door.isGap, !into.isEmpty { return "\(go) ymlaen\(into)\(then)." }
            return "\(go) \(leaf)\(into)\(then)."
        }
    }

    /// The door with its own name in brackets, if it has one.
    private func leaf(_ door: Door, _ names: DirectionNames) -> String {
        let name = Self.bracketed(names.connection(door.connection))
        return "drwy'r \(Self.door(door.isAutomatic, door.leaf))\(name)"
    }

    /// The room behind a door. A room without a name and a kind of its own is the next room.
    func behind(_ id: RoomID, _ names: DirectionNames) -> String {
        names.named(id) ?? (names.kind(id) == .room ? "yr ystafell nesaf" : room(id, names))
    }

    func climb(_ climb: Climb, _ names: DirectionNames) -> String {
        let name = Self.bracketed(names.connection(climb.connection))
        let floors =
            climb.floors.map { " \($0) \(Self.counted("llawr", soft: "lawr", $0))" } ?? ""
        let end = climb.floors == nil ? "" : climb.floor.map { " i \(level($0, names))" } ?? ""
        switch climb.kind {
        case .lift, .platformLift:
            let lift = climb.kind == .lift ? "lifft" : "lifft platfform"
            let way = climb.isUp.map { $0 ? " i fynd i fyny" : " i fynd i lawr" } ?? " i fynd"
            guard let turn = climb.turn, turn != .straight else {
                return "Defnyddiwch y \(lift)\(name)\(way)\(floors)\(end)"
            }
            return "\(Self.turn(turn)) a defnyddiwch y \(lift)\(name)\(way)\(floors)\(end)"
        case .stairs, .escalator, .ramp:
            let noun =
                switch climb.kind {
                case .stairs: "grisiau"
                case .escalator: "grisiau symudol"
                default: "ramp"
                }
            guard let isUp = climb.isUp else { return "Defnyddiwch y \(noun)\(name)" }
            // After a vowel the article is 'r.
            return "Ewch \(isUp ? "i fyny'r" : "i lawr y") \(noun)\(name)\(floors)\(end)"
        }
    }

    private func level(_ floor: FloorID, _ names: DirectionNames) -> String {
        let (level, name) = names.floor(floor)
        return name.map { "lefel \(level) (\($0))" } ?? "lefel \(level)"
    }

    func arrive(_ arrival: Arrival, _ names: DirectionNames) -> String {
        let own = names.asked(arrival.asked)
        if let near = arrival.approximate { return nearby(near, own ?? place(near, names)) }
        if case .location = arrival.asked, let own { return "Rydych wedi cyrraedd: \(own)." }
        guard let id = arrival.room else {
            if arrival.isWayOut { return "Rydych wedi cyrraedd: rydych chi y tu allan." }
            if let thing = arrival.thing { return "Rydych wedi cyrraedd: y \(Self.kind(thing))." }
            return own.map { "Rydych wedi cyrraedd: \($0)." } ?? "Rydych wedi cyrraedd."
        }
        let name = names.named(id)
        let asked = name == nil || name == own ? "" : own.map { " (\($0))" } ?? ""
        let unnamed = name == nil ? own : nil
        let room = (unnamed.map { " \($0)" } ?? roomBehindVowel(id, names)) + asked
        return switch arrival.side {
        case .here: "Rydych wedi cyrraedd: \(unnamed ?? self.room(id, names))\(asked)."
        case .ahead: "Rydych wedi cyrraedd. Mae\(room) o'ch blaen."
        case .left: "Rydych wedi cyrraedd. Mae\(room) ar y chwith."
        case .right: "Rydych wedi cyrraedd. Mae\(room) ar y dde."
        }
    }

    // MARK: Ends without a way

    public func sentence(startingNear near: ApproximateEnd, _ names: DirectionNames) -> String {
        let distance = distance(near.straightMetres).map { ", tua \($0) i ffwrdd" } ?? ""
        let place = place(near, names).map { " (\($0))" } ?? ""
        return "Nid yw'r ffordd allan\(place) ar y map. Mae'r cyfarwyddiadau hyn yn "
            + "dechrau ar y llwybr agosaf\(distance)."
    }

    private func nearby(_ near: ApproximateEnd, _ place: String?) -> String {
        let why =
            near.missing == .way
            ? "nid yw'r map yn dangos ffordd i mewn" : "nid yw'r map yn dangos drws"
        let distance =
            distance(near.straightMetres).map { "tua \($0) i ffwrdd mewn llinell syth" }
        let facts = [place, distance].compactMap { $0 }.joined(separator: ", ")
        return "Ni all y map fynd â chi'n nes at y lle\(facts.isEmpty ? "" : " (\(facts))"): "
            + "\(why)."
    }

    private func place(_ near: ApproximateEnd, _ names: DirectionNames) -> String? {
        near.room.map { room($0, names) } ?? near.building.flatMap(names.building)
    }

    // MARK: Barriers

    public func sentence(_ obstacle: Obstacle) -> String {
        switch obstacle {
        case .nothingNear: "Nid yw'r map yn dangos llwybr ger y lle hwnnw."
        case .noEntrance: "Nid yw'r map yn dangos drws i'r awyr agored."
        case .barriers: "Mae llwybrau, ond ni allwch ddefnyddio'r un ohonynt nawr."
        case .noWayOut: "Nid yw'r map yn dangos ffordd allan o'r man cychwyn."
        case .noWayIn: "Nid yw'r map yn dangos ffordd i'ch cyrchfan."
        case .apart: "Nid yw'r map yn dangos ffordd o'r naill le i'r llall."
        }
    }

    public func sentence(
        _ rule: Barrier.Rule, at barrier: Barrier, _ names: DirectionNames, _ clock: LocalClock
    ) -> String {
        let name = place(of: barrier, but: rule.closedRoom, names)
        // After a vowel, as in "yw", the article is 'r.
        let thing = Self.kind(barrier.kind) + name
        let isKnown = !name.isEmpty || !barrier.isCommon
        switch rule {
        case .steps, .escalator:
            return "Mae'r ffordd yn mynd dros y \(thing), ac nid yw'r map yn dangos ffordd arall."
        case .avoided: return "Gofynnoch am osgoi'r \(thing)."
        case .inaccessible:
            return "Nid yw'r \(thing) yn addas ar gyfer olwynion, ac nid yw'r map yn "
                + "dangos ffordd o'i amgylch."
        case .tooNarrow(let metres, let needed):
            return "Lled y \(thing) yw \(number(metres)) m, ond mae angen \(number(needed)) m."
        case .tooSteep(let slope, let limit):
            return "Graddiant y \(thing) yw \(percent(slope)) %, a'r terfyn yw \(percent(limit)) %."
        case .kerb(let metres, let limit):
            return "Mae cwrb o \(number(metres)) m ar y ffordd\(name), a'r terfyn yw "
                + "\(number(limit)) m."
        case .surface: return "Mae wyneb y \(thing) yn rhydd."
        case .unknown(let facts):
            let missing = facts.map(Self.fact).joined(separator: ", ")
            return "Nid yw'r map yn dangos hyn am y \(thing): \(missing). Gofynnwch i rywun yno "
                + "a allwch ei ddefnyddio."
        case .outage(let since, let until, let reason):
            let why = reason.map { " (\($0))" } ?? ""
            let text = { (moment: Timestamp) in clock.text(moment, Self.dates) }
            let time =
                until.map { "o \(text(since)) tan \(text($0))" }
                ?? "ers \(text(since))"
            return "Nid yw'r \(thing) yn gweithio \(time)\(why)."
        case .restricted(let room):
            return "Y tu ôl i'r \(thing) mae\(roomBehindVowel(room, names)), "
                + "nad yw ar agor i'r cyhoedd."
        case .shut(let hours, let room):
            let shut =
                room.map { roomBehindVowel($0, names) }
                ?? (isKnown ? "'r \(thing)" : " \(thing) ar y ffordd")
            return sentence(shut: shut, hours)
        }
    }

    /// The name, or else the rooms on both sides of a door, with the level, in brackets. A lift has
    /// many levels, so none is named.
    ///
    /// - Parameter but: a room that the sentence names itself.
    private func place(
        of barrier: Barrier, but known: RoomID?, _ names: DirectionNames
    ) -> String {
        var parts: [String] = []
        let rooms = barrier.rooms.filter { $0 != known }
        if let name = names.connection(barrier.connection) {
            parts.append(name)
        } else if barrier.kind == .door, !rooms.isEmpty {
            parts.append(rooms.prefix(2).map { room($0, names) }.joined(separator: " / "))
        }
        let levels = barrier.kind == .lift ? [] : names.levels(of: barrier.connection)
        if let low = levels.first, let high = levels.last {
            parts.append("\(level(low, names)) – \(level(high, names))")
        } else if let floor = barrier.floor, barrier.kind != .lift {
            parts.append(level(floor, names))
        }
        return Self.bracketed(parts.isEmpty ? nil : parts.joined(separator: ", "))
    }

    static let dates = DateWords(months: hours.months)

    static let hours = HoursWords(
        weekdays: [
            "dydd Llun", "dydd Mawrth", "dydd Mercher", "dydd Iau", "dydd Gwener",
            "dydd Sadwrn", "dydd Sul",
        ],
        // The names of the days after "i" (to), which causes the soft mutation.
        lastWeekdays: [
            "ddydd Llun", "ddydd Mawrth", "ddydd Mercher", "ddydd Iau", "ddydd Gwener",
            "ddydd Sadwrn", "ddydd Sul",
        ],
        months: [
            "Ionawr", "Chwefror", "Mawrth", "Ebrill", "Mai", "Mehefin", "Gorffennaf", "Awst",
            "Medi", "Hydref", "Tachwedd", "Rhagfyr",
        ],
        toDay: " i ", toHour: " tan ", fromHour: "o ", and: " ac ", daily: "bob dydd",
        allDay: "24 awr", closed: "ar gau")

    private func number(_ value: Double) -> String { decimalText(value, separator: ".") }
    private func percent(_ slope: Double) -> String {
        decimalText(abs(slope) * 100, separator: ".")
    }

    /// The noun in the form that it has after the article, which changes feminine nouns only. All
    /// of these are masculine or plural.
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
