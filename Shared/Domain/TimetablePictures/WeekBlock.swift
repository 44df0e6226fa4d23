import Events
import Timetables
import VectorGraphics

/// The block of one part of a booking: its times, its title, and what else fits.
struct WeekBlock {
    private static let (size, timeSize, lineHeight, padding) = (28.0, 25.0, 33.0, 9.0)
    /// The least size of a title whose longest word would be broken at the ordinary size.
    private static let leastSize = 22.0
    /// The least width for words; a narrower block has only its number.
    private static let leastWidth = 84.0

    let picture: WeekPicture
    let part: WeekOfRoom.Part
    let left: Double
    let top: Double
    let width: Double
    let height: Double

    /// The edge says by itself, without colour, whether a booking is certain.
    static func edge(isTentative: Bool) -> String {
        isTentative
            ? "rx=\"6\" fill=\"#ffffff\" stroke=\"#14508c\" stroke-width=\"3\" "
                + "stroke-dasharray=\"9 6\""
            : "rx=\"6\" fill=\"#dceafa\" stroke=\"#14508c\" stroke-width=\"2\""
    }

    private var lineCount: Int { Int((height - 6) / Self.lineHeight) }
    private var inner: Double { width - 2 * Self.padding + 4 }

    /// - Returns: whether the block shows the number, since its words do not fit.
    func draw(number: Int, in drawing: inout Drawing) -> Bool {
        drawing.open("g", "role=\"listitem\"")
        drawing.title(picture.description(of: part.shown))
        drawing.rectangle(
            left, top, width, height, Self.edge(isTentative: part.shown.booking.isTentative))
        let lines = lines()
        var y = top + Self.lineHeight - 6
        if let lines {
            for line in lines {
                drawing.foreign(
                    line.words, line.text, left: left + Self.padding, width: inner, y,
                    size: line.size, line.attributes)
                y += Self.lineHeight
            }
        } else {
            drawing.text(
                "[\(number)]", left + width / 2, min(y, top + height / 2 + 10), .middle,
                size: min(Self.size, width / 2.2), "font-weight=\"700\"")
        }
        drawing.close("g")
        return lines == nil
    }

    private struct Line {
        var words: ForeignText
        var text: String
        var size: Double
        var attributes = ""
    }

    /// The lines that fit; nil if the title is not readable in them.
    private func lines() -> [Line]? {
        guard width >= Self.leastWidth, lineCount >= 1 else { return nil }
        let booking = part.shown.booking
        let title = ForeignText((booking.isTentative ? "? " : "") + booking.title)
        var lines = timeLines().map {
            Line(words: ForeignText(""), text: $0, size: Self.timeSize)
        }
        if lines.count >= lineCount { lines = Array(lines.prefix(max(0, lineCount - 1))) }
        let size = titleSize(title)
        let (shown, isCut) = title.lines(
            width: inner / ForeignText.bold, size: size, mostLines: lineCount - lines.count)
        // A few letters of a long title say nothing.
        let letters = shown.reduce(0) { $0 + $1.count }
        if isCut, letters < 9 { return nil }
        lines += shown.map {
            Line(words: title, text: $0, size: size, attributes: "font-weight=\"700\"")
        }
        for words in rest() {
            let room = lineCount - lines.count
            let (more, _) = words.lines(
                width: inner, size: Self.timeSize, mostLines: min(2, room))
            lines += more.map {
                Line(words: words, text: $0, size: Self.timeSize, attributes: "fill=\"#333\"")
            }
        }
        return lines
    }

    /// Smaller where the longest word fits then.
    private func titleSize(_ title: ForeignText) -> Double {
        let width = title.longestWord(size: 1) * ForeignText.bold
        return max(Self.leastSize, min(Self.size, (inner / max(width, 0.1)).rounded(.down)))
    }

    private func rest() -> [ForeignText] {
        let booking = part.shown.booking
        var rest: [ForeignText] = []
        if let kind = booking.kind { rest.append(ForeignText(kind)) }
        let others = booking.rooms.filter { $0 != picture.week.room }
        if !others.isEmpty {
            let names = others.map { picture.roomName($0) }
            rest.append(ForeignText("+ " + names.joined(separator: ", ")))
        }
        return rest
    }

    /// `09:00–11:00` in one line or two; arrows stand for midnight of a booking of several days.
    private func timeLines() -> [String] {
        let start = part.isContinued ? "→" : part.shown.starts.clock
        let end = part.continues ? "→" : part.shown.ends.clock
        let whole = "\(start)–\(end)"
        if textWidth(whole, size: Self.timeSize) <= inner { return [whole] }
        // The end follows from the block's length where there is no room for it.
        return lineCount > 4 ? ["\(start)–", end] : [start]
    }
}
