import Events
import Site
public import Wayfinding

/// Directions in Russian, in the polite form.
///
/// Names stand in quotation marks and in the nominative, since it is unknown how a name is
/// declined. The case is shown by a word before the name, or avoided by a colon.
public struct Russian: DirectionLanguage {
    public let code = "ru"

    public init() {}

    func plain(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        let walk = walk(manoeuvre, names)
        switch manoeuvre.action {
        case .head(let point, let isFromLift):
            let distance = distance(manoeuvre.metres).map { " \($0)" } ?? ""
            let head = isFromLift ? "Выйдите из лифта и идите" : "Идите"
            return "\(head)\(distance) на \(Self.compass(point))\(path(manoeuvre, names))."
        case .turn(.straight):
            let distance = distance(manoeuvre.metres).map { " \($0)" } ?? ""
            return "Идите прямо\(distance)\(path(manoeuvre, names))."
        case .turn(let turn): return "\(Self.turn(turn))\(and(walk))."
        case .door(let door): return self.door(door, walk, names)
        case .cross(.enter(let building)):
            return cross(manoeuvre, "Войдите в здание", building, walk, names)
        case .cross(.leave(let building)):
            return cross(manoeuvre, "Выйдите из здания", building, walk, names)
        case .climb(let climb): return "\(self.climb(climb, names))\(and(walk))."
        case .arrive(let arrival): return arrive(arrival, names)
        }
    }

    // MARK: Walking

    private func and(_ walk: String?) -> String { walk.map { " и \($0)" } ?? "" }

