import Events
import Timetables
import VectorGraphics

/// The hours and days, with a block for each part of a booking.
struct WeekGrid {
    /// A booking whose words did not fit its block.
    struct Entry {
        var number: Int
        var words: ForeignText
    }

    private static let gutter = 88.0
    private static let headHeight = 84.0
    private static let allDayHeight = 46.0
    /// The most pixels for an hour, and for all hours of a long day.
    private static let (hourHeight, mostHeight) = (132.0, 1_900.0)

    let picture: WeekPicture
    let top: Double

    private var week: WeekOfRoom { picture.week }
    private var hours: Range<Int> { week.hours }

    /// Monday to Friday, and the weekend if something is booked there.
    private var days: [WeekOfRoom.Day] {
        let last = week.days.lastIndex { !$0.bookings.isEmpty } ?? 0
        return Array(week.days.prefix(max(5, last + 1)))
    }

    /// The columns from the left. Days with bookings side by side are wider.
    private var columns: [(left: Double, width: Double)] {
        let weights = days.map { day in
            switch day.parts.map(\.laneCount).max() {
            case nil: day.allDay.isEmpty ? 0.6 : 1.0
            case 1: 1.0
            case 2: 1.5
            default: 1.9
            }
        }
        let width = WeekPicture.widthPixels - Self.gutter - 12
        let unit = width / weights.reduce(0, +)
        var left = Self.gutter
        return weights.map { weight in
            defer { left += weight * unit }
            return (left, weight * unit)
        }
    }

    private var allDayRows: Int { days.map(\.allDay.count).max() ?? 0 }
    private var hoursTop: Double {
        top + Self.headHeight + Double(allDayRows) * Self.allDayHeight
    }
    private var scale: Double {
        let hour = min(Self.hourHeight, Self.mostHeight / Double(hours.count))
        // An empty week needs less room.
        return (week.isEmpty ? min(hour, 60) : hour) / 60
    }
    var bottom: Double { hoursTop + 60 * scale * Double(hours.count) }

    private func y(_ minutes: Int) -> Double {
        hoursTop + Double(minutes - 60 * hours.lowerBound) * scale
    }

    /// - Returns: the bookings that need a line in the list below.
    func draw(in drawing: inout Drawing) -> [Entry] {
        drawLines(in: &drawing)
        // Behind the blocks, so that it crosses no words.
        drawNow(in: &drawing)
        var entries: [Entry] = []
        for (day, column) in zip(days, columns) {
            drawHead(of: day, column, in: &drawing)
            for (row, shown) in day.allDay.enumerated() {
                let y = top + Self.headHeight + Double(row) * Self.allDayHeight
                drawAllDay(shown, column, y, in: &drawing)
            }
            for part in day.parts {
                let width = (column.width - 6) / Double(part.laneCount)
                let block = WeekBlock(
                    picture: picture, part: part,
                    left: column.left + 3 + Double(part.lane) * width,
                    top: y(part.minutes.lowerBound), width: width - 3,
                    height: Double(part.minutes.count) * scale - 3)
                if block.draw(number: entries.count + 1, in: &drawing) {
                    let words = ForeignText(
                        sentence: picture.description(of: part.shown, isInList: true))
                    entries.append(Entry(number: entries.count + 1, words: words))
                }
            }
        }
        if let why = picture.emptiness { drawEmptiness(why, in: &drawing) }
        return entries
    }

    private func drawEmptiness(_ why: String, in drawing: inout Drawing) {
        let (width, size) = (820.0, 42.0)
        let lines = ForeignText(why).lines(
            width: (width - 40) / ForeignText.bold, size: size, mostLines: 3
        ).lines
        let height = 54 * Double(lines.count) + 44
        let middle = (WeekPicture.widthPixels + Self.gutter) / 2
        var y = (hoursTop + bottom - height) / 2
        drawing.rectangle(
            middle - width / 2, y, width, height,
            "rx=\"10\" fill=\"#ffffff\" stroke=\"#666\" stroke-width=\"3\"")
        y += 64
        for line in lines {
            drawing.text(line, middle, y, .middle, size: size, "font-weight=\"700\"")
            y += 54
        }
    }

