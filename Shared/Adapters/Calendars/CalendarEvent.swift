import CICal

/// A VEVENT as it stands in the feed, with zones still by name.
struct CalendarEvent {
    enum Length: Hashable {
        case end(ReadTime)
        case duration(NominalDuration)
        case unstated
    }

    struct AddedDate {
        var start: ReadTime
        /// Only periods have one.
        var length: Length?
    }

    /// The place in the feed.
    var order: Int
    var line: Int
    var start: ReadTime
    var length = Length.unstated
    var rules: [RecurrenceRule] = []
    var exceptionRules: [RecurrenceRule] = []
    var addedDates: [AddedDate] = []
    var exceptionDates: [ReadTime] = []
    var recurrenceID: ReadTime?
    var isThisAndFuture = false
    /// Everything but the times and the recurrence.
    var details: CalendarInstance

    var isRecurring: Bool { !rules.isEmpty || !addedDates.isEmpty }
}

/// Reads a VEVENT by libical.
struct CalendarEventReader {
    /// Attendees, and categories, that are kept of an event. A component may have 20,000.
    private static let mostListed = 100

    private let mostTextBytes: Int
    private let line: Int
    private var start: ReadTime?
    private var event: CalendarEvent
    private(set) var faults: [CalendarFault.What] = []

    init(_ component: CalendarFile.Component, order: Int, mostTextBytes: Int) {
        self.mostTextBytes = mostTextBytes
        line = component.line
        event = CalendarEvent(
            order: order, line: line, start: ReadTime(icaltime_null_date()),
            details: CalendarInstance(
                uid: "", startMicroseconds: 0, endMicroseconds: 0, line: line))
        guard let read = LibicalComponent(component.text) else {
            faults.append(.unreadable("no component"))
            return
        }
        for property in LibicalComponent.properties(of: read.pointer) { readProperty(property) }
    }

    /// The event's UID, for faults.
    var uid: String { event.details.uid }

    /// Nil without a start or a UID.
    mutating func result() -> CalendarEvent? {
        guard let start else {
            faults.append(.noStart)
            return nil
        }
        guard !event.details.uid.isEmpty else {
            faults.append(.noUID)
            return nil
        }
        event.start = start
        event.details.isAllDay = start.isDate
        return event
    }

    private mutating func readProperty(_ property: OpaquePointer) {
        switch icalproperty_isa(property) {
        case ICAL_DTSTART_PROPERTY: start = start ?? time(property)
        case ICAL_DTEND_PROPERTY: if let end = time(property) { event.length = .end(end) }
        case ICAL_DURATION_PROPERTY:
            if let value = icalproperty_get_value(property), event.length == .unstated,
                icalvalue_isa(value) == ICAL_DURATION_VALUE,
                let duration = LibicalValue.duration(icalvalue_get_duration(value))
            {
                event.length = .duration(duration)
            }
        case ICAL_RRULE_PROPERTY:
            if let rule = rule(property) { event.rules.append(rule) }
        case ICAL_EXRULE_PROPERTY:
            if let rule = rule(property) { event.exceptionRules.append(rule) }
        case ICAL_RDATE_PROPERTY: readAddedDate(property)
        case ICAL_EXDATE_PROPERTY:
            if let date = time(property) { event.exceptionDates.append(date) }
        case ICAL_RECURRENCEID_PROPERTY:
            event.recurrenceID = time(property)
            if let range = icalproperty_get_first_parameter(property, ICAL_RANGE_PARAMETER) {
                event.isThisAndFuture =
                    icalparameter_get_range(range) == ICAL_RANGE_THISANDFUTURE
            }
        case ICAL_XLICERROR_PROPERTY:
            faults.append(.unreadable(cut(icalproperty_get_xlicerror(property)) ?? ""))
        default: readDetail(property)
        }
    }

    private mutating func readDetail(_ property: OpaquePointer) {
        switch icalproperty_isa(property) {
        case ICAL_UID_PROPERTY: event.details.uid = cut(icalproperty_get_uid(property)) ?? ""
        case ICAL_SUMMARY_PROPERTY:
            event.details.summary = cut(icalproperty_get_summary(property)) ?? ""
        case ICAL_LOCATION_PROPERTY:
            event.details.location = cut(icalproperty_get_location(property))
        case ICAL_CATEGORIES_PROPERTY:
            if event.details.categories.count < Self.mostListed,
                let name = cut(icalproperty_get_categories(property))
            {
                event.details.categories.append(name)
            }
        case ICAL_ORGANIZER_PROPERTY:
            event.details.organizer = person(property, icalproperty_get_organizer(property))
        case ICAL_ATTENDEE_PROPERTY:
            if event.details.attendees.count < Self.mostListed,
                let attendee = person(property, icalproperty_get_attendee(property))
            {
                event.details.attendees.append(attendee)
            }
        case ICAL_URL_PROPERTY: event.details.url = cut(icalproperty_get_url(property))
        case ICAL_SEQUENCE_PROPERTY:
            event.details.sequence = Int(icalproperty_get_sequence(property))
        case ICAL_TRANSP_PROPERTY:
            let value = icalproperty_get_transp(property)
            event.details.isTransparent =
                value == ICAL_TRANSP_TRANSPARENT || value == ICAL_TRANSP_TRANSPARENTNOCONFLICT
        case ICAL_STATUS_PROPERTY:
            let status = icalproperty_get_status(property)
            event.details.status =
                status == ICAL_STATUS_CANCELLED
                ? .cancelled : status == ICAL_STATUS_TENTATIVE ? .tentative : .confirmed
        default: break
        }
    }

    /// The name of an organizer or attendee or, without one, the address.
    private mutating func person(
        _ property: OpaquePointer, _ address: UnsafePointer<CChar>?
    ) -> String? {
        if let parameter = icalproperty_get_first_parameter(property, ICAL_CN_PARAMETER),
            let name = cut(icalparameter_get_cn(parameter)), !name.isEmpty
        {
            return name
        }
        return cut(address)
    }

    private mutating func time(_ property: OpaquePointer) -> ReadTime? {
        let time = LibicalValue.time(property)
        if time == nil { faults.append(.unreadable("a date or time")) }
        return time
    }

    private mutating func rule(_ property: OpaquePointer) -> RecurrenceRule? {
        let rule = RecurrenceRule(property)
        if rule == nil { faults.append(.unreadableRule) }
        return rule
    }

    private mutating func readAddedDate(_ property: OpaquePointer) {
        let value = icalproperty_get_rdate(property)
        let zone = LibicalValue.zoneName(property)
        let isPeriod = icaltime_is_null_time(value.time) != 0
        let start = ReadTime.valid(isPeriod ? value.period.start : value.time, zoneName: zone)
        guard let start else {
            faults.append(.unreadable("a date or time"))
            return
        }
        var length: CalendarEvent.Length?
        if isPeriod {
            if let end = ReadTime.valid(value.period.end, zoneName: zone) {
                length = .end(end)
            } else if let duration = LibicalValue.duration(value.period.duration) {
                length = .duration(duration)
            }
        }
        event.addedDates.append(.init(start: start, length: length))
    }

    private mutating func cut(_ text: UnsafePointer<CChar>?) -> String? {
        guard let text = LibicalValue.text(text) else { return nil }
        guard text.utf8.count > mostTextBytes else { return text }
        faults.append(.textTooLong)
        // A letter that is cut in two is left out.
        var bytes = Array(text.utf8.prefix(mostTextBytes))
        while String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
