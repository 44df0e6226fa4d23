public import Events
import Timetables
import VectorGraphics

/// The picture of a room's week as SVG: a column for each day, hours downwards.
///
/// It is 1080 pixels wide, as wide as a phone, and its letters are large enough there. Every
/// booking is an element with a title, which has its complete title, rooms and times. They are in
/// order of time. Where a block is too small for its title it has a number, and a list below has
/// the words. Blocks side by side that are too narrow for a number are one. No meaning is in
/// colour alone: an unconfirmed booking has a dashed edge and a `?`.
public struct WeekPicture: Sendable {
    public static let widthPixels = 1_080.0

    public let week: WeekOfRoom
    /// The room's name, and its building and floor.
    public var name: String
    public var place: String?
    /// The names of rooms that share a booking with this one.
    public var roomNames: [RoomID: String]
    /// Whether a source has a timetable of this room for all of the week. If not, an empty week
    /// means nothing.
    public var isKnown: Bool
    /// Set when the source has not been read for long: the time at which the week was so.
    public var oldSince: Timestamp?
    /// Draws a line at this time; nil for none.
    public var now: Timestamp?
    public var words: TimetableWords

    public init(
        _ week: WeekOfRoom, name: String, place: String? = nil,
        roomNames: [RoomID: String] = [:], isKnown: Bool = true, oldSince: Timestamp? = nil,
        now: Timestamp? = nil, words: TimetableWords
    ) {
        self.week = week
        self.name = name
        self.place = place
        self.roomNames = roomNames
        self.isKnown = isKnown
        self.oldSince = oldSince
        self.now = now
        self.words = words
    }

    /// The complete, self-contained file.
    public func svg() -> String {
        var drawing = Drawing()
        let head = WeekHead(picture: self)
        let grid = WeekGrid(picture: self, top: head.height)
        var chart = Drawing()
        var marks = WeekMarks()
        grid.draw(&marks, in: &chart)
        let foot = WeekList(marks, of: self, top: grid.bottom + 24)
        let height = foot.bottom + 20
        drawing.open("g", "lang=\"\(words.code)\"")
        drawing.title(summary)
        drawing.rectangle(0, 0, Self.widthPixels, height, "fill=\"#ffffff\"")
        head.draw(in: &drawing)
        drawing.append(chart)
        foot.draw(in: &drawing)
        drawing.close("g")
        return drawing.finish(width: Self.widthPixels, height: height)
    }

    private var summary: String {
        "\(ForeignText(name).isolated), \(words.week) \(week.week.number), "
            + words.dates(of: week.week)
    }

    /// Nil where there is something to draw; else why not, in words.
    public var emptiness: String? {
        guard week.isEmpty else { return nil }
        return isKnown ? words.empty : words.unknown
    }

    /// The words that bookings may be missing beside those that are shown; nil where none can be.
    public var missingPart: String? {
        isKnown || week.isEmpty ? nil : words.unknownPart
    }

    /// All there is to know about a booking: title, kind, day, times, rooms, people.
    ///
    /// - Parameter isInList: whether it is for the list below, where a long title may be cut. So
    ///   the times come first, and the picture's own room is left out.
    func description(of shown: WeekOfRoom.Booking, isInList: Bool = false) -> String {
        let booking = shown.booking
        var parts = [title(of: booking).isolated]
        if let kind = booking.kind { parts.append(ForeignText(kind).isolated) }
        parts.insert(times(of: shown), at: isInList ? 0 : parts.count)
        let rooms = booking.rooms.filter { !isInList || $0 != week.room }
        if !rooms.isEmpty {
            let names = rooms.map { ForeignText(roomName($0)).isolated }
            parts.append(names.joined(separator: ", "))
        }
        if !booking.people.isEmpty {
            parts.append(booking.people.map { ForeignText($0).isolated }.joined(separator: ", "))
        }
        if booking.isTentative { parts.append(words.tentative) }
        return parts.joined(separator: " · ")
    }

    /// The title, or a word for it where the source has none.
    private func title(of booking: RoomBooking) -> ForeignText {
        let title = ForeignText(booking.title)
        return title.text.isEmpty ? ForeignText(words.booked) : title
    }

    /// The title for a box, with the mark of a booking that is not certain.
    func boxTitle(of booking: RoomBooking) -> ForeignText {
        ForeignText((booking.isTentative ? "? " : "") + title(of: booking).text)
    }

    /// The name of a room, or else its id.
    public func roomName(_ room: RoomID) -> String {
        room == week.room ? name : roomNames[room] ?? room.text
    }

    /// Such as `Monday 23 November, 09:00–11:00`, with both days where there are two, and with the
    /// offsets where the clocks change in between.
    private func times(of shown: WeekOfRoom.Booking) -> String {
        let (first, last) = (shown.starts, shown.ends)
        if shown.booking.isAllDay {
            let end = last.minutes == 0 ? last.day.advanced(by: -1) : last.day
            let days =
                end <= first.day
                ? words.day(first.day) : "\(words.day(first.day)) – \(words.day(end))"
            return "\(days), \(words.allDay)"
        }
        let hasChange = shown.startOffsetSeconds != shown.endOffsetSeconds
        let start = first.clock + (hasChange ? " (\(offset(shown.startOffsetSeconds)))" : "")
        let end = last.clock + (hasChange ? " (\(offset(shown.endOffsetSeconds)))" : "")
        if first.day == last.day { return "\(words.day(first.day)), \(start)–\(end)" }
        return "\(words.day(first.day)), \(start) – \(words.day(last.day)), \(end)"
    }

    private func offset(_ seconds: Int) -> String {
        let minutes = abs(seconds) / 60
        let hours = "\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
        return "UTC\(seconds < 0 ? "−" : "+")\(hours)"
    }
}

extension Drawing {
    /// Words of a source at the side where their script begins.
    mutating func foreign(
        _ words: ForeignText, _ line: String? = nil, left: Double, width: Double, _ y: Double,
        size: Double, _ attributes: String = ""
    ) {
        let direction = words.isRightToLeft ? "direction=\"rtl\" unicode-bidi=\"embed\"" : ""
        let all = [direction, attributes].filter { !$0.isEmpty }.joined(separator: " ")
        text(
            line ?? words.text, words.isRightToLeft ? left + width : left, y, .start, size: size,
            all)
    }
}
