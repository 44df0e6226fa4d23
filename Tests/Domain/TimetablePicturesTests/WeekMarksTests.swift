import Events
import SeededRandomness
import Testing
import Timetables

@testable import TimetablePictures

@Suite("Marks in the picture of a week") struct WeekMarksTests {
    private typealias Samples = PictureSamples

    private static let long = "An introduction to measurement, with exercises"

    /// The part of the file behind the last box, which has the list.
    private func list(_ svg: String) -> String {
        svg.split(separator: "</title>").last.map(String.init) ?? ""
    }

    private func count(_ part: String, in svg: String) -> Int { svg.ranges(of: part).count }

    @Test("Every mark has an entry, and can be read, whatever is booked", arguments: 0..<5)
    func entries(seed: Int) {
        var random = SeededRandom(seed: seed)
        let bookings = (0..<Int.random(in: 1...80, using: &random)).map { number in
            let start = Int.random(in: 480..<1_430, using: &random)
            let minutes = Int.random(in: 5...600, using: &random)
            return Samples.booking(
                number, day: Int.random(in: 0..<7, using: &random), start..<start + minutes,
                Self.long)
        }
        let svg = Samples.picture(bookings).svg()
        let rows = svg.split(separator: "\n").filter { $0.hasPrefix("<text x=\"24\"") }
        let listed = rows.compactMap { row in
            row.split(separator: ">[").dropFirst().first.flatMap { mark in
                Int(mark.prefix { $0.isNumber })
            }
        }
        #expect(listed == Array(1..<listed.count + 1))
        for mark in svg.split(separator: ">[").dropFirst() {
            let numbers = mark.prefix { $0 != "]" && $0 != "<" }.split { !$0.isNumber }
            #expect(numbers.compactMap { Int($0) }.allSatisfy { $0 <= listed.count })
        }
        #expect(svg.contains(">[…") || !svg.contains("and more"))
        for size in svg.split(separator: "font-size=\"").dropFirst() {
            #expect((Double(size.prefix { $0 != "\"" }) ?? 0) >= 12)
        }
    }

    @Test("Boxes that are too narrow for a mark are one box with the marks of all")
    func group() {
        let svg = Samples.picture((1...14).map { Samples.booking($0, day: 5, 600..<660, "T\($0)") })
            .svg()
        #expect(count(">[1–14]<", in: svg) == 1 && count("stroke=\"#14508c\"", in: svg) == 1)
        #expect(count("<title>", in: svg) == 15 && list(svg).contains(">[14]<"))
    }

    @Test("Bookings beyond the list's limit share a mark, which counts them")
    func limit() {
        let bookings = (1...130).map { Samples.booking($0, day: 0, 600..<660, "T\($0)") }
        let svg = Samples.picture(bookings).svg()
        #expect(svg.contains(">[1–100, …]<") && list(svg).contains(">[100]<"))
        #expect(!svg.contains("[101]"))
        #expect(list(svg).contains(">[…]<") && list(svg).contains("and more: 30"))
        #expect(bookings.allSatisfy { svg.contains("\u{2068}\($0.title)\u{2069}") })
    }

    @Test("Bookings that fill a day beyond the most rows share the last row")
    func allDay() {
        let svg = Samples.picture(
            (10..<40).map {
                Samples.booking($0, day: 0, 0..<1_440, "Open day \($0)", isAllDay: true)
            }
        ).svg()
        #expect(svg.contains(">[1–19]<") && svg.contains(">Open day 20<"))
        #expect(count("<title>", in: svg) == 31 && list(svg).contains("Open day 39"))
    }

    @Test("Titles that are cut have a mark and an entry each, beside the time")
    func cutTitles() {
        let svg = Samples.picture([
            Samples.booking(1, day: 0, 540..<600, "Tutorial on measurement A"),
            Samples.booking(2, day: 0, 540..<600, "Tutorial on measurement B"),
            Samples.booking(3, day: 1, 540..<600, "Short"),
        ]).svg()
        #expect(svg.contains(">[1] 09:00<") && svg.contains(">[2] 09:00<"))
        #expect(list(svg).contains("measurement A") && list(svg).contains("measurement B"))
        #expect(!list(svg).contains("\u{2068}Short"))
    }

    @Test("A booking past midnight has one mark and one entry")
    func midnight() {
        let svg = Samples.picture([Samples.booking(1, day: 0, 1_380..<1_500, Self.long)]).svg()
        #expect(count(">[1]", in: svg) == 3 && !svg.contains("[2]"))
        #expect(count(">[1]", in: list(svg)) >= 1)
    }

    @Test("Midnight's arrow stays beside the time, and a word that fits in smaller letters whole")
    func narrow() {
        var bookings = (0..<7).flatMap { day in
            (0..<(day == 0 || day == 6 ? 2 : 3)).map {
                Samples.booking(10 * day + $0 + 1, day: day, 540..<660, "T")
            }
        }
        bookings.append(Samples.booking(99, day: 6, 1_320..<1_560, "Past midnight"))
        let svg = Samples.picture(bookings).svg()
        #expect(svg.contains(">22:00 →<") && svg.contains(">midnight<"))
    }

    @Test(
        "A booking without a title shows a word, in each language",
        arguments: [("en", "Booked"), ("cy", "Wedi&#39;i archebu"), ("de", "Gebucht")])
    func untitled(language: String, word: String) {
        for title in ["", " \u{202E}"] {
            let svg = Samples.picture(
                [Samples.booking(1, day: 0, 540..<660, title)], language: language
            ).svg()
            #expect(svg.contains("<title>\u{2068}\(word)\u{2069}"))
            let start = word.split(separator: " ")[0]
            #expect(svg.contains(">\(start)"))
        }
    }

    @Test("A long word is broken with a hyphen, where its script has them")
    func hyphens() {
        let word = "Donaudampfschifffahrtsgesellschaft"
        let parts = ForeignText(word).lines(width: 150, size: 28, mostLines: 9)
        #expect(parts.hasHyphen && parts.lines.count > 2)
        #expect(parts.lines.dropLast().allSatisfy { $0.hasSuffix("-") })
        #expect(parts.lines.joined().filter { $0 != "-" } == word)
        let cut = ForeignText(word).lines(width: 150, size: 28, mostLines: 1)
        #expect(cut.isCut && cut.lines.allSatisfy { $0.hasSuffix("…") && !$0.contains("-") })
        let ideographs = ForeignText(String(repeating: "漢字", count: 9))
        let lines = ideographs.lines(width: 150, size: 28, mostLines: 9)
        #expect(!lines.hasHyphen && !lines.lines.joined().contains("-"))
    }

    @Test("In right-to-left titles a full stop stays at its word if the name is on the next line")
    func fullStops() {
        let start = "محاضرة مع Dr."
        for (name, hasMark) in [("Smith", true), ("سميث", false)] {
            let lines = ForeignText("\(start) \(name)").lines(
                width: 210, size: 28, mostLines: 3
            ).lines
            #expect(lines == [hasMark ? start + "\u{200E}" : start, name])
        }
    }
}