    private func walk(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String? {
        distance(manoeuvre.metres).map { "пройдите \($0)\(path(manoeuvre, names))" }
    }

    private func path(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        let along =
            manoeuvre.along.flatMap(names.connection).map {
                " \(manoeuvre.staysAlong ? "дальше по пути" : "по пути") «\($0)»"
            } ?? ""
        let passed = passedSides(manoeuvre).map { rooms, isOnLeft in
            "\(isOnLeft ? "слева" : "справа") \(rooms.count > 1 ? "будут" : "будет") "
                + rooms.map { room($0, names) }.joined(separator: " и ")
        }
        return passed.isEmpty ? along : "\(along); \(passed.joined(separator: ", "))"
    }

    /// The room's name, or else its kind, in the nominative.
    func room(_ id: RoomID, _ names: DirectionNames) -> String {
        names.named(id).map { "«\($0)»" } ?? Self.noun(names.kind(id))
    }

    func into(_ id: RoomID, _ names: DirectionNames) -> String {
        if let name = names.named(id) { return "в помещение «\(name)»" }
        return switch names.kind(id) {
        case .corridor: "в коридор"
        case .stairs: "на лестницу"
        case .lift: "в лифт"
        case .escalator: "на эскалатор"
        case .ramp: "на пандус"
        case .toilet: "в туалет"
        case .lobby: "в вестибюль"
        case .platform: "на платформу"
        case .room: "в помещение"
        }
    }

    /// The building's name, for use after the word "здание"; empty if it has none.
    private func called(_ id: BuildingID, _ names: DirectionNames) -> String {
        names.building(id).map { " «\($0)»" } ?? ""
    }

    /// Enters or leaves a building where there is no door.
    private func cross(
        _ manoeuvre: Manoeuvre, _ verb: String, _ id: BuildingID, _ walk: String?,
        _ names: DirectionNames
    ) -> String {
        let way = "\(called(id, names))\(and(walk))."
        guard let turn = manoeuvre.turn.map(Self.turn) else { return verb + way }
        return "\(turn)\(walk == nil ? " и" : ",") \(verb.lowercased())\(way)"
    }

    static func noun(_ kind: SpokenKind) -> String {
        switch kind {
        case .corridor: "коридор"
        case .stairs: "лестница"
        case .lift: "лифт"
        case .escalator: "эскалатор"
        case .ramp: "пандус"
        case .toilet: "туалет"
        case .lobby: "вестибюль"
        case .platform: "платформа"
        case .room: "помещение"
        }
    }

    public func title(_ kind: SpokenKind) -> String { Self.capitalised(Self.noun(kind)) }

    static func capitalised(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    /// The noun after a number: 1 метр, 2 метра, 5 метров; 11 метров, but 21 метр.
    static func counted(
        _ count: Int, _ one: String, _ few: String, _ many: String
    ) -> String {
        let (tens, ones) = (count / 10 % 10, count % 10)
        let form = tens == 1 ? many : ones == 1 ? one : (2...4).contains(ones) ? few : many
        return "\(count) \(form)"
    }

    func distance(_ metres: Double) -> String? {
        switch SpokenDistance(metres: metres) {
        case .metres(let count): Self.counted(count, "метр", "метра", "метров")
        case .tenthsOfKilometre(let tenths): "\(number(Double(tenths) / 10)) км"
        case nil: nil
        }
    }

    /// The distance with an abbreviated unit, which has no case, for use after a preposition.
    func shortDistance(_ metres: Double) -> String? {
        switch SpokenDistance(metres: metres) {
        case .metres(let count): "\(count) м"
        case .tenthsOfKilometre(let tenths): "\(number(Double(tenths) / 10)) км"
        case nil: nil
        }
    }

    static func compass(_ point: CompassPoint) -> String {
        switch point {
        case .north: "север"
        case .northEast: "северо-восток"
        case .east: "восток"
        case .southEast: "юго-восток"
        case .south: "юг"
        case .southWest: "юго-запад"
        case .west: "запад"
        case .northWest: "северо-запад"
        }
    }

    private static func turn(_ turn: Turn) -> String {
        switch turn {
        case .straight: "Идите прямо"
        case .slightLeft: "Держитесь левее"
        case .left: "Поверните налево"
        case .sharpLeft: "Резко поверните налево"
        case .slightRight: "Держитесь правее"
        case .right: "Поверните направо"
        case .sharpRight: "Резко поверните направо"
        case .around: "Развернитесь"
        }
    }

    // MARK: Doors, stairs and lifts

    private func door(_ door: Door, _ walk: String?, _ names: DirectionNames) -> String {
        let leaf = leaf(door, names)
        let turn = door.turn == .straight ? nil : Self.turn(door.turn)
        func verb(_ text: String) -> String {
            turn.map { "\($0)\(walk == nil ? " и" : ",") \(text.lowercased())" } ?? text
        }
        let into = door.room.map { " \(self.into($0, names))" } ?? ""
        switch (door.change, door.leadsIn) {
        case (.enter(let id), _):
            return "\(verb("Войдите")) в здание\(called(id, names)) \(leaf)\(and(walk))."
        case (.leave(let id), _):
            return "\(verb("Выйдите")) из здания\(called(id, names)) \(leaf)\(and(walk))."
        case (nil, false?): return "\(verb("Выйдите")) наружу \(leaf)\(and(walk))."
        case (nil, _):
            if door.isFromLift { return "Выйдите из лифта\(into)\(and(walk))." }
            if door.isGap, !into.isEmpty { return "\(verb("Пройдите"))\(into)\(and(walk))." }
            return "\(verb("Войдите")) \(leaf)\(into)\(and(walk))."
        }
    }

    /// The door with its own name, if it has one.
    private func leaf(_ door: Door, _ names: DirectionNames) -> String {
        let name = names.connection(door.connection).map { " «\($0)»" } ?? ""
        return "через \(Self.door(door.isAutomatic, door.leaf, "ую"))дверь\(name)"
    }

    func climb(_ climb: Climb, _ names: DirectionNames) -> String {
        let name = names.connection(climb.connection).map { " «\(Self.mark($0))»" } ?? ""
        let verb = climb.isUp.map { $0 ? "Поднимитесь" : "Спуститесь" }
        let thing =
            switch climb.kind {
            case .stairs: "\(verb ?? "Пройдите") по лестнице"
            case .escalator: "\(verb ?? "Поезжайте") на эскалаторе"
            case .ramp: "\(verb ?? "Пройдите") по пандусу"
            case .lift: "\(verb ?? "Поезжайте") на лифте"
            case .platformLift: "\(verb ?? "Поезжайте") на подъёмной платформе"
            }
        guard let floors = climb.floors else { return "\(thing)\(name)" }
        let end = climb.floor.map { " (\(level($0, names)))" } ?? ""
        return "\(thing)\(name) на \(Self.counted(floors, "этаж", "этажа", "этажей"))\(end)"
    }

    /// Removes the kind from a name, such as "Лифт" from "Лифт B", since the sentence already has
    /// the kind before the name.
    private static func mark(_ name: String) -> String {
        for noun in ["Лифт ", "Лестница ", "Эскалатор ", "Lift ", "Stairs ", "Escalator "]
        where name.hasPrefix(noun) && name.count > noun.count {
            return String(name.dropFirst(noun.count))
        }
        return name
    }

    private func level(_ floor: FloorID, _ names: DirectionNames) -> String {
        let (level, name) = names.floor(floor)
        return name.map { "уровень \(level), «\($0)»" } ?? "уровень \(level)"
    }

    func arrive(_ arrival: Arrival, _ names: DirectionNames) -> String {
        if let near = arrival.approximate {
            let asked = names.asked(arrival.asked)
            return nearby(near, asked.map { "«\($0)»" } ?? place(near, names))
        }
        return self.arrival(
            arrival, names, Self.arrivals, thing: { Self.kind($0).lowercased() },
            room: { room($0, names) })
    }

    private static let arrivals = ArrivalWords(
        arrived: "Вы пришли", outside: "вы снаружи", ahead: ", прямо перед вами",
        left: ", слева от вас", right: ", справа от вас", marks: ("«", "»"))

    // MARK: Ends without a way

    public func sentence(startingNear near: ApproximateEnd, _ names: DirectionNames) -> String {
        let distance = shortDistance(near.straightMetres).map { ", примерно в \($0) отсюда" } ?? ""
        return "Как отсюда выйти (\(place(near, names))), неизвестно: маршрут начинается у "
            + "ближайшего известного пути\(distance)."
    }

    private func nearby(_ near: ApproximateEnd, _ place: String) -> String {
        let why = near.missing == .way ? "как войти, неизвестно" : "дверь неизвестна"
        let distance =
            shortDistance(near.straightMetres).map { ", примерно \($0) по прямой" } ?? ""
        return "Ближе к цели (\(place)\(distance)) известные пути не ведут: \(why)."
    }

    private func place(_ near: ApproximateEnd, _ names: DirectionNames) -> String {
        if let room = near.room { return self.room(room, names) }
        if let building = near.building { return "здание\(called(building, names))" }
        return "место"
    }

    // MARK: Barriers

    public func sentence(_ obstacle: Obstacle) -> String {
        switch obstacle {
        case .nothingNear: "Рядом с этим местом нет известных путей."
        case .noEntrance: "Ни одна дверь наружу не известна."
        case .barriers: "Пути есть, но сейчас ни один вам не подходит."
        case .noWayOut: "Из начального места не ведёт ни один известный путь."
        case .noWayIn: "К цели не ведёт ни один известный путь."
        case .apart: "Между этими двумя местами нет известного пути."
        }
    }

    public func sentence(
        _ rule: Barrier.Rule, at barrier: Barrier, _ names: DirectionNames, _ clock: LocalClock
    ) -> String {
        let noun = Self.kind(barrier.kind)
        let called = names.connection(barrier.connection).map { name in
            let isWhole = Self.mark(name) != name || name.lowercased().contains(noun.lowercased())
            return isWhole ? "«\(name)»" : "\(noun) «\(name)»"
        }
        let thing = (called ?? noun) + place(of: barrier, names)
        switch rule {
        case .steps, .escalator:
            return "\(thing): путь ведёт здесь, другого на карте нет."
        case .avoided: return "\(thing): вы просили этого избегать. Разрешите это."
        case .inaccessible: return "\(thing): на колёсах не проехать, обхода на карте нет."
        case .tooNarrow(let metres, let needed):
            return "\(thing): ширина \(number(metres)) м, нужно \(number(needed)) м."
        case .tooSteep(let slope, let limit):
            return "\(thing): уклон \(percent(slope)) %, допустимо \(percent(limit)) %."
        case .kerb(let metres, let limit):
            return "\(thing): порог \(number(metres)) м, допустимо \(number(limit)) м."
        case .surface: return "\(thing): рыхлое покрытие."
        case .unknown(let facts):
            let missing = facts.map(Self.fact).joined(separator: ", ")
            return "\(thing): нет данных (\(missing)). Спросите на месте, можно ли пройти."
        case .outage(let since, let until, let reason):
            let why = reason.map { " (\($0))" } ?? ""
            let end = until.map { " до \(clock.text($0, Self.dates))" } ?? ""
            return "\(thing): не работает с \(clock.text(since, Self.dates))\(end)\(why)."
        case .restricted(let room):
            return "\(thing): дальше – \(self.room(room, names)), посторонним вход закрыт."
        case .shut(let hours, let room):
            let shut = room.map { Self.capitalised(self.room($0, names)) } ?? thing
            return sentence(shut: shut, hours)
        }
    }

    /// The rooms on both sides of a door without a name, and the level. A lift has many levels, so
    /// none is named.
    private func place(of barrier: Barrier, _ names: DirectionNames) -> String {
        let rooms = barrier.rooms.map { room($0, names) }
        var place = ""
        if names.connection(barrier.connection) == nil, barrier.kind == .door, !rooms.isEmpty {
            place = " (\(rooms.joined(separator: " – ")))"
        }
        let levels = barrier.kind == .lift ? [] : names.levels(of: barrier.connection)
        if let low = levels.first, let high = levels.last {
            place += ", \(level(low, names)) – \(level(high, names))"
        } else if let floor = barrier.floor, barrier.kind != .lift {
            place += ", \(level(floor, names))"
        }
        return place
    }

    static let dates = DateWords(months: [
        "января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября",
        "октября", "ноября", "декабря",
    ])

    static let hours = HoursWords(
        weekdays: weekdays, lastWeekdays: weekdays,
        months: [
            "январь", "февраль", "март", "апрель", "май", "июнь", "июль", "август", "сентябрь",
            "октябрь", "ноябрь", "декабрь",
        ],
        toDay: "–", toHour: "–", fromHour: "", and: " и ", daily: "ежедневно",
        allDay: "круглосуточно", closed: "закрыто")
    private static let weekdays = [
        "понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье",
    ]

    private func number(_ value: Double) -> String { decimalText(value, separator: ",") }
    private func percent(_ slope: Double) -> String {
        decimalText(abs(slope) * 100, separator: ",")
    }

    private static func kind(_ kind: ConnectionRecord.Kind) -> String {
        switch kind {
        case .walk: "Путь"
        case .door: "Дверь"
        case .stairs: "Лестница"
        case .ramp: "Пандус"
        case .lift: "Лифт"
        case .platformLift: "Подъёмная платформа"
        case .escalator: "Эскалатор"
        }
    }

    private static func fact(_ fact: UnknownFact.Fact) -> String {
        switch fact {
        case .accessible: "доступность"
        case .width: "ширина"
        case .slope: "уклон"
        case .kerb: "порог"
        }
    }
}
