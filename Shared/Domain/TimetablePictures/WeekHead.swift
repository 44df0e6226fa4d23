import Timetables
import VectorGraphics

/// The top of the picture: the room, the week, and the age of old data.
struct WeekHead {
    static let margin = 24.0
    private static let (titleSize, lineSize) = (46.0, 32.0)

    let picture: WeekPicture

    private var width: Double { WeekPicture.widthPixels - 2 * Self.margin }
    private var title: (words: ForeignText, lines: [String]) {
        let words = ForeignText(picture.name)
        return (words, title(words))
    }

    private func title(_ words: ForeignText) -> [String] {
        words.lines(width: width / ForeignText.bold, size: Self.titleSize, mostLines: 2).lines
    }

    var height: Double {
        let further = [
            picture.place != nil, picture.missingPart != nil, picture.oldSince != nil,
        ].filter { $0 }
        return Self.margin + 54 * Double(title.lines.count) + 42 * Double(1 + further.count) + 14
    }

    func draw(in drawing: inout Drawing) {
        var y = Self.margin + 42
        let title = title
        for line in title.lines {
            drawing.foreign(
                title.words, line, left: Self.margin, width: width, y, size: Self.titleSize,
                "font-weight=\"700\"")
            y += 54
        }
        y -= 8
        if let place = picture.place {
            let words = ForeignText(place)
            let line = words.lines(width: width, size: Self.lineSize, mostLines: 1).lines.first
            drawing.foreign(
                words, line, left: Self.margin, width: width, y, size: Self.lineSize,
                "fill=\"#444\"")
            y += 42
        }
        let week = picture.week.week
        drawing.text(
            "\(picture.words.week) \(week.number) · \(picture.words.dates(of: week))", Self.margin,
            y, size: Self.lineSize, "fill=\"#444\"")
        y += 42
        if let missing = picture.missingPart {
            drawing.text(
                "⚠ \(missing)", Self.margin, y, size: Self.lineSize,
                "font-weight=\"700\" fill=\"#8a3b00\"")
            y += 42
        }
        guard let since = picture.oldSince else { return }
        let local = picture.week.zone.local(since)
        drawing.text(
            "⚠ \(picture.words.asOf) \(picture.words.day(local.day)), \(local.clock)",
            Self.margin, y, size: Self.lineSize, "font-weight=\"700\" fill=\"#8a3b00\"")
    }
}
