import Events
import Testing
import Timetables

@testable import TimetablePictures

@Suite("The picture of a week") struct WeekPictureTests {
    private static let long =
        "An introduction to the philosophy of measurement, with applications to the indoor "
        + "positioning of persons, goods and animals"

    private static let bookings = [
        PictureSamples.booking(1, day: 4, 600..<660, "Last"),
        PictureSamples.booking(2, day: 0, 540..<600, "First & <second>", kind: "Practical"),
        PictureSamples.booking(3, day: 1, 540..<560, long, rooms: ["7.01", "7.02"]),
        PictureSamples.booking(4, day: 1, 540..<660, "Beside it", isTentative: true),
        PictureSamples.booking(5, day: 2, 0..<1_440, "Open day", isAllDay: true),
        PictureSamples.booking(6, day: 3, 540..<700, "مقدمة في علوم الحاسوب"),
        PictureSamples.booking(7, day: 3, 720..<800, "מבוא למדעי המחשב"),
    ]

    /// The titles of elements in their order in the file.
    private func titles(_ svg: String) -> [String] {
        svg.split(separator: "<title>").dropFirst().map { part in
            String(part.prefix { $0 != "<" })
        }
    }

    @Test("Every booking's title, times and rooms are in the text, in order of time")
    func text() {
        let titles = titles(PictureSamples.picture(Self.bookings).svg()).dropFirst()
        let expected = [
            ["First &amp; &lt;second&gt;", "Practical", "Monday 23 November, 09:00–10:00"],
            [Self.long, "Tuesday 24 November, 09:00–09:20", "Laboratory 7.02"],
            ["Beside it", "Tuesday 24 November, 09:00–11:00", "not confirmed"],
            ["Open day", "Wednesday 25 November, all day"],
            ["مقدمة في علوم الحاسوب", "Thursday 26 November, 09:00–11:40"],
            ["מבוא למדעי המחשב", "Thursday 26 November, 12:00–13:20"],
            ["Last", "Friday 27 November, 10:00–11:00"],
        ]
        #expect(titles.count == expected.count)
        for (title, parts) in zip(titles, expected) {
            #expect(parts.allSatisfy { title.contains($0) }, "\(title)")
            #expect(title.contains("Laboratory 7.01"))
        }
    }

    @Test("A title that does not fit its block stands in the list below")
    func list() {
        let svg = PictureSamples.picture(Self.bookings).svg()
        let list = svg.split(separator: "</title>").last.map(String.init) ?? ""
        #expect(list.contains("[1]"))
        #expect(list.contains("Tuesday 24 November, 09:00–09:20"))
        // The picture is of the other room, as its head says.
        #expect(!list.contains("Laboratory 7.01"))
    }

    @Test("Right-to-left words begin at the right, and are isolated in sentences")
    func rightToLeft() {
        let svg = PictureSamples.picture(Self.bookings).svg()
        let rows = svg.split(separator: "\n").filter { $0.contains("direction=\"rtl\"") }
        #expect(rows.contains { $0.contains("الحاسوب") })
        #expect(rows.contains { $0.contains("המחשב") })
        #expect(!rows.contains { $0.contains("Beside") })
        #expect(svg.contains("\u{2068}מבוא למדעי המחשב\u{2069}"))
        let tricky = ForeignText("a\u{202E}b\u{2069}c\u{2066}\n\u{0}d")
        #expect(tricky.text == "abc d")
    }

    @Test("An unconfirmed booking differs in more than colour")
    func tentative() {
        let svg = PictureSamples.picture(Self.bookings).svg()
        let block = svg.split(separator: "<g role").first { $0.contains("Beside it") } ?? ""
        #expect(block.contains("stroke-dasharray") && block.contains(">?"))
    }

    @Test("An empty week and a room without a timetable are different, in each language")
    func empty() {
        for language in ["en", "cy", "de"] {
            var picture = PictureSamples.picture([], language: language)
            let empty = picture.svg()
            picture.isKnown = false
            let unknown = picture.svg()
            let words = TimetableWords.words(in: language)
            #expect(words.code == language)
            let first = words.empty.split(separator: " ")[0]
            #expect(empty.contains(first.replacing("'", with: "&#39;")))
            #expect(empty != unknown)
        }
    }

    @Test("A week with bookings of which a part is unknown says so, in each language")
    func unknownPart() {
        for language in ["en", "cy", "de"] {
            var picture = PictureSamples.picture(Self.bookings, language: language)
            let words = TimetableWords.words(in: language)
            let line = "⚠ \(words.unknownPart)".replacing("'", with: "&#39;")
            #expect(!picture.svg().contains(line))
            picture.isKnown = false
            #expect(picture.svg().contains(line) && picture.svg().contains("Open day"))
        }
    }

    @Test("Now, and the age of old data, are in words")
    func now() {
        var picture = PictureSamples.picture(Self.bookings)
        #expect(!picture.svg().contains(">now<") && !picture.svg().contains("As of"))
        picture.now = Self.bookings[3].starts
        picture.oldSince = Self.bookings[1].starts
        let svg = picture.svg()
        #expect(svg.contains(">now<") && svg.contains("<title>now 09:00</title>"))
        #expect(svg.contains("As of Monday 23 November, 09:00"))
    }

    @Test(
        "The week is named in each language",
        arguments: [
            ("en", "Week 53 · 28 December 2026 – 3 January 2027"),
            ("cy", "Wythnos 53 · 28 Rhagfyr 2026 – 3 Ionawr 2027"),
            ("de-AT", "Woche 53 · 28. Dezember 2026 – 3. Januar 2027"),
            ("fr", "Week 53 · 28 December 2026 – 3 January 2027"),
        ])
    func languages(language: String, expected: String) throws {
        let week = try #require(ISOWeek(text: "2026-W53"))
        #expect(PictureSamples.picture([], in: week, language: language).svg().contains(expected))
    }

    @Test("Lines never exceed their width, and lose nothing unless they say so", arguments: 1..<40)
    func wrapping(width: Int) {
        let words = ForeignText(Self.long)
        let (all, isCut, _) = words.lines(width: Double(width * 10), size: 28, mostLines: 999)
        #expect(!isCut)
        let letters = all.joined().filter { $0 != " " && $0 != "-" }
        #expect(letters == Self.long.filter { $0 != " " })
        let (few, wasCut, _) = words.lines(width: Double(width * 10), size: 28, mostLines: 2)
        #expect(few.count <= 2)
        #expect(wasCut == (all.count > 2) && wasCut == (few.last?.hasSuffix("…") == true))
    }
}
