import VectorGraphics

/// The words of bookings whose blocks are too small for them, by number.
struct WeekList {
    private static let (size, lineHeight) = (28.0, 38.0)
    /// The most bookings in the list, so that the picture stays one.
    static let mostEntries = 24

    private let lines: [(number: String?, words: ForeignText, text: String)]
    private let left: String?
    private let top: Double

    init(entries: [WeekGrid.Entry], top: Double, words: TimetableWords) {
        self.top = top
        lines = entries.prefix(Self.mostEntries).flatMap { entry in
            let width = WeekPicture.widthPixels - 2 * WeekHead.margin - 72
            return entry.words.lines(width: width, size: Self.size, mostLines: 3).lines
                .enumerated().map { index, line in
                    (index == 0 ? "[\(entry.number)]" : nil, entry.words, line)
                }
        }
        let more = entries.count - Self.mostEntries
        left = more > 0 ? "\(words.more) \(more)" : nil
    }

    var bottom: Double {
        top + Double(lines.count + (left == nil ? 0 : 1)) * Self.lineHeight
    }

    func draw(in drawing: inout Drawing) {
        var y = top + 28
        for line in lines {
            if let number = line.number {
                drawing.text(
                    number, WeekHead.margin, y, size: Self.size, "font-weight=\"700\"")
            }
            drawing.foreign(
                line.words, line.text, left: WeekHead.margin + 72,
                width: WeekPicture.widthPixels - 2 * WeekHead.margin - 72, y, size: Self.size)
            y += Self.lineHeight
        }
        if let left { drawing.text(left, WeekHead.margin, y, size: Self.size) }
    }
}
