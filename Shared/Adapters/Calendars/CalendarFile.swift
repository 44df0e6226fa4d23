/// A feed cut into its components. It knows the frame only; libical reads the components.
struct CalendarFile {
    /// Lines of a component, with those properties and parts that matter here.
    struct Component {
        var text: [UInt8]
        var line: Int
        var values = 0
    }

    struct Calendar {
        var events: [Component] = []
        var zones: [Component] = []
        var isCancelling = false
    }

    private(set) var calendars: [Calendar] = []
    private let limits: CalendarLimits
    private var componentCount = 0
    /// The names of the open components.
    private var open: [String] = []
    private var current: Component?

    private static let eventProperties: Set = [
        "UID", "DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE",
        "RECURRENCE-ID", "STATUS", "SUMMARY", "LOCATION", "CATEGORIES", "ORGANIZER", "ATTENDEE",
        "TRANSP", "SEQUENCE", "URL",
    ]
    /// Properties with lists of values. libical copies the parameters for each value.
    private static let lists: Set = ["RDATE", "EXDATE", "CATEGORIES"]
    private static let mostListHead = 500
    /// Properties without which an event is whole. Some programs write them without a value.
    private static let optional: Set = [
        "DTEND", "DURATION", "EXRULE", "EXDATE", "STATUS", "SUMMARY", "LOCATION", "CATEGORIES",
        "ORGANIZER", "ATTENDEE", "TRANSP", "SEQUENCE", "URL",
    ]
    private static let zoneProperties: Set = [
        "TZID", "DTSTART", "TZOFFSETFROM", "TZOFFSETTO", "RRULE", "RDATE",
    ]

    init(
        _ bytes: [UInt8], limits: CalendarLimits, report: (CalendarFault.What, String, Int) -> Void
    ) throws(CalendarError) {
        self.limits = limits
        guard bytes.count <= limits.mostBytes else {
            throw .tooManyBytes(limit: limits.mostBytes)
        }
        var lines = CalendarLines(bytes, mostLineBytes: limits.mostLineBytes)
        var isLatin = false
        while let line = lines.next() {
            if line.isLatin, !isLatin {
                isLatin = true
                report(.notUTF8, open.last ?? "", line.number)
            }
            if calendars.isEmpty && open.isEmpty {
                guard Self.upper(line.bytes) == Array("BEGIN:VCALENDAR".utf8) else {
                    throw .notACalendar
                }
            }
            do throws(CalendarError) {
                try read(line, report)
            } catch {
                // An END that was sent in half ends nothing.
                guard case .unbalanced = error, lines.isCutOff else { throw error }
                throw .truncated
            }
        }
        guard open.isEmpty else { throw .truncated }
        guard !calendars.isEmpty else { throw .empty }
    }

    private mutating func read(
        _ line: CalendarLines.Line, _ report: (CalendarFault.What, String, Int) -> Void
    ) throws(CalendarError) {
        let colon = line.bytes.firstIndex { $0 == 0x3A || $0 == 0x3B } ?? line.bytes.endIndex
        let name = String(decoding: Self.upper(line.bytes[..<colon]), as: UTF8.self)
        switch name {
        case "BEGIN": try begin(Self.value(line.bytes, after: colon), line.number)
        case "END": try end(Self.value(line.bytes, after: colon), line.number)
        default:
            guard let component = open.last else {
                return report(.outsideCalendar, "", line.number)
            }
            if open.count == 1 {
                let value = Self.value(line.bytes, after: colon)
                if name == "METHOD" && value == "CANCEL" {
                    calendars[calendars.count - 1].isCancelling = true
                }
                return
            }
            guard current != nil, keeps(name) else { return }
            let head = line.bytes.firstIndex(of: 0x3A) ?? line.bytes.count
            if line.isTooLong || (Self.lists.contains(name) && head > Self.mostListHead) {
                return report(.lineTooLong, component, line.number)
            }
            // libical takes a line without a value for an error.
            if Self.optional.contains(name), Self.lacksValue(line.bytes) { return }
            let values = 1 + (Self.lists.contains(name) ? line.bytes.count { $0 == 0x2C } : 0)
            current?.values += values
            guard current.map({ $0.values <= limits.mostValues }) == true else {
                return report(.tooManyValues, component, line.number)
            }
            append(line.bytes)
        }
    }

    private mutating func begin(_ name: String, _ line: Int) throws(CalendarError) {
        if open.isEmpty {
            guard name == "VCALENDAR" else { throw .unbalanced(line: line) }
            calendars.append(Calendar())
        }
        componentCount += 1
        guard componentCount <= limits.mostComponents else {
            throw .tooManyComponents(limit: limits.mostComponents)
        }
        open.append(name)
        guard open.count <= limits.mostDepth else {
            throw .nestedTooDeeply(limit: limits.mostDepth)
        }
        if open.count == 2, name == "VEVENT" || name == "VTIMEZONE" {
            current = Component(text: [], line: line)
        }
        if isKept { append(Array("BEGIN:\(name)".utf8)) }
    }

    private mutating func end(_ name: String, _ line: Int) throws(CalendarError) {
        guard open.last == name else { throw .unbalanced(line: line) }
        if isKept { append(Array("END:\(name)".utf8)) }
        open.removeLast()
        guard open.count == 1, let component = current else { return }
        current = nil
        if name == "VEVENT" {
            calendars[calendars.count - 1].events.append(component)
        } else {
            calendars[calendars.count - 1].zones.append(component)
        }
    }

    /// Whether the innermost open component is for libical: no alarms, for instance.
    private var isKept: Bool {
        guard current != nil else { return false }
        switch open.count {
        case 2: return true
        case 3: return open[1] == "VTIMEZONE" && ["STANDARD", "DAYLIGHT"].contains(open[2])
        default: return false
        }
    }

    private func keeps(_ name: String) -> Bool {
        guard isKept else { return false }
        return (open[1] == "VEVENT" ? Self.eventProperties : Self.zoneProperties).contains(name)
    }

    private mutating func append(_ line: [UInt8]) {
        current?.text += line
        current?.text += [0x0D, 0x0A]
    }

    /// Whether nothing stands behind the colon that begins the value. Colons in quotes begin none.
    private static func lacksValue(_ line: [UInt8]) -> Bool {
        var isQuoted = false
        for (index, byte) in line.enumerated() {
            if byte == 0x22 { isQuoted.toggle() }
            if byte == 0x3A, !isQuoted {
                return line[(index + 1)...].allSatisfy { $0 == 0x20 || $0 == 0x09 }
            }
        }
        return false
    }

    private static func value(_ line: [UInt8], after place: Int) -> String {
        let rest = upper(line[place...].dropFirst())
        return String(decoding: rest.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self)
    }

    private static func upper(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { (0x61...0x7A).contains($0) ? $0 - 32 : $0 }
    }
}
