import Testing

@testable import EventLog

@Suite("Batch limits") struct BatchLimitTests {
    @Test("The batch limit falls at once to two seconds of work, and grows by doubling")
    func slow() {
        var limit = BatchLimit(500)
        limit.worked(500, in: .milliseconds(40))
        #expect(limit.now == 500)
        limit.worked(500, in: .seconds(20))
        #expect(limit.now == 50)
        limit.worked(1, in: .seconds(60))
        #expect(limit.now == 1)
        for expected in [2, 4, 8] {
            limit.worked(1, in: .milliseconds(1))
            #expect(limit.now == expected)
        }
        for _ in 0..<20 { limit.worked(1, in: .milliseconds(1)) }
        #expect(limit.now == 500)
        limit.worked(0, in: .seconds(9))
        #expect(limit.now == 500)
    }
}
