import CICal

/// Writes instances as a feed in the iCalendar format (RFC 5545), made and escaped by libical.
public enum CalendarWriter {
    /// A VCALENDAR with an event for each instance, in UTF-8 with lines that end with CR LF.
    ///
    /// - Parameters:
    ///   - product: the PRODID.
    ///   - stampMicroseconds: the DTSTAMP of all events, in UTC since 1970.
    ///   - zone: the IANA zone in which days of all-day instances begin.
    ///
    /// - Throws: `CalendarError.unknownFloatingZone`.
    public static func text(
        of instances: [CalendarInstance], product: String, stampMicroseconds: Int64,
        zone: String
    ) throws(CalendarError) -> String {
        let last = (instances.map(\.endMicroseconds).max() ?? 0) / 1_000_000 + 366 * 86_400
        guard let days = CalendarZone(identifier: zone, until: last) else {
            throw .unknownFloatingZone(zone)
        }
        guard let calendar = icalcomponent_new(ICAL_VCALENDAR_COMPONENT) else { return "" }
        defer { icalcomponent_free(calendar) }
        icalcomponent_add_property(calendar, icalproperty_new_version("2.0"))
        icalcomponent_add_property(calendar, icalproperty_new_prodid(printable(product)))
        for instance in instances {
            guard let event = icalcomponent_new(ICAL_VEVENT_COMPONENT) else { continue }
            icalcomponent_add_property(event, icalproperty_new_uid(printable(instance.uid)))
            icalcomponent_add_property(event, icalproperty_new_dtstamp(time(stampMicroseconds)))
            addTimes(instance, days, to: event)
            icalcomponent_add_property(
                event, icalproperty_new_summary(printable(instance.summary)))
            if let location = instance.location {
                icalcomponent_add_property(event, icalproperty_new_location(printable(location)))
            }
            icalcomponent_add_property(event, icalproperty_new_status(status(instance.status)))
            icalcomponent_add_component(calendar, event)
        }
        guard let text = icalcomponent_as_ical_string_r(calendar) else { return "" }
        defer { icalmemory_free_buffer(text) }
        return String(cString: text)
    }

    private static func addTimes(
        _ instance: CalendarInstance, _ days: CalendarZone, to event: OpaquePointer
    ) {
        func written(_ microseconds: Int64) -> icaltimetype {
            guard instance.isAllDay else { return time(microseconds) }
            let wall = days.wall(floor(microseconds))
            let date = CivilDate(dayNumber: floored(Int(wall), 86_400).quotient)
            var time = icaltime_null_date()
            (time.year, time.month, time.day) = (
                Int32(date.year), Int32(date.month), Int32(date.day)
            )
            return time
        }
        icalcomponent_add_property(
            event, icalproperty_new_dtstart(written(instance.startMicroseconds)))
        icalcomponent_add_property(event, icalproperty_new_dtend(written(instance.endMicroseconds)))
        if !instance.recurrence.isEmpty {
            icalcomponent_add_property(
                event,
                icalproperty_new_recurrenceid(icaltime_from_string(instance.recurrence)))
        }
    }

    private static func floor(_ microseconds: Int64) -> Int64 {
        Int64(floored(Int(microseconds), 1_000_000).quotient)
    }

    private static func time(_ microseconds: Int64) -> icaltimetype {
        icaltime_from_timet_with_zone(
            time_t(floor(microseconds)), 0, icaltimezone_get_utc_timezone())
    }

    private static func status(_ status: CalendarInstance.Status) -> icalproperty_status {
        switch status {
        case .confirmed: ICAL_STATUS_CONFIRMED
        case .tentative: ICAL_STATUS_TENTATIVE
        case .cancelled: ICAL_STATUS_CANCELLED
        }
    }

    /// Without control characters, which a text may not contain (section 3.3.11), but with
    /// line breaks.
    private static func printable(_ text: String) -> String {
        let lines = text.replacing("\r\n", with: "\n")
        return String(
            String.UnicodeScalarView(
                lines.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 || $0 == "\n" }))
    }
}
