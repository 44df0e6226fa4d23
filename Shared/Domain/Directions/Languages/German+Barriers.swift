import Events
import Site
public import Wayfinding

/// Barriers in German.
extension German {
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
        let place = place(of: barrier, but: rule.closedRoom, names)
        let isKnown = name != nil || !place.isEmpty || !barrier.isCommon
        let thing =
            isWhole || barrier.kind == .walk && name != nil
            ? String(called.dropFirst()) + place
            : isKnown
                ? "\(article) \(noun)\(called)\(place)"
                : "\(article == "Die" ? "Eine" : "Ein") \(noun) auf der Strecke"
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
            let text = { (moment: Timestamp) in clock.text(moment, Self.dates) }
            let time =
                until.map { "von \(text(since)) Uhr bis \(text($0)) Uhr" }
                ?? "seit \(text(since)) Uhr"
            return "\(thing) ist \(time) außer Betrieb\(why)."
        case .restricted(let room):
            let room = Self.capitalised(self.room(room, .nominative, names))
            return "\(room) hinter \(dative) ist nicht öffentlich zugänglich."
        case .shut(let hours, let room):
            let shut = room.map { Self.capitalised(self.room($0, .nominative, names)) } ?? thing
            return sentence(shut: shut, hours)
        }
    }

    /// The rooms on both sides of a door without a name, and the level. A lift has many levels, so
    /// none is named.
    ///
    /// - Parameter but: a room that the sentence names itself.
    private func place(
        of barrier: Barrier, but known: RoomID?, _ names: DirectionNames
    ) -> String {
        let rooms = barrier.rooms.filter { $0 != known }.map { room($0, .dative, names) }
        var place = ""
        if names.connection(barrier.connection) == nil, barrier.kind == .door {
            switch rooms.count {
            case 0: break
            case 1: place = " \(known == nil ? "zu" : "von") \(rooms[0])"
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

    static let dates = DateWords(months: hours.months, afterDay: ".", beforeTime: ",")

    static let hours = HoursWords(
        weekdays: weekdays, lastWeekdays: weekdays,
        months: [
            "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
            "Oktober", "November", "Dezember",
        ],
        toDay: " bis ", toHour: " bis ", fromHour: "", afterHour: " Uhr", and: " und ",
        daily: "täglich",
        allDay: "rund um die Uhr", closed: "geschlossen")
    private static let weekdays = [
        "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag",
    ]

    func number(_ value: Double) -> String { decimalText(value, separator: ",") }
    private func percent(_ slope: Double) -> String {
        decimalText(abs(slope) * 100, separator: ",")
    }

    static func kind(
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
