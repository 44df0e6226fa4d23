import Events
import Site

/// Directions in Russian for travellers who can't see.
extension Russian {
    public func sentence(_ step: SpokenStep, _ names: DirectionNames) -> String {
        let start =
            place(
                step.startPlace, in: step.start, names, marks: ("«", "»"),
                room: { room($0, names) }
            ).map { "Вы здесь: \($0). " } ?? ""
        let behind = step.behind.flatMap { self.behind($0, names) }
        /// The clause after what is behind the traveller, as a sentence.
        func begin(_ clause: String) -> String {
            behind.map { "\($0) у вас за спиной: \(clause)" } ?? Self.capitalised(clause)
        }
        let warning = step.danger.map { " \(Self.warning($0))" } ?? ""
        return start + text(step, begin, names) + warning + Self.facts(step.facts)
    }

    public func announcement(
        of step: SpokenStep, before next: SpokenStep?, metres: Int, _ names: DirectionNames
    ) -> String {
        let thing = step.action.target.map { nominative($0, names) } ?? "развилка"
        let into = next?.action.door?.room.map { " \(self.into($0, names))" } ?? ""
        let hand = step.action.hand.map { $0 == .left ? ", слева" : ", справа" } ?? ""
        let warning = next?.action.danger.map { " \(Self.warning($0))" } ?? ""
        let distance = distance(Double(metres)) ?? ""
        return "Через \(distance): \(thing)\(into)\(hand).\(warning)"
    }

    private func text(
        _ step: SpokenStep, _ begin: (String) -> String, _ names: DirectionNames
    ) -> String {
        let walk = distance(step.metres).map { " и пройдите \($0)" } ?? " и идите"
        switch step.action {
        case .findDoor(let target):
            return "Найдите стену и идите вдоль неё до \(genitive(target, names)): другого нет."
        case .face(let point, let target):
            return "По компасу повернитесь на \(Self.compass(point))\(walk) до "
                + "\(genitive(target, names))."
        case .wall(let walk): return wall(walk, begin, names)
        case .ahead(12, let target):
            let metres = distance(step.metres).map { " \($0)" } ?? ""
            return begin("идите прямо\(metres) до \(genitive(target, names)).")
        case .ahead(let hour, let target):
            return begin("повернитесь на \(hours(hour))\(walk) до \(genitive(target, names)).")
        case .pass(let door):
            let into = door.room.map { " \(self.into($0, names))" } ?? ""
            guard door.isDoor else { return "Пройдите через проём\(into)." }
            let manner = Self.door(door.isAutomatic, door.leaf, "ую")
            return "Пройдите через \(manner)дверь\(into)." + Self.opening(door.leaf)
        case .path(let walk): return path(walk, begin, names)
        case .climb(let climb):
            let warning = step.action.danger.map { "\(Self.warning($0)) " } ?? ""
            let steps = Self.steps(names.steps(of: climb.connection))
            let text = self.climb(climb, names)
            return warning
                + (step.behind == .stairs
                    ? text.replacing("по лестнице", with: "по следующей лестнице") : text)
                + ".\(steps)"
        case .leaveLift(let isOpposite, let room):
            let door = isOpposite.map {
                $0 ? " через дверь напротив" : " через дверь, в которую вошли,"
            }
            let into = room.map { " \(self.into($0, names))" } ?? ""
            return "Выйдите из лифта\(door ?? "")\(into)."
        case .arrive(let arrival): return arrive(arrival, names)
        }
    }

    private func behind(_ behind: Behind, _ names: DirectionNames) -> String? {
        switch behind {
        case .door(let room): "Дверь\(room.map { " \(into($0, names))" } ?? "")"
        case .opening(let room): room.map { Self.capitalised(self.room($0, names)) }
        case .stairs: "Лестница"
        case .lift: "Лифт"
        }
    }

