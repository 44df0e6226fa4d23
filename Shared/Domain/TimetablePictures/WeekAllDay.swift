import Events
import VectorGraphics

/// The bookings that fill a day, in rows above its hours.
struct WeekAllDay {
    static let rowHeight = 46.0
    /// The most rows, so that the picture does not grow too high. The last row has all the others.
    static let mostRows = 12
    private static let size = 26.0

    let picture: WeekPicture
    let bookings: [WeekOfRoom.Booking]
    let left: Double
    let top: Double
    let width: Double

    private var height: Double { Self.rowHeight - 4 }

    static func rows(of day: WeekOfRoom.Day) -> Int { min(mostRows, day.allDay.count) }

    func draw(_ marks: inout WeekMarks, in drawing: inout Drawing) {
        let ownRows = bookings.count > Self.mostRows ? Self.mostRows - 1 : bookings.count
        for (row, shown) in bookings.prefix(ownRows).enumerated() {
            draw(shown, top + Double(row) * Self.rowHeight, &marks, in: &drawing)
        }
        let others = Array(bookings.dropFirst(ownRows))
        let group = WeekGroup(
            picture: picture, bookings: others, left: left,
            top: top + Double(ownRows) * Self.rowHeight, width: width, height: height)
        let share = width / Double(max(1, others.count))
        for (index, shown) in others.enumerated() {
            group.draw(
                shown, isFirst: index == 0, place: (left + Double(index) * share, share), &marks,
                in: &drawing)
        }
    }

    private func draw(
        _ shown: WeekOfRoom.Booking, _ y: Double, _ marks: inout WeekMarks,
        in drawing: inout Drawing
    ) {
        drawing.open("g", "role=\"listitem\"")
        drawing.title(picture.description(of: shown))
        drawing.rectangle(
            left, y, width, height, WeekBlock.edge(isTentative: shown.booking.isTentative))
        let title = picture.boxTitle(of: shown.booking)
        let inner = width - 16
        let complete = line(of: title, width: inner)
        if complete.isCut {
            let mark = marks.text(for: [shown])
            let markWidth = textWidth(mark + " ", size: Self.size) * ForeignText.bold
            let beside = line(of: title, width: inner - markWidth).text
            if beside.count < WeekBlock.leastLetters {
                drawing.weekMark(mark, left: left, top: y, width: width, height: height)
            } else {
                drawing.text(
                    mark, left + 8, y + 31, size: Self.size, "font-weight=\"700\"")
                draw(title, beside, left + 8 + markWidth, inner - markWidth, y, in: &drawing)
            }
        } else {
            draw(title, complete.text, left + 8, inner, y, in: &drawing)
        }
        drawing.close("g")
    }

    private func draw(
        _ title: ForeignText, _ line: String, _ left: Double, _ width: Double, _ y: Double,
        in drawing: inout Drawing
    ) {
        drawing.foreign(
            title, line, left: left, width: width, y + 31, size: Self.size,
            "font-weight=\"700\"")
    }

    private func line(of title: ForeignText, width: Double) -> (text: String, isCut: Bool) {
        let (lines, isCut, _) = title.lines(
            width: width / ForeignText.bold, size: Self.size, mostLines: 1)
        return (lines.first ?? "", isCut)
    }
}
