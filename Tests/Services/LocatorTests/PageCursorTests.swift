import Events
import Testing
import Wire

@testable import Locator

@Suite("PageCursor") struct PageCursorTests {
    private static let id = "00000000-0000-7000-8000-000000000000"

    @Test("A cursor is read as a page wrote it")
    func roundTrip() throws {
        let cursor = PageCursor(
            at: Timestamp(microseconds: 1_780_000_000_123_456),
            id: try #require(EventID(Self.id)))
        let read = try #require(PageCursor(cursor.text))
        #expect(read.at == cursor.at)
        #expect(read.id == cursor.id)
    }

    @Test(
        "A time that no answer can contain is not a cursor",
        arguments: [
            "-9223372036854775808", "9223372036854775807", "-9223372036854775809",
            "253402300800000000", "-62167219200000001", "", "+", "1e3",
        ])
    func edges(_ time: String) { #expect(PageCursor("\(time)~\(Self.id)") == nil) }

    @Test("The first and the last possible time are cursors")
    func limits() {
        #expect(PageCursor("-62167219200000000~\(Self.id)") != nil)
        #expect(PageCursor("253402300799999999~\(Self.id)") != nil)
    }
}
