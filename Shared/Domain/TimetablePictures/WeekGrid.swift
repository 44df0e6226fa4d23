import Events
import Timetables
import VectorGraphics

/// The hours and days, with a block for each part of a booking.
struct WeekGrid {
    private static let gutter = 88.0
    private static let headHeight = 84.0
    /// The most pixels for an hour, and for all hours of a long day.
    private static let (hourHeight, mostHeight) = (132.0, 1_900.0)

    let picture: WeekPicture
    let top: Double

    private let hours: Range<Int>
    /// Monday to Friday, and the weekend if something is booked there.
    private let days: [WeekOfRoom.Day]
    /// The columns from the left. Days with bookings side by side are wider.
    private let columns: [(left: Double, width: Double)]
    private let hoursTop: Double
    /// The pixels for a minute.
    private let scale: Double

    private var week: WeekOfRoom { picture.week }

    init(picture: WeekPicture, top: Double) {
        (self.picture, self.top) = (picture, top)
        let week = picture.week
        hours = week.hours
        let last = week.days.lastIndex { !$0.bookings.isEmpty } ?? 0
        days = Array(week.days.prefix(max(5, last + 1)))
        columns = Self.columns(of: days)
        let allDayRows = days.map(WeekAllDay.rows).max() ?? 0
        hoursTop = top + Self.headHeight + Double(allDayRows) * WeekAllDay.rowHeight
        let hour = min(Self.hourHeight, Self.mostHeight / Double(hours.count))
        // An empty week needs less room.
        scale = (week.isEmpty ? min(hour, 60) : hour) / 60
    }

    private static func columns(
        of days: [WeekOfRoom.Day]
    ) -> [(left: Double, width: Double)] {
        let weights = days.map { day in
            switch day.parts.map(\.laneCount).max() {
            case nil: day.allDay.isEmpty ? 0.6 : 1.0
            case 1: 1.0
            case 2: 1.5
            default: 1.9
            }
        }
        let width = WeekPicture.widthPixels - gutter - 12
        let unit = width / weights.reduce(0, +)
        var left = gutter
        return weights.map { weight in
            defer { left += weight * unit }
            return (left, weight * unit)
        }
    }

    var bottom: Double { hoursTop + 60 * scale * Double(hours.count) }

    private func y(_ minutes: Int) -> Double {
        hoursTop + Double(minutes - 60 * hours.lowerBound) * scale
    }

    /// Draws all of it, and gives a mark to each booking that needs a line in the list below.
    func draw(_ marks: inout WeekMarks, in drawing: inout Drawing) {
        drawLines(in: &drawing)
        // Behind the blocks, so that it crosses no words.
        drawNow(in: &drawing)
        for (day, column) in zip(days, columns) {
            drawHead(of: day, column, in: &drawing)
            let allDay = WeekAllDay(
                picture: picture, bookings: day.allDay, left: column.left + 3,
                top: top + Self.headHeight, width: column.width - 6)
            allDay.draw(&marks, in: &drawing)
            drawParts(of: day, column, &marks, in: &drawing)
        }
        if let why = picture.emptiness { drawEmptiness(why, in: &drawing) }
    }

    /// The blocks of a day. Those side by side that are too narrow for their marks are one box,
    /// which fills a time without a gap, as they do together.
    private func drawParts(
        of day: WeekOfRoom.Day, _ column: (left: Double, width: Double),
        _ marks: inout WeekMarks, in drawing: inout Drawing
    ) {
        let clusters = Dictionary(grouping: day.parts, by: \.cluster)
        var groups: [Int: WeekGroup] = [:]
        for part in day.parts {
            let lane = (column.width - 6) / Double(part.laneCount)
            let left = column.left + 3 + Double(part.lane) * lane
            let parts = clusters[part.cluster] ?? [part]
            let isFirst = part == parts.first
            if isFirst, !marks.fit(parts.count, width: lane - 3) {
                groups[part.cluster] = group(parts, column)
            }
            if let group = groups[part.cluster] {
                group.draw(
                    part.shown, isFirst: isFirst, place: (left, lane), &marks, in: &drawing)
            } else {
                let block = WeekBlock(
                    picture: picture, part: part, left: left, top: y(part.minutes.lowerBound),
                    width: lane - 3, height: Double(part.minutes.count) * scale - 3)
                block.draw(&marks, in: &drawing)
            }
        }
    }

    private func group(
        _ parts: [WeekOfRoom.Part], _ column: (left: Double, width: Double)
    ) -> WeekGroup {
        let start = parts.map(\.minutes.lowerBound).min() ?? 0
        let end = parts.map(\.minutes.upperBound).max() ?? start
        return WeekGroup(
            picture: picture, bookings: parts.map(\.shown), left: column.left + 3, top: y(start),
            width: column.width - 9, height: Double(end - start) * scale - 3)
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
