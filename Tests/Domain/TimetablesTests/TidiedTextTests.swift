import Testing

@testable import Timetables

@Suite("A tidied text") struct TidiedTextTests {
    @Test("has single spaces and no control characters, and is cut")
    func tidy() {
        #expect(tidied("  a\n\u{7}b  c ", atMost: 10) == "a b c")
        #expect(tidied("äbcdef", atMost: 3) == "äbc")
    }

    @Test("is read to its limit, and not to the end")
    func limit() {
        var taken = 0
        let characters = AnyIterator<Character> {
            taken += 1
            return taken <= 100_000 ? "ä" : nil
        }
        #expect(tidied(characters: characters, atMost: 5) == "äääää")
        #expect(taken == 6)
    }
}
