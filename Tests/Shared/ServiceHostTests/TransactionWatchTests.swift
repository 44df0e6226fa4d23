import EventLog
import Testing

@testable import ServiceHost

@Suite("Transactions that do not end") struct TransactionWatchTests {
    private let start = ContinuousClock.now
    private let place = TopicPartition("positions", 1)

    @Test("are named after half a minute, until readers advance")
    func standing() {
        var watch = TransactionWatch()
        #expect(watch.note("positions", readable: [5, 7], ends: [5, 9], at: start) == 2)
        #expect(watch.standing(at: start + .seconds(29)).isEmpty)
        #expect(
            watch.note("positions", readable: [6, 7], ends: [6, 30], at: start + .seconds(25)) == 23
        )
        #expect(watch.standing(at: start + .seconds(30)) == [place])
        #expect(
            watch.note("positions", readable: [6, 30], ends: [6, 30], at: start + .seconds(31)) == 0
        )
        #expect(watch.standing(at: start + .seconds(31)).isEmpty)
    }

    @Test("are not confused with a busy partition's, where each transaction is a new one")
    func busy() {
        var watch = TransactionWatch()
        for second in 0..<100 {
            let end = Int64(second * 10)
            _ = watch.note(
                "positions", readable: [end - 3], ends: [end], at: start + .seconds(second))
        }
        #expect(watch.standing(at: start + .seconds(100)).isEmpty)
    }
}
