import Events
import Timetables
import VectorGraphics

/// The block of one part of a booking: its times, its title, and what else fits.
struct WeekBlock {
    private static let (size, timeSize, lineHeight, padding) = (28.0, 25.0, 33.0, 9.0)
    /// The least size of a title whose longest word fits then, and the size where it is broken.
    private static let (leastSize, brokenSize) = (18.0, 22.0)
    /// The least width for words; a narrower block has only its number.
    private static let leastWidth = 84.0
    /// Fewer letters of a long title say nothing.
    static let leastLetters = 9

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

    func draw(_ marks: inout WeekMarks, in drawing: inout Drawing) {
        drawing.open("g", "role=\"listitem\"")
        drawing.title(picture.description(of: part.shown))
        drawing.rectangle(
            left, top, width, height, Self.edge(isTentative: part.shown.booking.isTentative))
        if let lines = completeLines() {
            draw(lines, in: &drawing)
        } else {
            let mark = marks.text(for: [part.shown])
            if let lines = cutLines(mark) {
                draw(lines, in: &drawing)
            } else {
                drawing.weekMark(mark, left: left, top: top, width: width, height: height)
            }
        }
        drawing.close("g")
    }

    private func draw(_ lines: [Line], in drawing: inout Drawing) {
        var y = top + Self.lineHeight - 6
        for line in lines {
            drawing.foreign(
                line.words, line.text, left: left + Self.padding, width: inner, y,
                size: line.size, line.attributes)
            y += Self.lineHeight
        }
    }

    private struct Line {
        var words: ForeignText
        var text: String
        var size: Double
        var attributes = ""
    }

    /// The lines with the complete title; nil if it does not fit.
    private func completeLines() -> [Line]? {
        guard width >= Self.leastWidth, lineCount >= 1 else { return nil }
        for times in timeForms() {
            let heads = Array(times.prefix(lineCount - 1))
            let title = titleLines(lineCount - heads.count)
            if !title.isCut { return withRest(heads + title.lines) }
        }
        return nil
    }

    /// The lines with a part of the title, below the mark; nil if such a part says nothing.
    private func cutLines(_ mark: String) -> [Line]? {
        guard width >= Self.leastWidth, lineCount >= 2, let head = head(mark) else { return nil }
        let (lines, _, hasHyphen) = titleLines(lineCount - 1)
        let letters = lines.reduce(0) { $0 + $1.text.count }
        guard letters >= Self.leastLetters, !hasHyphen || lines.count > 2 else { return nil }
        return withRest([head] + lines)
    }

    private func titleLines(_ most: Int) -> (lines: [Line], isCut: Bool, hasHyphen: Bool) {
        let title = picture.boxTitle(of: part.shown.booking)
        let size = titleSize(title)
        let (shown, isCut, hasHyphen) = title.lines(
            width: inner / ForeignText.bold, size: size, mostLines: most)
        let lines = shown.map {
            Line(words: title, text: $0, size: size, attributes: "font-weight=\"700\"")
        }
        return (lines, isCut, hasHyphen)
    }

    private func withRest(_ heads: [Line]) -> [Line] {
        var lines = heads
        for words in rest() {
            let room = lineCount - lines.count
            let more = words.lines(width: inner, size: Self.timeSize, mostLines: min(2, room)).lines
            lines += more.map {
                Line(words: words, text: $0, size: Self.timeSize, attributes: "fill=\"#333\"")
            }
        }
        return lines
    }

    /// Smaller where the longest word fits then.
    private func titleSize(_ title: ForeignText) -> Double {
        let width = title.longestWord(size: 1) * ForeignText.bold
        let fitting = (inner / max(width, 0.1)).rounded(.down)
        return fitting < Self.leastSize ? Self.brokenSize : min(Self.size, fitting)
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

    /// Both times, and the start alone. Arrows stand for midnight of a booking of several days.
    private var times: (both: String, short: String) {
        let (start, end) = (part.shown.starts.clock, part.shown.ends.clock)
        if part.isContinued { return (both: "→–\(end)", short: "→ \(end)") }
        if part.continues { return (both: "\(start)–→", short: "\(start) →") }
        return (both: "\(start)–\(end)", short: start)
    }

    /// The times in one line or two; the first form whose title fits is best.
    private func timeForms() -> [[Line]] {
        if let line = timeLine(times.both, least: Self.timeSize) { return [[line]] }
        let short = timeLine(times.short, least: 0).map { [$0] } ?? []
        // The end follows from the block's length where there is no room for it.
        guard lineCount > 4, !part.isContinued, !part.continues,
            let start = timeLine("\(part.shown.starts.clock)–", least: 0),
            let end = timeLine(part.shown.ends.clock, least: 0)
        else { return [short] }
        return [[start, end], short]
    }

    /// The mark, with as much of the times as fits beside it. The list has them, too.
    private func head(_ mark: String) -> Line? {
        timeLine("\(mark) \(times.both)", least: Self.timeSize)
            ?? timeLine("\(mark) \(times.short)", least: Self.leastSize)
            ?? timeLine(mark, least: WeekMarks.leastSize)
    }

    /// Nil where the text would be smaller than the least size.
    private func timeLine(_ text: String, least: Double) -> Line? {
        let size = min(Self.timeSize, (inner / textWidth(text, size: 1)).rounded(.down))
        return size < least ? nil : Line(words: ForeignText(""), text: text, size: size)
    }
}
