import Events
import Site
public import Wayfinding

/// Directions in German, in the polite form.
///
/// Names stand in quotation marks without an article, since their gender and case are unknown.
public struct German: DirectionLanguage {
    public let code = "de"

    public init() {}

    public func sentence(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        let walk = walk(manoeuvre, names)
        switch manoeuvre.action {
        case .head(let point, let isFromLift):
            let distance = distance(manoeuvre.metres).map { " \($0)" } ?? ""
            let head = isFromLift ? "Verlassen Sie den Aufzug und gehen Sie" : "Gehen Sie"
            return "\(head)\(distance) nach \(Self.compass(point))\(path(manoeuvre, names))."
        case .turn(.straight):
            let distance = distance(manoeuvre.metres).map { " \($0)" } ?? ""
            return "Gehen Sie\(distance) geradeaus weiter\(path(manoeuvre, names))."
        case .turn(let turn): return "\(Self.turn(turn))\(and(walk))."
        case .door(let door):
            let onward = distance(manoeuvre.metres).map { "\($0) weiter\(path(manoeuvre, names))" }
            return self.door(door, walk, onward: onward, names)
        case .cross(.enter(let building)):
            return "Betreten Sie \(self.building(building, names))\(and(walk))."
        case .cross(.leave(let building)):
            return "Verlassen Sie \(self.building(building, names))\(and(walk))."
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
        let preposition = manoeuvre.staysAlong ? "weiter auf" : "auf"
        let along =
            manoeuvre.along.flatMap(names.connection).map { " \(preposition) „\($0)“" } ?? ""
        let passed = passedSides(manoeuvre).map { rooms, isOnLeft in
            let names = rooms.map { room($0, .dative, names) }.joined(separator: " und ")
            return "\(names) auf der \(isOnLeft ? "linken" : "rechten") Seite"
        }
        return passed.isEmpty ? along : "\(along), vorbei an \(passed.joined(separator: " und "))"
    }

    enum Case { case nominative, accusative, dative }

    /// The room's name, or else its kind with an article.
    func room(_ id: RoomID, _ wanted: Case, _ names: DirectionNames) -> String {
        if let name = names.named(id) { return "„\(name)“" }
        let (article, noun) = Self.noun(names.kind(id))
        let articles =
            switch article {
            case "der": ["der", "den", "dem"]
            case "die": ["die", "die", "der"]
            default: ["das", "das", "dem"]
            }
        let form =
            switch wanted {
            case .nominative: articles[0]
            case .accusative: articles[1]
            case .dative: articles[2]
            }
        return "\(form) \(noun)"
    }

    func building(_ id: BuildingID, _ names: DirectionNames) -> String {
        names.building(id).map { "„\($0)“" } ?? "das Gebäude"
    }

    static func capitalised(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    static func noun(_ kind: SpokenKind) -> (article: String, noun: String) {
        switch kind {
        case .corridor: ("der", "Flur")
        case .stairs: ("das", "Treppenhaus")
        case .lift: ("der", "Aufzug")
        case .escalator: ("die", "Rolltreppe")
        case .ramp: ("die", "Rampe")
        case .toilet: ("die", "Toilette")
        case .lobby: ("die", "Eingangshalle")
        case .platform: ("der", "Bahnsteig")
        case .room: ("der", "Raum")
        }
    }

    public func title(_ kind: SpokenKind) -> String { Self.noun(kind).noun }

    /// The word "Meter" has the same form for one and for many.
    func distance(_ metres: Double) -> String? {
        switch SpokenDistance(metres: metres) {
        case .metres(let count): "\(count) Meter"
        case .tenthsOfKilometre(let tenths): "\(number(Double(tenths) / 10)) km"
        case nil: nil
        }
    }

    static func compass(_ point: CompassPoint) -> String {
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

    /// - Parameters:
    ///   - walk: the walk after the door, as a clause with its own verb.
    ///   - onward: the same walk without a verb, for a sentence that already has "gehen".
    private func door(
        _ door: Door, _ walk: String?, onward: String?, _ names: DirectionNames
    ) -> String {
        let leaf = leaf(door, names)
        let turn = door.turn == .straight ? nil : Self.turn(door.turn)
        func verb(_ start: String, _ inside: String) -> String {
            turn.map { "\($0)\(walk == nil ? " und" : ",") \(inside)" } ?? start
        }
        let into = door.room.map { " \(self.into($0, names))" } ?? ""
        let on = onward.map { " und dann \($0)" } ?? ""
        switch (door.change, door.leadsIn) {
        case (.enter(let id), _):
            let building = building(id, names)
            return "\(verb("Betreten", "betreten")) Sie \(building) \(leaf)\(and(walk))."
        case (.leave(let id), _):
            let building = building(id, names)
            return "\(verb("Verlassen", "verlassen")) Sie \(building) \(leaf)\(and(walk))."
        case (nil, let leadsIn?):
            let place = leadsIn ? (into.isEmpty ? " hinein" : into) : " ins Freie"
            return "\(verb("Gehen", "gehen")) Sie \(leaf)\(place)\(on)."
        case (nil, nil):
            if door.isFromLift {
                return
                    "Verlassen Sie den Aufzug\(into.isEmpty ? "" : " und gehen Sie\(into)")\(on)."
            }
            if door.isGap, !into.isEmpty {
                let ahead = onward == nil ? " weiter" : ""
                return "\(verb("Gehen", "gehen")) Sie\(ahead)\(into)\(on)."
            }
            return "\(verb("Gehen", "gehen")) Sie \(leaf)\(into)\(on)."
        }
    }

    /// The door with its own name, if it has one.
    private func leaf(_ door: Door, _ names: DirectionNames) -> String {
        let name = names.connection(door.connection).map { " „\($0)“" } ?? ""
        return door.isAutomatic ? "durch die automatische Tür\(name)" : "durch die Tür\(name)"
    }

    /// The room behind a door, with its preposition.
    func into(_ id: RoomID, _ names: DirectionNames) -> String {
        guard names.named(id) == nil else { return "in \(room(id, .accusative, names))" }
        let (article, noun) = Self.noun(names.kind(id))
        if noun == "Raum" { return "in den nächsten Raum" }
        return article == "das" ? "ins \(noun)" : "in \(room(id, .accusative, names))"
    }

    func climb(_ climb: Climb, _ names: DirectionNames) -> String {
        let name = names.connection(climb.connection).map { " „\(Self.mark($0))“" } ?? ""
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
        let ride = "\(thing)\(name)\(floors)\(way)\(end)"
        guard let turn = climb.turn, turn != .straight else { return ride }
        return "\(Self.turn(turn)) und n\(ride.dropFirst())"
    }

    /// Removes the kind from a name, such as "Aufzug" from "Aufzug B", since the sentence already
    /// has the kind before the name.
    private static func mark(_ name: String) -> String {
        for noun in ["Aufzug ", "Lift ", "Fahrstuhl ", "Treppe ", "Rolltreppe "]
        where name.hasPrefix(noun) && name.count > noun.count {
            return String(name.dropFirst(noun.count))
        }
        return name
    }

    private func level(_ floor: FloorID, _ names: DirectionNames) -> String {
        let (level, name) = names.floor(floor)
        return name.map { "Ebene \(level) (\($0))" } ?? "Ebene \(level)"
    }

    func arrive(_ arrival: Arrival, _ names: DirectionNames) -> String {
        let entry = arrival.entry.flatMap(names.entry)
        if let near = arrival.approximate {
            return nearby(near, entry.map { "„\($0)“" } ?? place(near, names))
        }
        guard let id = arrival.room else {
            if arrival.isWayOut { return "Sie sind am Ziel: Sie sind im Freien." }
            return entry.map { "Sie sind am Ziel: „\($0)“." } ?? "Sie sind am Ziel."
        }
        let name = names.named(id)
        let asked = name == nil || name == entry ? "" : entry.map { " („\($0)“)" } ?? ""
        let room = name == nil ? entry.map { "„\($0)“" } : nil
        // The colon spares the verb, whose number would depend on the name: Toiletten.
        let place =
            "Sie sind am Ziel: \(room ?? self.room(id, .nominative, names))\(asked)"
        return switch arrival.side {
        case .here: "\(place)."
        case .ahead: "\(place), vor Ihnen."
        case .left: "\(place), links von Ihnen."
        case .right: "\(place), rechts von Ihnen."
        }
    }

    // MARK: Ends without a way

    public func sentence(startingNear near: ApproximateEnd, _ names: DirectionNames) -> String {
        let distance = distance(near.straightMetres).map { ", etwa \($0) entfernt" } ?? ""
        return "Auf der Karte fehlt der Weg hinaus (\(place(near, names))). Die Wegbeschreibung "
            + "beginnt am nächstgelegenen Weg\(distance)."
    }

    private func nearby(_ near: ApproximateEnd, _ place: String) -> String {
        let missing = near.missing == .way ? "ein Weg" : "eine Tür"
        let distance =
            distance(near.straightMetres).map { ", etwa \($0) Luftlinie entfernt" } ?? ""
        return "Näher heran führt die Wegbeschreibung nicht: Auf der Karte fehlt \(missing) zum "
            + "Ziel (\(place)\(distance))."
    }

    private func place(_ near: ApproximateEnd, _ names: DirectionNames) -> String {
        near.room.map { room($0, .nominative, names) } ?? near.building.map { building($0, names) }
            ?? "der Ort"
    }

    // MARK: Barriers

    public func sentence(_ obstacle: Obstacle) -> String {
        switch obstacle {
        case .nothingNear: "Die Karte zeigt in der Nähe dieses Ortes keinen Weg."
        case .noEntrance: "Die Karte zeigt keine Tür nach draußen."
        case .barriers: "Es gibt Wege, aber keinen, den Sie jetzt nutzen können."
        case .noWayOut: "Die Karte zeigt keinen Weg aus dem Startort hinaus."
        case .noWayIn: "Die Karte zeigt keinen Weg zum Ziel."
        case .apart: "Die Karte zeigt keinen Weg zwischen den beiden Orten."
        }
    }

    public func sentence(
        _ rule: Barrier.Rule, at barrier: Barrier, _ names: DirectionNames, _ clock: LocalClock
    ) -> String {
        let (article, noun) = Self.kind(barrier.kind)
        let dativeArticle = article == "Die" ? "der" : "dem"
        let name = names.connection(barrier.connection)
        let isWhole = name.map { Self.mark($0) != $0 || $0.contains(noun) } ?? false
        let called = name.map { " „\($0)“" } ?? ""
        let place = place(of: barrier, names)
        let thing =
            (isWhole || barrier.kind == .walk && name != nil
                ? String(called.dropFirst()) : "\(article) \(noun)\(called)") + place
        let accusativeArticle = article == "Der" ? "den" : article.lowercased()
        let accusative = "\(accusativeArticle) \(noun)\(called)\(place)"
        let dative = "\(dativeArticle) \(noun)\(called)\(place)"
        switch rule {
        case .steps, .escalator:
            return "Der Weg führt über \(accusative); die Karte zeigt keinen anderen."
        case .avoided: return "\(thing) liegt auf dem Weg, aber Sie wollten das vermeiden."
        case .inaccessible:
            return "\(thing) ist mit Rädern nicht nutzbar; die Karte zeigt keinen Weg darum herum."
        case .tooNarrow(let metres, let needed):
            return "\(thing) ist \(number(metres)) m breit, aber Sie brauchen \(number(needed)) m."
        case .tooSteep(let slope, let limit):
            return "\(thing) hat \(percent(slope)) % Steigung; Ihre Grenze ist \(percent(limit)) %."
        case .kerb(let metres, let limit):
            return
                "\(thing) hat eine Kante von \(number(metres)) m; Ihre Grenze ist "
                + "\(number(limit)) m."
        case .surface: return "\(thing) hat einen losen Belag."
        case .unknown(let facts):
            let missing = facts.map(Self.fact).joined(separator: ", ")
            return
                "\(thing): Auf der Karte fehlen Angaben (\(missing)). Fragen Sie vor Ort, ob "
                + "Sie den Weg nutzen können."
        case .outage(let since, let until, let reason):
            let why = reason.map { " (\($0))" } ?? ""
            let time =
                until.map { "von \(clock.text(since)) bis \(clock.text($0))" }
                ?? "seit \(clock.text(since))"
            return "\(thing) ist \(time) außer Betrieb\(why)."
        case .restricted(let room):
            let room = Self.capitalised(self.room(room, .nominative, names))
            return "\(room) hinter \(dative) ist nicht öffentlich zugänglich."
        case .shut(let hours, let room):
            let shut = room.map { Self.capitalised(self.room($0, .nominative, names)) } ?? thing
            guard isEverOpen(hours) else { return "\(shut) ist geschlossen." }
            return "\(shut) ist zu dieser Zeit geschlossen. Öffnungszeiten: "
                + "\(spokenHours(hours, Self.hours))."
        }
    }

    /// The rooms on both sides of a door without a name, and the level. A lift has many levels, so
    /// none is named.
    private func place(of barrier: Barrier, _ names: DirectionNames) -> String {
        let rooms = barrier.rooms.map { room($0, .dative, names) }
        var place = ""
        if names.connection(barrier.connection) == nil, barrier.kind == .door {
            switch rooms.count {
            case 0: break
            case 1: place = " zu \(rooms[0])"
            default: place = " zwischen \(rooms[0]) und \(rooms[1])"
            }
        }
        let levels = barrier.kind == .lift ? [] : names.levels(of: barrier.connection)
        if let low = levels.first, let high = levels.last {
            place += " zwischen \(level(low, names)) und \(level(high, names))"
        } else if let floor = barrier.floor, barrier.kind != .lift {
            place += " auf \(level(floor, names))"
        }
        return place
    }

    static let hours = HoursWords(
        weekdays: weekdays, lastWeekdays: weekdays,
        months: [
            "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
            "Oktober", "November", "Dezember",
        ],
        toDay: " bis ", toHour: " bis ", fromHour: "", and: " und ", daily: "täglich",
        allDay: "rund um die Uhr", closed: "geschlossen")
    private static let weekdays = [
        "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag",
    ]

    private func number(_ value: Double) -> String { decimalText(value, separator: ",") }
    private func percent(_ slope: Double) -> String {
        decimalText(abs(slope) * 100, separator: ",")
    }

    private static func kind(
        _ kind: ConnectionRecord.Kind
    ) -> (article: String, noun: String) {
        switch kind {
        case .walk: ("Der", "Weg")
        case .door: ("Die", "Tür")
        case .stairs: ("Die", "Treppe")
        case .ramp: ("Die", "Rampe")
        case .lift: ("Der", "Aufzug")
        case .platformLift: ("Der", "Plattformlift")
        case .escalator: ("Die", "Rolltreppe")
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
