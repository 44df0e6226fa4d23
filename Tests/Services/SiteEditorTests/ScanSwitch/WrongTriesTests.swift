import Events
import Testing

@testable import SiteEditor

@Suite("Wrong codes of one sender") struct WrongTriesTests {
    private static let start = Timestamp(milliseconds: 1_800_000_000_000)

    private func at(_ seconds: Int64) -> Timestamp {
        Self.start.advanced(byMicroseconds: seconds * 1_000_000)
    }

    private func fail(_ tries: WrongTries, at seconds: Int64) {
        #expect(tries.begin("a", at: at(seconds)) == nil)
        tries.end("a", wasWrong: true, at: at(seconds))
    }

    @Test("The sixth within an hour waits until the hour is over, and others don't")
    func sixth() {
        let tries = WrongTries()
        for number in 0..<5 { fail(tries, at: Int64(number)) }
        #expect(tries.begin("a", at: at(5)) == 3_596)
        #expect(tries.begin("b", at: at(5)) == nil)
        #expect(tries.begin("a", at: at(3_599)) == 2)
        #expect(tries.begin("a", at: at(3_600)) == nil)
    }

    @Test("A try that is not wrong leaves room for another one")
    func notWrong() {
        let tries = WrongTries()
        for number in 0..<4 { fail(tries, at: Int64(number)) }
        for _ in 0..<9 {
            #expect(tries.begin("a", at: at(4)) == nil)
            tries.end("a", wasWrong: false, at: at(4))
        }
        // An end without a begin changes nothing.
        tries.end("a", wasWrong: true, at: at(4))
        tries.end("unknown", wasWrong: true, at: at(4))
        fail(tries, at: 5)
        #expect(tries.begin("a", at: at(6)) == 3_595)
    }

    @Test("The sixth at once waits for a moment, and as soon as one of them was right no longer")
    func atOnce() {
        let tries = WrongTries()
        for _ in 0..<5 { #expect(tries.begin("a", at: at(0)) == nil) }
        #expect(tries.begin("a", at: at(0)) == 1)
        tries.end("a", wasWrong: false, at: at(0))
        #expect(tries.begin("a", at: at(0)) == nil)
        for _ in 0..<5 { tries.end("a", wasWrong: false, at: at(0)) }
        for number in 0..<5 { fail(tries, at: Int64(number)) }
    }

    @Test("Wrong ones and those that may be wrong are five together")
    func together() {
        let tries = WrongTries()
        for _ in 0..<3 { fail(tries, at: 0) }
        for _ in 0..<2 { #expect(tries.begin("a", at: at(1)) == nil) }
        #expect(tries.begin("a", at: at(1)) == 1)
        tries.end("a", wasWrong: true, at: at(1))
        #expect(tries.begin("a", at: at(1)) == 1)
        tries.end("a", wasWrong: true, at: at(1))
        #expect(tries.begin("a", at: at(1)) == 3_600)
    }

    @Test("A try that takes longer than the hour counts in the next one")
    func slow() {
        let tries = WrongTries()
        for _ in 0..<4 { fail(tries, at: 0) }
        #expect(tries.begin("a", at: at(3_599)) == nil)
        for _ in 0..<4 { fail(tries, at: 3_600) }
        #expect(tries.begin("a", at: at(3_600)) == 1)
        tries.end("a", wasWrong: true, at: at(3_600))
        #expect(tries.begin("a", at: at(3_600)) == 3_601)
    }

    @Test("However many senders are wrong, only those who are wrong most are remembered")
    func many() {
        let tries = WrongTries(mostSenders: 10)
        for number in 0..<5 { fail(tries, at: Int64(number)) }
        for number in 0..<1_000 {
            #expect(tries.begin("other \(number)", at: at(9)) == nil)
            tries.end("other \(number)", wasWrong: true, at: at(9))
        }
        #expect(tries.begin("a", at: at(9)) == 3_592)
        #expect((1...10).contains(tries.count))
    }

    @Test("Tries of a clock that was an hour ahead are forgotten")
    func ahead() {
        let tries = WrongTries()
        for _ in 0..<5 { fail(tries, at: 3_600) }
        #expect(tries.begin("a", at: at(1)) == 3_601)
        #expect(tries.begin("a", at: at(0)) == nil)
    }
}
