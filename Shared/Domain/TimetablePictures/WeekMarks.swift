import VectorGraphics

/// The marks of bookings whose titles do not fit their boxes: numbers in the order of the boxes.
///
/// A booking has one mark, also where it has several boxes. The list below explains each mark.
struct WeekMarks {
    /// The most numbers, since a stranger's calendar could make the list endless.
    static let mostNumbers = 100
    /// The mark that all bookings beyond those share.
    static let commonMark = "[…]"
    /// The sizes of a mark that has a box for itself. Smaller ones could not be read.
    static let (size, leastSize) = (28.0, 12.0)

    /// The bookings with a number, from 1.
    private(set) var listed: [WeekOfRoom.Booking] = []
    private var numbers: [WeekOfRoom.Booking: Int] = [:]
    private var others: Set<WeekOfRoom.Booking> = []

    /// How many bookings share the common mark.
    var otherCount: Int { others.count }

    /// One mark for all of these, such as `[3]` or `[2, 21–32]`.
    mutating func text(for bookings: [WeekOfRoom.Booking]) -> String {
        var own: Set<Int> = []
        var hasOthers = false
        for booking in bookings {
            if let number = number(of: booking) { own.insert(number) } else { hasOthers = true }
        }
        var runs: [ClosedRange<Int>] = []
        for number in own.sorted() {
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        var texts = runs.map { run in
            run.count == 1 ? "\(run.lowerBound)" : "\(run.lowerBound)–\(run.upperBound)"
        }
        if hasOthers { texts.append("…") }
        return "[\(texts.joined(separator: ", "))]"
    }

    /// Whether so many bookings more can have a mark each in boxes of this width.
    func fit(_ count: Int, width: Double) -> Bool {
        let widest = "[\(min(Self.mostNumbers, listed.count + count))]"
        return textWidth(widest, size: Self.leastSize) * ForeignText.bold <= width
    }

    /// Nil where it shares the common mark.
    private mutating func number(of booking: WeekOfRoom.Booking) -> Int? {
        if let number = numbers[booking] { return number }
        guard listed.count < Self.mostNumbers else {
            others.insert(booking)
            return nil
        }
        listed.append(booking)
        numbers[booking] = listed.count
        return listed.count
    }
}

extension Drawing {
    /// A mark in a box that has no other words, in the largest letters that fit.
    mutating func weekMark(
        _ mark: String, left: Double, top: Double, width: Double, height: Double
    ) {
        let words = ForeignText(sentence: mark)
        let inner = width / ForeignText.bold
        func lines(_ size: Double) -> (lines: [String], isCut: Bool, hasHyphen: Bool) {
            words.lines(
                width: inner, size: size, mostLines: max(1, Int((height - 4) / (1.2 * size))))
        }
        var size = WeekMarks.size
        while size > WeekMarks.leastSize,
            1.2 * size > height - 4 || words.longestWord(size: size) > inner || lines(size).isCut
        { size -= 1 }
        let shown = lines(size).lines
        var y = top + size - 1
        if shown.count == 1 { y = min(y, top + height / 2 + 0.36 * size) }
        for line in shown {
            text(line, left + width / 2, y, .middle, size: size, "font-weight=\"700\"")
            y += 1.2 * size
        }
    }
}
