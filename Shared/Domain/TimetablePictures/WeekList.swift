import VectorGraphics

/// The words of bookings whose blocks are too small for them, by their marks.
struct WeekList {
    private struct Line {
        /// Nil in the further lines of an entry.
        var mark: String?
        var words: ForeignText
        var text: String
    }

    private static let (size, lineHeight) = (28.0, 38.0)
    /// The least width of the marks' column.
    private static let marksWidth = 72.0

    private let lines: [Line]
    private let left: Double
    private let width: Double
    private let top: Double

    init(_ marks: WeekMarks, of picture: WeekPicture, top: Double) {
        self.top = top
        var entries = marks.listed.enumerated().map { index, shown in
            (mark: "[\(index + 1)]", text: picture.description(of: shown, isInList: true))
        }
        if marks.otherCount > 0 {
            entries.append(
                (mark: WeekMarks.commonMark, text: "\(picture.words.more) \(marks.otherCount)"))
        }
        let widest = entries.map { textWidth($0.mark, size: Self.size) }.max() ?? 0
        let left = WeekHead.margin + max(Self.marksWidth, widest * ForeignText.bold + 10)
        let width = WeekPicture.widthPixels - WeekHead.margin - left
        self.left = left
        self.width = width
        lines = entries.flatMap { entry -> [Line] in
            let words = ForeignText(sentence: entry.text)
            let texts = words.lines(width: width, size: Self.size, mostLines: 3).lines
            return texts.enumerated().map { index, text in
                Line(mark: index == 0 ? entry.mark : nil, words: words, text: text)
            }
        }
    }

    var bottom: Double { top + Double(lines.count) * Self.lineHeight }

    func draw(in drawing: inout Drawing) {
        var y = top + 28
        for line in lines {
            if let mark = line.mark {
                drawing.text(mark, WeekHead.margin, y, size: Self.size, "font-weight=\"700\"")
            }
            drawing.foreign(
                line.words, line.text, left: left, width: width, y, size: Self.size)
            y += Self.lineHeight
        }
    }
}
