import Calendars
import Events
import Timetables

/// Reads feeds in the iCalendar format.
enum CalendarFeed {
    static func parts(
        in body: [UInt8], _ horizon: TimetableHorizon, zone: String, keepsPeople: Bool
    ) throws(FeedFault) -> FeedParts {
        var limits = CalendarLimits()
        limits.mostInstances = FeedSize.mostBookings
        let reading: CalendarReading
        do throws(CalendarError) {
            reading = try CalendarReader.instances(
                in: body, from: horizon.begins.microseconds, to: horizon.ends.microseconds,
                floatingZone: zone, limits: limits)
        } catch {
            throw FeedFault(error.words)
        }
        var parts = FeedParts()
        parts.leftOut = reading.faults.map(\.words)
        parts.isIncomplete = reading.losesInstances
        let withoutEnd = reading.faults.filter { $0.what == .endBeforeStart }
        var named = Set(withoutEnd.compactMap(\.line))
        var size = FeedSize()
        var texts: [Int: EventTexts] = [:]
        // An event that leaves its time free takes no room.
        for instance in reading.instances where !instance.isTransparent {
            guard !instance.takesNoTime else {
                // Its source means that, unless its end is before its start: that is a fault.
                if named.count < UnmatchedPlaces.most, named.insert(instance.line).inserted {
                    parts.leftOut.append(instance.wordsOfNoTime)
                }
                continue
            }
            let ofEvent =
                texts[instance.line] ?? EventTexts(of: instance, keepsPeople: keepsPeople)
            texts[instance.line] = ofEvent
            let booking = FoundBooking(instance, ofEvent)
            try size.add(booking)
            parts.bookings.append(booking)
        }
        return parts
    }
}

/// The texts of an event, which all its instances share.
private struct EventTexts {
    let title: String
    let kind: String?
    let places: [String]
    let people: [String]

    init(of instance: CalendarInstance, keepsPeople: Bool) {
        title = tidied(instance.summary)
        kind = instance.categories.first.map { tidied($0) }
        places = instance.location.map { [tidied($0)] } ?? []
        guard keepsPeople else {
            people = []
            return
        }
        let named = [instance.organizer].compactMap(\.self) + instance.attendees
        people = named.prefix(BookingLimits.people).map { tidied(Self.name($0)) }
            .filter { !$0.isEmpty }
    }

    /// An address is cut before its @, since names were asked for.
    private static func name(_ text: String) -> String {
        let isAddress = text.lowercased().hasPrefix("mailto:")
        let name = isAddress ? text.dropFirst(7) : text[...]
        guard isAddress || !name.contains(where: \.isWhitespace) else { return text }
        return String(name.prefix { $0 != "@" })
    }
}

extension FoundBooking {
    fileprivate init(_ instance: CalendarInstance, _ texts: EventTexts) {
        self.init(
            key: "\(instance.uid)\n\(instance.recurrence)", places: texts.places,
            starts: Timestamp(microseconds: instance.startMicroseconds),
            ends: Timestamp(microseconds: instance.endMicroseconds),
            isAllDay: instance.isAllDay, title: texts.title, kind: texts.kind,
            people: texts.people, isTentative: instance.status == .tentative,
            isCancelled: instance.status == .cancelled)
    }
}

extension CalendarInstance {
    /// Whether it is a moment. A cancellation needs no length.
    fileprivate var takesNoTime: Bool {
        startMicroseconds == endMicroseconds && status != .cancelled
    }

    fileprivate var wordsOfNoTime: String { tidied("\(uid) takes up no time (line \(line))") }
}

extension CalendarFault {
    fileprivate var words: String {
        let place = line.map { " (line \($0))" } ?? ""
        let reason =
            switch what {
            case .noStart: "has no start that can be read"
            case .noUID: "has no UID"
            case .endBeforeStart: "ends before it starts"
            case .unreadable(let value): "has a value that can't be read: \(value)"
            case .unreadableRule: "has a rule that can't be read"
            case .unknownZone(let name): "names the unknown zone \(name)"
            case .unreadableZone(let name): "names the zone \(name), which can't be read"
            case .tooManyInstances: "has too many instances"
            case .tooMuchWork: "has a rule that takes too long"
            case .lineTooLong: "has a line that is too long"
            case .tooManyValues: "has too many values"
            case .textTooLong: "has a long text, which is cut"
            case .outsideCalendar: "stands outside of the calendar"
            case .notUTF8: "has letters that are no UTF-8: they are read as Latin-1"
            }
        return tidied("\(component) \(reason)\(place)")
    }
}

extension CalendarError {
    fileprivate var words: String {
        switch self {
        case .empty: "the answer is empty"
        case .notACalendar: "the answer is no calendar: it does not begin with BEGIN:VCALENDAR"
        case .truncated: "the calendar ends too early: perhaps it was sent in half"
        case .unbalanced(let line): "line \(line) ends what has not begun"
        case .unknownFloatingZone(let name): "\(name) is no time zone: set the feed's timeZone"
        case .tooManyBytes(let limit): "the calendar has more than \(limit) bytes"
        case .tooManyComponents(let limit): "the calendar has more than \(limit) components"
        case .tooManyInstances(let limit): "the calendar has more than \(limit) instances"
        case .tooMuchWork(let limit): "the rules need more than \(limit) steps"
        case .nestedTooDeeply(let limit): "components are nested more than \(limit) times"
        }
    }
}
