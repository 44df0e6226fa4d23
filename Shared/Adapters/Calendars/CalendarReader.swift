/// Reads feeds in the iCalendar format (RFC 5545).
///
/// libical reads the components. The frame around them, the expansion of rules and the zones'
/// changes are bounded here: see docs/decisions/0057.
public enum CalendarReader {
    /// The instances that overlap the window, of all calendars in the bytes.
    ///
    /// Instances that are cancelled are returned, too, with their status.
    ///
    /// - Parameters:
    ///   - from: the window's begin, in microseconds in UTC since 1970.
    ///   - to: the window's end, which is outside. Ten years after the begin at most.
    ///   - floatingZone: the IANA zone of times without a zone, and of all-day events.
    ///
    /// - Throws: `CalendarError` when the feed as a whole can't be read.
    public static func instances(
        in bytes: [UInt8], from: Int64, to: Int64, floatingZone: String,
        limits: CalendarLimits = CalendarLimits()
    ) throws(CalendarError) -> CalendarReading {
        precondition(from <= to && to - from <= mostWindowMicroseconds)
        let fromSeconds = Int64(floored(Int(from), 1_000_000).quotient)
        let toSeconds = Int64(floored(Int(to) + 999_999, 1_000_000).quotient)
        let last = toSeconds + 366 * 86_400
        guard let floating = CalendarZone(identifier: floatingZone, until: last) else {
            throw .unknownFloatingZone(floatingZone)
        }
        var reading = CalendarReading()
        let file = try CalendarFile(bytes, limits: limits) { what, component, line in
            reading.report(what, component, line: line)
        }
        var steps = limits.mostWork
        for calendar in file.calendars {
            let zones = CalendarZoneTable(
                calendar.zones, floating: floating, until: last, steps: limits.mostWorkOfOne)
            var context = ExpansionContext(
                from: fromSeconds, to: toSeconds, limits: limits, zones: zones, reading: reading,
                steps: steps)
            // The reading is in one place only, so that it is not copied.
            reading = CalendarReading()
            context.isCancelling = calendar.isCancelling
            for series in series(of: calendar, &context, limits) {
                try series.expand(&context)
                guard context.steps > 0 else { throw .tooMuchWork(limit: limits.mostWork) }
            }
            for fault in context.zones.faults {
                context.reading.report(fault.what, "VTIMEZONE", line: fault.line)
            }
            steps = context.steps
            reading = context.reading
        }
        reading.instances.sort {
            ($0.startMicroseconds, $0.uid, $0.recurrence)
                < ($1.startMicroseconds, $1.uid, $1.recurrence)
        }
        return reading
    }

    private static let mostWindowMicroseconds: Int64 = 3_653 * 86_400 * 1_000_000

    /// The events by UID, in the order of the feed.
    private static func series(
        of calendar: CalendarFile.Calendar, _ context: inout ExpansionContext,
        _ limits: CalendarLimits
    ) -> [CalendarSeries] {
        var events: [[CalendarEvent]] = []
        var places: [String: Int] = [:]
        for (order, component) in calendar.events.enumerated() {
            var reader = CalendarEventReader(
                component, order: order, mostTextBytes: limits.mostTextBytes)
            let event = reader.result()
            for fault in reader.faults {
                context.reading.report(
                    fault, reader.uid.isEmpty ? "VEVENT" : reader.uid, line: component.line)
            }
            guard let event else { continue }
            if let place = places[event.details.uid] {
                events[place].append(event)
            } else {
                places[event.details.uid] = events.count
                events.append([event])
            }
        }
        return events.map { CalendarSeries($0) }
    }
}