    private func drawLines(in drawing: inout Drawing) {
        let right = WeekPicture.widthPixels - 12
        for hour in hours.lowerBound...hours.upperBound {
            drawing.line(
                Self.gutter, y(60 * hour), right, y(60 * hour),
                "stroke=\"#c4c4c4\" stroke-width=\"2\"")
            guard hour < hours.upperBound else { continue }
            drawing.text(
                "\(twoDigits(hour)):00", Self.gutter - 8, y(60 * hour) + 24, .end, size: 26,
                "fill=\"#444\"")
        }
        for column in columns {
            drawing.line(
                column.left, top + 8, column.left, bottom, "stroke=\"#c4c4c4\" stroke-width=\"2\"")
        }
    }

    private func drawHead(
        of day: WeekOfRoom.Day, _ column: (left: Double, width: Double), in drawing: inout Drawing
    ) {
        let middle = column.left + column.width / 2
        let isToday = picture.now.map { day.moments.contains($0) } ?? false
        if isToday {
            drawing.rectangle(
                column.left + 4, top + 4, column.width - 8, Self.headHeight - 8,
                "rx=\"8\" fill=\"none\" stroke=\"#b3261e\" stroke-width=\"4\"")
        }
        drawing.text(
            picture.words.shortDays[day.day.weekday], middle, top + 34, .middle, size: 30,
            "font-weight=\"700\"")
        drawing.text(
            "\(day.day.date.day)\(picture.words.dayMark)", middle, top + 68, .middle, size: 30)
    }

    private func drawAllDay(
        _ shown: WeekOfRoom.Booking, _ column: (left: Double, width: Double), _ y: Double,
        in drawing: inout Drawing
    ) {
        drawing.open("g", "role=\"listitem\"")
        drawing.title(picture.description(of: shown))
        drawing.rectangle(
            column.left + 3, y, column.width - 6, Self.allDayHeight - 4,
            WeekBlock.edge(isTentative: shown.booking.isTentative))
        let words = ForeignText((shown.booking.isTentative ? "? " : "") + shown.booking.title)
        let width = column.width - 22
        let lines = words.lines(width: width / ForeignText.bold, size: 26, mostLines: 1).lines
        if let line = lines.first {
            drawing.foreign(
                words, line, left: column.left + 11, width: width, y + 31, size: 26,
                "font-weight=\"700\"")
        }
        drawing.close("g")
    }

    private func drawNow(in drawing: inout Drawing) {
        guard let now = picture.now,
            let index = days.firstIndex(where: { $0.moments.contains(now) })
        else { return }
        let minutes = week.zone.local(now).minutes
        guard minutes >= 60 * hours.lowerBound, minutes < 60 * hours.upperBound else { return }
        let (line, column) = (y(minutes), columns[index])
        let colour = "#b3261e"
        drawing.open("g")
        drawing.title("\(picture.words.now) \(week.zone.local(now).clock)")
        drawing.line(
            Self.gutter, line, column.left + column.width, line,
            "stroke=\"\(colour)\" stroke-width=\"3\" stroke-dasharray=\"10 6\" "
                + "stroke-opacity=\"0.4\"")
        drawing.line(
            column.left, line, column.left + column.width, line,
            "stroke=\"\(colour)\" stroke-width=\"6\" stroke-opacity=\"0.6\"")
        drawing.rectangle(2, line - 18, Self.gutter - 4, 36, "rx=\"6\" fill=\"\(colour)\"")
        drawing.text(
            picture.words.now, Self.gutter / 2, line + 9, .middle, size: 26,
            "font-weight=\"700\" fill=\"#ffffff\"")
        drawing.close("g")
    }
}
