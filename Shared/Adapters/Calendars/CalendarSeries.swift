/// The events of one UID: the master, and overrides of its instances.
struct CalendarSeries {
    /// A time of the set, before overrides.
    private struct Member {
        var wall: WallSeconds
        /// Identifies the instance: the time in UTC, or the wall's midnight of an all-day event.
        var key: Int64
        var zone: CalendarZone
        var length: CalendarEvent.Length
    }

    private var master: CalendarEvent?
    private var overrides: [CalendarEvent] = []

    /// A UID can have several masters, and an instance several overrides. The one with the highest
    /// SEQUENCE counts, then the last in the feed (RFC 5545, section 3.8.7.4).
    init(_ events: [CalendarEvent]) {
        var newest: [ReadTime: CalendarEvent] = [:]
        for event in events {
            if let id = event.recurrenceID {
                if let other = newest[id], Self.isNewer(other, than: event) { continue }
                newest[id] = event
            } else if master.map({ Self.isNewer($0, than: event) }) != true {
                master = event
            }
        }
        overrides = newest.values.sorted { $0.order < $1.order }
    }

    private static func isNewer(_ first: CalendarEvent, than second: CalendarEvent) -> Bool {
        (first.details.sequence, first.order) > (second.details.sequence, second.order)
    }

    /// Expands the series into the reading's instances.
    func expand(_ context: inout ExpansionContext) throws(CalendarError) {
        var replaced: Set<Int64> = []
        var later: [(key: Int64, event: CalendarEvent)] = []
        for event in overrides {
            guard let id = event.recurrenceID else { continue }
            let key = key(of: id, &context)
            replaced.insert(key)
            if event.isThisAndFuture { later.append((key, event)) }
            let zone = context.zones.zone(of: event.start)
            try add(
                event, at: event.start.wall, zone, event.length, name: name(id, key: key), &context)
        }
        guard let master else { return }
        let masterZone = context.zones.zone(of: master.start)
        guard master.isRecurring || !overrides.isEmpty else {
            return try add(
                master, at: master.start.wall, masterZone, master.length, name: "", &context)
        }
        later.sort { $0.key < $1.key }
        for member in members(of: master, moved: later.map(\.event), &context)
        where !replaced.contains(member.key) {
            let name = Self.name(member.key, isDate: master.start.isDate)
            guard let change = Self.last(of: later, until: member.key),
                let id = change.recurrenceID
            else {
                try add(master, at: member.wall, member.zone, member.length, name: name, &context)
                continue
            }
            // The change of the first instance is made to all later ones (section 3.2.13).
            let zone = context.zones.zone(of: change.start)
            let moved =
                member.zone.utc(member.wall) == member.wall && !change.start.isUTC
                ? zone.wall(member.key) : member.wall
            let origin = id.isUTC ? zone.wall(id.wall) : id.wall
            try add(
                change, at: moved + change.start.wall - origin, zone, change.length, name: name,
                &context)
        }
    }

    /// The event with the last key up to the given one; the list is sorted.
    private static func last(
        of events: [(key: Int64, event: CalendarEvent)], until key: Int64
    ) -> CalendarEvent? {
        var (low, high) = (0, events.count)
        while low < high {
            let middle = (low + high) / 2
            if events[middle].key <= key { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : events[low - 1].event
    }

    private func key(of time: ReadTime, _ context: inout ExpansionContext) -> Int64 {
        if time.isDate {
            // A date also names the instance of a timed event on that day.
            guard let master, !master.start.isDate else { return time.wall }
            let zone = context.zones.zone(of: master.start)
            return zone.utc(time.wall + Int64(floored(Int(master.start.wall), 86_400).rest))
        }
        if let master, master.start.isDate {
            return Int64(floored(Int(time.wall), 86_400).quotient) * 86_400
        }
        return context.zones.utc(time)
    }

    private func name(_ id: ReadTime, key: Int64) -> String {
        Self.name(key, isDate: master?.start.isDate ?? id.isDate)
    }

    private static func name(_ key: Int64, isDate: Bool) -> String {
        let (day, second) = floored(Int(key), 86_400)
        let date = CivilDate(dayNumber: day)
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let name = digits(date.year, 4) + digits(date.month, 2) + digits(date.day, 2)
        return isDate
            ? name
            : name + "T" + digits(second / 3_600, 2) + digits(second / 60 % 60, 2)
                + digits(second % 60, 2) + "Z"
    }

    // MARK: The set

    private func members(
        of event: CalendarEvent, moved: [CalendarEvent], _ context: inout ExpansionContext
    ) -> [Member] {
        let zone = context.zones.zone(of: event.start)
        let isDate = event.start.isDate
        let margin = margin(event, moved, &context)
        let (low, high) = (context.from - margin, context.to + margin)
        var set: [Int64: Member] = [:]
        var budget = context.budget
        func add(_ wall: WallSeconds, _ zone: CalendarZone, _ length: CalendarEvent.Length) {
            let key = isDate ? wall : zone.utc(wall)
            set[key] = Member(wall: wall, key: key, zone: zone, length: length)
        }
        func starts(_ rules: [RecurrenceRule]) -> [WallSeconds] {
            rules.flatMap { rule in
                RecurrenceExpansion(
                    rule, start: event.start.wall, isDate: isDate, utc: zone.utc
                ).starts(from: low, to: high, &budget)
            }
        }
        if event.start.wall >= low && event.start.wall <= high {
            add(event.start.wall, zone, event.length)
        }
        for wall in starts(event.rules) { add(wall, zone, event.length) }
        for date in event.addedDates where date.start.isDate == isDate {
            let dateZone = context.zones.zone(of: date.start)
            add(date.start.wall, dateZone, context.length(of: date, event))
        }
        for wall in starts(event.exceptionRules) { set[isDate ? wall : zone.utc(wall)] = nil }
        let exceptions = Set(event.exceptionDates.map { key(of: $0, &context) })
        context.spend(budget, event)
        return set.values.filter { !exceptions.contains($0.key) }.sorted { $0.key < $1.key }
    }

    /// The seconds before and after the window in which a start can still matter: for the length,
    /// for zones, and for changes that move instances.
    private func margin(
        _ event: CalendarEvent, _ moved: [CalendarEvent], _ context: inout ExpansionContext
    ) -> Int64 {
        var margin: Int64 = 0
        for event in [event] + moved {
            let zone = context.zones.zone(of: event.start)
            let length = context.end(of: event, at: event.start.wall, zone, event.length)
            margin = max(margin, length - zone.utc(event.start.wall))
            if let id = event.recurrenceID {
                margin = max(margin, abs(event.start.wall - id.wall) + margin)
            }
        }
        for date in event.addedDates {
            let zone = context.zones.zone(of: date.start)
            let length = context.length(of: date, event)
            let end = context.end(of: event, at: date.start.wall, zone, length)
            margin = max(margin, end - zone.utc(date.start.wall))
        }
        return margin + 3 * 86_400
    }

    private func add(
        _ event: CalendarEvent, at wall: WallSeconds, _ zone: CalendarZone,
        _ length: CalendarEvent.Length, name: String, _ context: inout ExpansionContext
    ) throws(CalendarError) {
        let start = zone.utc(wall)
        let stated = context.end(of: event, at: wall, zone, length)
        let end = max(start, stated)
        // An instance without a length matters at its moment.
        guard start < context.to, end > context.from || (start == end && start >= context.from)
        else { return }
        if stated < start { context.reportEarlyEnd(of: event) }
        try context.append(event, name: name, start: start, end: end)
    }
}
