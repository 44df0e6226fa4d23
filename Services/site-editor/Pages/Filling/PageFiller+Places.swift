import Directions
import Events
import Site
import Wire

/// The page of one place: its card, and for a room its timetable.
extension PageFiller {
    /// - Parameter isStart: whether the reader starts there.
    mutating func show(_ place: PagePlace, isStart: Bool) async {
        if place.kind == "kind" {
            view.sections.append(list(ofKind: place))
            return
        }
        if place.kind == "floor", let floor = names.index.floor(FloorID(place.id)) {
            showFloor(floor)
            return
        }
        var card = PageView.Card(name: place.name)
        if place.kind != "floor", let floor = names.floor(place.floor) {
            card.facts.append((words("page.floor"), floor))
        }
        switch place.kind {
        case "room": await fill(&card, room: place)
        case "directory": fill(&card, entry: place)
        case "building": fill(&card, building: place)
        default: break
        }
        card.links += ways(place, isStart: isStart)
        view.card = card
        view.maps = maps(of: place)
    }

    /// Links to the way there and from there.
    private func ways(_ place: PagePlace, isStart: Bool) -> [PageView.Section.Item] {
        typealias Item = PageView.Section.Item
        let from = Item(
            name: words("page.fromHere"), address: wish.link([("from", place.text)]))
        guard view.here != nil, view.hereID != place.text, !isStart else { return [from] }
        let to = Item(
            name: words("card.to"),
            address: wish.link([("from", "here"), ("to", place.text)]))
        return [to, from]
    }

    // MARK: Kinds of place

    private func hours(_ text: String?, floor: String?) -> String? {
        guard let text else { return nil }
        let spoken = DirectionLanguages.openingHours(text, in: [wish.language])
        guard let hours = OpeningHours(text) else { return spoken }
        let clock = PageClock(zone: zone(of: floor), language: wish.language)
        let isOpen = hours.isOpen(
            at: reader.now, utcOffsetSeconds: clock.offsetSeconds(at: reader.now))
        return "\(words(isOpen ? "page.openNow" : "hours.closed")). \(spoken)"
    }

    /// Says that a lift or the like in a room of its kind is out of order; nil for none.
    private func outage(in place: PagePlace) async -> String? {
        let room = RoomID(place.id)
        guard let word = names.index.room(room)?.kind else { return nil }
        let kind = PlaceKind(PlaceKind(word).base)
        let parts = Set(
            names.index.document.connections.filter { connection in
                PlaceKind(connection.kind)?.satisfies(kind) == true
                    && connection.stops.contains { $0.room == room }
            }.map(\.id.text))
        guard !parts.isEmpty else { return nil }
        let answer = await reader.body(
            "/v1/outages", [("site", reader.site.text), ("active", "true")])
        let outages = answer.flatMap { try? ShownRecord.list("outages", json: $0) } ?? []
        guard let outage = outages.first(where: { $0.connection.map(parts.contains) == true })
        else { return nil }
        guard let reason = outage.reason else { return words("outage.here") }
        let known = reason.lowercased().replacing(" ", with: "-")
        let text = words.text("barrier.kind.\(known)") ?? reason
        return words("outage.hereBecause", ["reason": text])
    }

    private mutating func fill(_ card: inout PageView.Card, room place: PagePlace) async {
        if let room = names.index.room(RoomID(place.id)) {
            card.facts.insert((words("page.what"), names.kind(room.kind)), at: 0)
            if room.isRestricted {
                card.facts.append((words("page.who"), words("card.restricted")))
            }
            switch room.accessible {
            case .yes: card.facts.append((words("page.wheels"), words("card.accessible")))
            case .no: card.facts.append((words("page.wheels"), words("card.inaccessible")))
            case .unknown: break
            }
        }
        if let outage = await outage(in: place) {
            card.facts.append((words("page.state"), outage))
        }
        if let hours = hours(place.record?.openingHours, floor: place.floor) {
            card.facts.append((words("page.hours"), hours))
        }
        let computers = await reader.times(
            "rooms/\(place.id)/availability", [("language", wish.language)])
        if let text = computers.flatMap({ try? CountedComputers.sentence(json: $0) }) {
            card.facts.append((words("page.computers"), text))
        }
        let entries = names.index.document.directory.filter { entry in
            entry.places.contains(.room(RoomID(place.id)))
        }
        view.sections.append(
            PageView.Section(
                title: words("card.here"),
                items: entries.map { entry in
                    PageView.Section.Item(
                        name: names.entry(entry), address: wish.link([("entry", entry.id.text)]),
                        line: names.kind(entry.kind))
                }))
        if let week = await reader.times(
            "rooms/\(place.id)/timetable", [("language", wish.language)]
        ).flatMap({ try? ShownWeek(json: $0) }) {
            view.sections += timetable(week)
        }
    }

