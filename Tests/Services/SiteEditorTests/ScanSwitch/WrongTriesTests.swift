import Events
import Testing

@testable import SiteEditor

@Suite("Wrong codes of one sender") struct WrongTriesTests {
    private static let start = Timestamp(milliseconds: 1_800_000_000_000)

    private func at(_ seconds: Int64) -> Timestamp {
        Self.start.advanced(byMicroseconds: seconds * 1_000_000)
    }

    @Test("The sixth within an hour waits until the hour is over, and others don't")
    func sixth() {
        let tries = WrongTries()
        for number in 0..<5 { #expect(tries.begin("a", at: at(Int64(number))) == nil) }
        #expect(tries.begin("a", at: at(5)) == 3_596)
        #expect(tries.begin("b", at: at(5)) == nil)
        #expect(tries.begin("a", at: at(3_599)) == 2)
        #expect(tries.begin("a", at: at(3_600)) == nil)
    }

    @Test("A try that is taken back leaves room for another one")
    func takenBack() {
        let tries = WrongTries()
        for _ in 0..<5 { #expect(tries.begin("a", at: at(0)) == nil) }
        tries.giveBack("a")
        tries.giveBack("unknown")
        #expect(tries.begin("a", at: at(1)) == nil)
        #expect(tries.begin("a", at: at(1)) != nil)
        for _ in 0..<9 { tries.giveBack("a") }
        for _ in 0..<5 { #expect(tries.begin("a", at: at(2)) == nil) }
        #expect(tries.begin("a", at: at(2)) != nil)
    }

    @Test("Tries of a clock that was an hour ahead are forgotten")
    func ahead() {
        let tries = WrongTries()
        for _ in 0..<5 { #expect(tries.begin("a", at: at(3_600)) == nil) }
        #expect(tries.begin("a", at: at(1)) == 3_601)
        #expect(tries.begin("a", at: at(0)) == nil)
    }
}
