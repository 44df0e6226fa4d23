import Testing

@testable import TimetableFetcher

@Suite("The bell of the feeds") struct FeedBellTests {
    @Test("A listener waits for its ring, though one before it was cancelled while it waited")
    func cancelled() async {
        let bell = FeedBell()
        let former = bell.rings()
        let waiting = Task { for await _ in former {} }
        waiting.cancel()
        await waiting.value
        let rings = bell.rings()
        bell.ring()
        var heard = 0
        for await _ in rings {
            heard += 1
            break
        }
        #expect(heard == 1)
    }
}
