import Events
import Site
public import Wayfinding

/// Directions in German, in the polite form.
///
/// Names stand in quotation marks without an article, since their gender and case are unknown.
public struct German: DirectionLanguage {
    public let code = "de"

    public init() {}

    func plain(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
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
            let onward = distance(manoeuvre.metres).map {
                "\($0)\(manoeuvre.staysAlong ? "" : " weiter")\(path(manoeuvre, names))"
            }
            return self.door(door, walk, onward: onward, then: then(walk, manoeuvre), names)
        case .cross(.enter(let building)):
            return cross(manoeuvre, "Betreten", building, walk, names)
        case .cross(.leave(let building)):
            return cross(manoeuvre, "Verlassen", building, walk, names)
        case .climb(let climb): return "\(self.climb(climb, names))\(and(walk))."
        case .arrive(let arrival): return arrive(arrival, names)
        }
    }

    // MARK: Walking

    private func and(_ walk: String?) -> String { walk.map { " und \($0)" } ?? "" }

    /// The walk after the thing before it, as a sentence of its own if it is long.
    private func then(_ walk: String?, _ manoeuvre: Manoeuvre) -> String {
        guard let walk, !manoeuvre.landmarks.isEmpty else { return and(walk) }
        return ". \(Self.capitalised(walk))"
    }

    private func walk(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String? {
        distance(manoeuvre.metres).map { "gehen Sie \($0)\(path(manoeuvre, names))" }
    }

    private func path(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        let preposition = manoeuvre.staysAlong ? "weiter auf" : "auf"
        let along =
            manoeuvre.along.flatMap(names.connection).map { " \(preposition) „\($0)“" } ?? ""
        let sides = passedSides(manoeuvre)
        let passed = sides.map { rooms, isOnLeft in
            let names = rooms.map { room($0, .dative, names) }.joined(separator: " und ")
            if sides.count > 1 { return "\(names) \(isOnLeft ? "links" : "rechts")" }
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
        "das Gebäude" + (names.building(id).map { " „\($0)“" } ?? "")
    }

    /// Enters or leaves a building where there is no door.
    private func cross(
        _ manoeuvre: Manoeuvre, _ verb: String, _ id: BuildingID, _ walk: String?,
        _ names: DirectionNames
    ) -> String {
        let way = "Sie \(building(id, names))\(then(walk, manoeuvre))."
        guard let turn = manoeuvre.turn.map(Self.turn) else { return "\(verb) \(way)" }
        let comma = walk == nil || !manoeuvre.landmarks.isEmpty ? " und" : ","
        return "\(turn)\(comma) \(verb.lowercased()) \(way)"
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

    /// The distance in the accusative. The word "Meter" has the same form for one and for many.
    func distance(_ metres: Double) -> String? {
        switch SpokenDistance(metres: metres) {
        case .metres(1): "einen Meter"
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
    ///   - then: the walk after a way into a building or out of it.
    private func door(
        _ door: Door, _ walk: String?, onward: String?, then: String, _ names: DirectionNames
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
            return "\(verb("Betreten", "betreten")) Sie \(building) \(leaf)\(then)."
        case (.leave(let id), _):
            let building = building(id, names)
            return "\(verb("Verlassen", "verlassen")) Sie \(building) \(leaf)\(then)."
        case (nil, let leadsIn?):
            let place = leadsIn ? (into.isEmpty ? " hinein" : into) : " ins Freie"
            return "\(verb("Gehen", "gehen")) Sie \(leaf)\(place)\(on)."
        case (nil, nil):
            if door.isFromLift {
                let comma = onward == nil ? " und" : ","
                let go = into.isEmpty ? "" : "\(comma) gehen Sie\(into)"
                return "Verlassen Sie den Aufzug\(go)\(on)."
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
        return "durch die \(Self.door(door.isAutomatic, door.leaf))\(name)"
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
            climb.floors.map { $0 == 1 ? " ein Stockwerk" : " \($0) Stockwerke" } ?? ""
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
    static func mark(_ name: String) -> String {
        for noun in ["Aufzug ", "Lift ", "Fahrstuhl ", "Treppe ", "Rolltreppe "]
        where name.hasPrefix(noun) && name.count > noun.count {
            return String(name.dropFirst(noun.count))
        }
        return name
    }

    func level(_ floor: FloorID, _ names: DirectionNames) -> String {
        let (level, name) = names.floor(floor)
        return name.map { "Ebene \(level) (\($0))" } ?? "Ebene \(level)"
    }

    func arrive(_ arrival: Arrival, _ names: DirectionNames) -> String {
        if let near = arrival.approximate {
            let asked = names.asked(arrival.asked)
            return nearby(near, asked.map { "„\($0)“" } ?? place(near, names))
        }
        return self.arrival(
            arrival, names, Self.arrivals,
            thing: { kind in
                let (article, noun) = Self.kind(kind)
                return "\(article.lowercased()) \(noun)"
            }, room: { room($0, .nominative, names) })
    }

    private static let arrivals = ArrivalWords(
        arrived: "Sie sind am Ziel", outside: "Sie sind im Freien", ahead: ", vor Ihnen",
        left: ", links von Ihnen", right: ", rechts von Ihnen", marks: ("„", "“"))

    // MARK: Ends without a way

    public func sentence(startingNear near: ApproximateEnd, _ names: DirectionNames) -> String {
        let distance = distance(near.straightMetres).map { ", etwa \($0) entfernt" } ?? ""
        let place =
            near.room.map { room($0, .dative, names) }
            ?? near.building.flatMap(names.building).map { "dem Gebäude „\($0)“" } ?? "diesem Ort"
        return "Der Weg aus \(place) hinaus fehlt auf der Karte. Die Wegbeschreibung "
            + "beginnt am nächstgelegenen Weg\(distance)."
    }

    private func nearby(_ near: ApproximateEnd, _ place: String?) -> String {
        let missing = near.missing == .way ? "ein Weg" : "eine Tür"
        let distance =
            distance(near.straightMetres).map { "etwa \($0) Luftlinie entfernt" }
        let facts = [place, distance].compactMap { $0 }.joined(separator: ", ")
        return "Näher heran führt die Wegbeschreibung nicht: Auf der Karte fehlt \(missing) zum "
            + "Ziel\(facts.isEmpty ? "" : " (\(facts))")."
    }

    private func place(_ near: ApproximateEnd, _ names: DirectionNames) -> String? {
        near.room.map { room($0, .nominative, names) } ?? near.building.map { building($0, names) }
    }
}
