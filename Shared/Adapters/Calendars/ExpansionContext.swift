/// The window, zones and bounds that all series of a calendar share, and their instances.
struct ExpansionContext {
    /// Seconds in UTC. The window is half open.
    let from: Int64
    let to: Int64
    let limits: CalendarLimits
    var zones: CalendarZoneTable
    var reading: CalendarReading
    /// Steps that are left for all series.
    var steps: Int
    var isCancelling = false
    /// The places of events whose end is reported. A series has the same one in each instance.
    private var withoutEnd: Set<Int> = []

    init(
        from: Int64, to: Int64, limits: CalendarLimits, zones: CalendarZoneTable,
        reading: CalendarReading, steps: Int
    ) {
        self.from = from
        self.to = to
        self.limits = limits
        self.zones = zones
        self.reading = reading
        self.steps = steps
    }

    /// For the rules of one event.
    var budget: RecurrenceExpansion.Budget {
        .init(
            steps: min(limits.mostWorkOfOne, max(0, steps)), instances: limits.mostInstancesOfOne)
    }

    mutating func spend(_ left: RecurrenceExpansion.Budget, _ event: CalendarEvent) {
        steps -= budget.steps - left.steps
        if left.steps <= 0 {
            reading.report(.tooMuchWork, event.details.uid, line: event.line)
        } else if left.instances <= 0 {
            reading.report(.tooManyInstances, event.details.uid, line: event.line)
        }
    }

    /// The end in UTC of an instance that starts at `wall`.
    mutating func end(
        of event: CalendarEvent, at wall: WallSeconds, _ zone: CalendarZone,
        _ length: CalendarEvent.Length
    ) -> Int64 {
        switch length {
        case .unstated: zone.utc(event.start.isDate ? wall + 86_400 : wall)
        case .duration(let duration):
            // Days keep the wall clock; hours are exact (RFC 5545, section 3.3.6).
            zone.utc(wall + duration.days * 86_400) + duration.seconds
        case .end(let end): endLike(end, of: event, at: wall, zone)
        }
    }

    /// The end of an instance whose event, or period, ends at a stated time. Every instance has
    /// the same exact length (RFC 5545, section 3.8.5.3), or as many days if it is all-day.
    private mutating func endLike(
        _ end: ReadTime, of event: CalendarEvent, at wall: WallSeconds, _ zone: CalendarZone
    ) -> Int64 {
        guard !event.start.isDate else {
            let days = floored(Int(end.wall - event.start.wall + 86_399), 86_400).quotient
            return zone.utc(wall + Int64(days) * 86_400)
        }
        let length = zones.utc(end) - zones.utc(event.start)
        return zone.utc(wall) + length
    }

    /// The length of an added date, which a period has for itself.
    mutating func length(
        of date: CalendarEvent.AddedDate, _ event: CalendarEvent
    ) -> CalendarEvent.Length {
        guard case .end(let end) = date.length else { return date.length ?? event.length }
        return .duration(NominalDuration(seconds: zones.utc(end) - zones.utc(date.start)))
    }

    /// Reports, once, an event that ends before it starts.
    mutating func reportEarlyEnd(of event: CalendarEvent) {
        let details = event.details
        guard !isCancelling, details.status != .cancelled, !details.isTransparent,
            withoutEnd.insert(event.order).inserted
        else { return }
        reading.report(.endBeforeStart, details.uid, line: event.line)
    }

    /// A time that can't be counted in microseconds becomes the last one that can.
    private static func microseconds(_ seconds: Int64) -> Int64 {
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflows ? (seconds < 0 ? .min : .max) : product
    }

    mutating func append(
        _ event: CalendarEvent, name: String, start: Int64, end: Int64
    ) throws(CalendarError) {
        guard reading.instances.count < limits.mostInstances else {
            throw .tooManyInstances(limit: limits.mostInstances)
        }
        var instance = event.details
        instance.recurrence = name
        instance.startMicroseconds = Self.microseconds(start)
        instance.endMicroseconds = Self.microseconds(end)
        if isCancelling { instance.status = .cancelled }
        reading.instances.append(instance)
    }
}
