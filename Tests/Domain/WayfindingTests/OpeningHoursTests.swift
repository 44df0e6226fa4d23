import Events
import Site
import Testing

@Suite struct OpeningHoursTests {
    /// 2025-11-24 was a Monday.
    private static let monday = Timestamp(milliseconds: 1_763_942_400_000)

    private static func isOpen(
        _ text: String, day: Int = 0, _ hour: Int, _ minute: Int = 0, offset: Int = 0
    ) -> Bool? {
        let minutes = Int64((day * 24 + hour) * 60 + minute)
        let moment = monday.advanced(byMicroseconds: minutes * 60_000_000)
        return OpeningHours(text)?.isOpen(at: moment, utcOffsetSeconds: offset)
    }

    @Test("Days of the week with several spans of hours")
    func weekdays() {
        let text = "Mo-Fr 08:00-12:00,13:00-18:00; Sa 10:00-14:00"
        #expect(Self.isOpen(text, 8) == true)
        #expect(Self.isOpen(text, 7, 59) == false)
        #expect(Self.isOpen(text, 12, 30) == false)
        #expect(Self.isOpen(text, 17, 59) == true)
        #expect(Self.isOpen(text, 18) == false)
        #expect(Self.isOpen(text, day: 5, 11) == true)
        #expect(Self.isOpen(text, day: 6, 11) == false)
    }

    @Test("The last rule for a day wins")
    func overriding() {
        let text = "Mo-Su 08:00-18:00; We off; Su 10:00-12:00"
        #expect(Self.isOpen(text, day: 2, 10) == false)
        #expect(Self.isOpen(text, day: 6, 9) == false)
        #expect(Self.isOpen(text, day: 6, 11) == true)
    }

    @Test("Hours past midnight belong to the evening before")
    func midnight() {
        let text = "Fr 20:00-02:00"
        #expect(Self.isOpen(text, day: 4, 23) == true)
        #expect(Self.isOpen(text, day: 5, 1, 59) == true)
        #expect(Self.isOpen(text, day: 5, 2) == false)
        #expect(Self.isOpen(text, day: 4, 1) == false)
    }

    @Test("Hours are by local time, not UTC")
    func offset() {
        #expect(Self.isOpen("Mo 08:00-10:00", 7, offset: 3_600) == true)
        #expect(Self.isOpen("Mo 08:00-10:00", 7) == false)
        #expect(Self.isOpen("Mo 08:00-10:00", day: -1, 22, offset: 10 * 3_600) == true)
    }

    @Test("Always, never, and by months")
    func others() {
        #expect(Self.isOpen("24/7", 3) == true)
        #expect(Self.isOpen("off", 3) == false)
        #expect(Self.isOpen("Nov-Feb Mo-Fr 08:00-10:00", 9) == true)
        #expect(Self.isOpen("Mar-Oct 08:00-10:00", 9) == false)
        #expect(Self.isOpen("08:00-10:00; PH off", 9) == true)
    }

    @Test(
        "Text that can't be parsed gives no hours",
        arguments: [
            "", "sunrise-sunset", "Mo-Xx 08:00-10:00", "08:00", "Mo 8-10", "by appointment",
        ]
    ) func strange(text: String) { #expect(OpeningHours(text) == nil) }
}