    private func fill(_ card: inout PageView.Card, entry place: PagePlace) {
        card.telephone = place.record?.telephone
        card.website = place.record?.website
        let entry = names.index.document.directory.first { $0.id.text == place.id }
        // Without hours of its own it has those of its only room.
        let room = entry.flatMap(names.onlyRoom)
        let text = place.record?.openingHours ?? room?.openingHours
        if let hours = hours(text, floor: room?.floor.text ?? place.floor) {
            card.facts.append((words("page.hours"), hours))
        }
        guard let entry else { return }
        card.facts.insert((words("page.what"), names.kind(entry.kind)), at: 0)
        card.links += entry.places.prefix(12).compactMap(link)
    }

    private mutating func fill(_ card: inout PageView.Card, building place: PagePlace) {
        let id = BuildingID(place.id)
        if let address = names.index.building(id)?.address {
            card.facts.append((words("page.address"), address))
        }
        let floors = names.index.floors.filter { $0.building == id }
            .sorted { $0.ordinal > $1.ordinal }
        view.sections.append(
            PageView.Section(
                title: words("floors"),
                items: floors.map { floor in
                    PageView.Section.Item(
                        name: names.level(floor), address: wish.link([("floor", floor.id.text)]))
                }))
    }

    /// A place of an entry of the directory, as a link to its card.
    private func link(_ reference: PlaceReference) -> PageView.Section.Item? {
        func item(_ name: String, _ member: String, _ value: String) -> PageView.Section.Item {
            PageView.Section.Item(
                name: name, address: wish.link([(member, value)]),
                line: names.place(reference) ?? "")
        }
        switch reference {
        case .room(let id):
            return names.index.room(id).map { item(names.room($0), "room", id.text) }
        case .building(let id):
            return PageView.Section.Item(
                name: names.building(id), address: wish.link([("building", id.text)]))
        case .floor(let id):
            return names.floor(id.text).map {
                PageView.Section.Item(name: $0, address: wish.link([("floor", id.text)]))
            }
        case .location(let id):
            guard let location = names.index.location(id) else { return nil }
            if let room = location.room, let record = names.index.room(room) {
                return item(names.room(record), "room", room.text)
            }
            let name = location.names.text(in: wish.language) ?? location.name
            return item(name ?? words("kind.location"), "point", "location:\(id.text)")
        case .zone: return nil
        }
    }

    // MARK: Times

    /// The week's bookings from today on, day by day.
    private func timetable(_ week: ShownWeek) -> [PageView.Section] {
        guard week.isKnown || !week.bookings.isEmpty else { return [] }
        let clock = PageClock(zone: week.timeZone, language: wish.language)
        let now = reader.now
        var notes: [String] = []
        if let current = week.bookings.first(where: { $0.starts <= now && now < $0.ends }) {
            notes.append(words("timetable.taken", ["time": clock.time(current.ends)]))
        } else if week.isKnown {
            let next = week.bookings.filter { $0.starts > now }.min { $0.starts < $1.starts }
            notes.append(
                next.map { next in
                    words(
                        "timetable.freeUntil",
                        ["time": clock.time(next.starts), "day": clock.day(next.starts)])
                } ?? words("timetable.free"))
        }
        if let read = week.lastReadAt {
            let time = "\(clock.day(read)), \(clock.time(read))"
            notes.append(words("timetable.old", ["age": time]))
        }
        var sections = [
            PageView.Section(title: words("timetable"), note: notes.joined(separator: ". "))
        ]
        for day in week.days where day.upperBound > now {
            let bookings = week.bookings.filter {
                $0.starts < day.upperBound && $0.ends > day.lowerBound
            }
            guard !bookings.isEmpty else { continue }
            sections.append(
                PageView.Section(
                    title: clock.day(day.lowerBound), level: 3,
                    items: bookings.map { booking in
                        let time =
                            booking.isAllDay
                            ? words("timetable.allDay")
                            : words(
                                "hours.period",
                                ["from": booking.startTime, "until": booking.endTime])
                        return PageView.Section.Item(
                            name: time, line: booking.title ?? words("timetable.booked"))
                    }))
        }
        return sections
    }
}