    private func wall(
        _ walk: WallWalk, _ begin: (String) -> String, _ names: DirectionNames
    ) -> String {
        let (hand, turn) = walk.hand == .left ? ("слева", "налево") : ("справа", "направо")
        let opposite = walk.hand == .left ? "направо" : "налево"
        let metres = distance(walk.metres).map { " \($0)" } ?? ""
        let passed = passed(walk.passed, "проёма", "проёмов")
        let rest =
            "идите вдоль стены \(hand)\(metres)\(passed) до \(genitive(walk.target, names))."
            + (walk.end.map { end($0, opposite) } ?? "")
        guard let crossing = walk.crossingMetres else {
            return begin("поверните \(turn) и \(rest)")
        }
        let across = distance(crossing).map { ", \($0)" } ?? ""
        if let compass = walk.compass {
            return "По компасу повернитесь на \(Self.compass(compass)) и идите до стены\(across). "
                + "Поверните \(opposite) и \(rest)"
        }
        return begin("перейдите к стене напротив\(across). Поверните \(opposite) и \(rest)")
    }

    private func end(_ end: WallEnd, _ turn: String) -> String {
        let metres = distance(max(1, end.metres)) ?? ""
        return " По пути, через \(metres), впереди стена: "
            + (end.isBack
                ? "обогните её и идите назад вдоль другой стороны."
                : "поверните \(turn) вдоль неё.")
    }

    /// The genitive after "мимо": 1 проёма, 2 проёмов.
    ///
    /// - Parameter count: nil where the map may lack some.
    private func passed(_ count: Int?, _ one: String, _ many: String) -> String {
        guard let count else { return ", мимо других \(many), если они есть," }
        let isOne = count % 10 == 1 && count % 100 != 11
        return count == 0 ? "" : ", мимо \(count) \(isOne ? one : many),"
    }

    private func path(
        _ walk: PathWalk, _ begin: (String) -> String, _ names: DirectionNames
    ) -> String {
        let name = walk.along.flatMap(names.connection).map { " «\($0)»" } ?? ""
        let start =
            switch walk.beginning {
            case .hour(12, nil): begin("идите прямо по дорожке\(name)")
            case .hour(let hour, nil):
                begin("повернитесь на \(hours(hour)) и идите по дорожке\(name)")
            case .hour(let hour, let choice?):
                begin(
                    "выберите путь номер \(choice.number) "
                        + "\(choice.hand == .left ? "слева" : "справа"), на \(hours(hour)), "
                        + "и идите по нему\(name)")
            case .compass(let point):
                "По компасу повернитесь на \(Self.compass(point)) и идите по дорожке\(name)"
            }
        let metres = distance(walk.metres).map { " \($0)" } ?? ""
        let passed = passed(walk.passed, "развилки", "развилок")
        let end =
            walk.target.map { genitive($0, names) }
            ?? "\(walk.passed == nil ? "" : "следующей ")развилки"
        return "\(start)\(metres)\(passed) до \(end)."
    }

    private func hours(_ hour: Int) -> String { Self.counted(hour, "час", "часа", "часов") }

    private func genitive(_ target: SpokenTarget, _ names: DirectionNames) -> String {
        switch target {
        case .door: "двери"
        case .opening: "проёма"
        case .stairs: "лестницы"
        case .escalator: "эскалатора"
        case .ramp: "пандуса"
        case .lift: "лифта"
        case .place: "места"
        case .end: "конца"
        case .room(let room): genitive(room, names)
        }
    }

    private func genitive(_ room: RoomID, _ names: DirectionNames) -> String {
        if let name = names.named(room) { return "помещения «\(name)»" }
        return switch names.kind(room) {
        case .corridor: "коридора"
        case .stairs: "лестницы"
        case .lift: "лифта"
        case .escalator: "эскалатора"
        case .ramp: "пандуса"
        case .toilet: "туалета"
        case .lobby: "вестибюля"
        case .platform: "платформы"
        case .room: "помещения"
        }
    }

    private func nominative(_ target: SpokenTarget, _ names: DirectionNames) -> String {
        switch target {
        case .door: "дверь"
        case .opening: "проём"
        case .stairs: "лестница"
        case .escalator: "эскалатор"
        case .ramp: "пандус"
        case .lift: "лифт"
        case .place: "место"
        case .end: "конец"
        case .room(let room): self.room(room, names)
        }
    }
}
