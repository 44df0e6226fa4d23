import CICal

/// The zones that one calendar of a feed names: its own, then those of IANA.
struct CalendarZoneTable {
    private let floating: CalendarZone
    private let components: [CalendarFile.Component]
    private let last: Int64
    private let steps: Int
    /// The component of each TZID.
    private var own: [String: Int] = [:]
    private var known: [String: CalendarZone] = [:]
    private(set) var faults: [(what: CalendarFault.What, line: Int?)] = []

    /// - Parameters:
    ///   - last: the time in UTC up to which changes of zones are needed.
    ///   - steps: the most steps for the rules of one zone.
    init(
        _ components: [CalendarFile.Component], floating: CalendarZone, until last: Int64,
        steps: Int
    ) {
        self.components = components
        self.floating = floating
        self.last = last
        self.steps = steps
        for (index, component) in components.enumerated() {
            guard let name = Self.name(of: component) else { continue }
            own[name] = own[name] ?? index
        }
    }

    mutating func zone(of time: ReadTime) -> CalendarZone {
        if time.isUTC { return .utc }
        guard let name = time.zoneName else { return floating }
        if let zone = known[name] { return zone }
        let zone = find(name)
        known[name] = zone
        return zone
    }

    mutating func utc(_ time: ReadTime) -> Int64 { zone(of: time).utc(time.wall) }

    private mutating func find(_ name: String) -> CalendarZone {
        if let index = own[name] {
            if let zone = zone(components[index]) { return zone }
            faults.append((.unreadableZone(name), components[index].line))
        }
        // Some programs write an address before the name: /example.org/2024/Europe/London.
        let parts = name.split(separator: "/")
        for count in [parts.count, 3, 2] where count <= parts.count && count > 0 {
            let tail = parts.suffix(count).joined(separator: "/")
            if let zone = CalendarZone(identifier: tail, until: last) { return zone }
        }
        if own[name] == nil { faults.append((.unknownZone(name), nil)) }
        return floating
    }

    private static func name(of component: CalendarFile.Component) -> String? {
        guard let read = LibicalComponent(component.text),
            let property = icalcomponent_get_first_property(read.pointer, ICAL_TZID_PROPERTY)
        else { return nil }
        return LibicalValue.text(icalproperty_get_tzid(property))
    }

    /// The zone of a VTIMEZONE. libical's own list of changes would follow its rules without a bound.
    private func zone(_ component: CalendarFile.Component) -> CalendarZone? {
        guard let read = LibicalComponent(component.text) else { return nil }
        var changes: [CalendarZone.Change] = []
        var earliest: (utc: Int64, before: Int64)?
        var budget = RecurrenceExpansion.Budget(steps: steps, instances: 4_000)
        for part in read.parts {
            guard let observance = Observance(part) else { continue }
            for wall in observance.onsets(until: last, &budget) {
                let utc = wall - observance.before
                changes.append(.init(utc: utc, offset: observance.after))
                if utc < earliest?.utc ?? .max { earliest = (utc, observance.before) }
            }
        }
        guard let earliest else { return nil }
        return CalendarZone(first: earliest.before, changes: changes)
    }
}

/// A STANDARD or DAYLIGHT part of a zone.
private struct Observance {
    let before: Int64
    let after: Int64
    private let start: ReadTime
    private var rules: [RecurrenceRule] = []
    private var dates: [WallSeconds] = []

    init?(_ component: OpaquePointer) {
        var (start, before, after): (ReadTime?, Int64?, Int64?)
        for property in LibicalComponent.properties(of: component) {
            switch icalproperty_isa(property) {
            case ICAL_DTSTART_PROPERTY: start = LibicalValue.time(property)
            case ICAL_TZOFFSETFROM_PROPERTY:
                before = Int64(icalproperty_get_tzoffsetfrom(property))
            case ICAL_TZOFFSETTO_PROPERTY: after = Int64(icalproperty_get_tzoffsetto(property))
            case ICAL_RRULE_PROPERTY:
                if let rule = RecurrenceRule(property) { rules.append(rule) }
            case ICAL_RDATE_PROPERTY:
                let value = icalproperty_get_rdate(property)
                if let time = ReadTime.valid(value.time, zoneName: nil) { dates.append(time.wall) }
            default: break
            }
        }
        let offsets = -86_400...Int64(86_400)
        guard let start, let before, let after, offsets.contains(before), offsets.contains(after)
        else { return nil }
        (self.start, self.before, self.after) = (start, before, after)
    }

    /// The wall times at which it begins, by the offset before.
    func onsets(
        until last: Int64, _ budget: inout RecurrenceExpansion.Budget
    ) -> [WallSeconds] {
        var onsets = [start.wall] + dates
        for rule in rules {
            let expansion = RecurrenceExpansion(
                rule, start: start.wall, isDate: false, utc: { [before] in $0 - before })
            onsets += expansion.starts(from: start.wall, to: last + 86_400, &budget)
        }
        return onsets
    }
}
