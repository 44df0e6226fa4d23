import Events
import ServiceHost
import Synchronization
import Testing

@testable import RoomAnswers

@Suite("Rows of rooms that are kept for a while") struct RecentSchedulesTests {
    /// Rows that count how many reads run at once. Those from an hour on can be held.
    private final class Rows: RoomSchedules {
        private struct Reads {
            var running = 0
            var most = 0
            var all = 0
            var areHeld = false
        }

        private let reads = Mutex(Reads())

        var mostAtOnce: Int { reads.withLock { $0.most } }
        var all: Int { reads.withLock { $0.all } }
        var running: Int { reads.withLock { $0.running } }

        func hold(_ areHeld: Bool) { reads.withLock { $0.areHeld = areHeld } }

        func schedules(
            of rooms: [RoomID], at site: SiteID, in period: Range<Timestamp>
        ) async throws -> [RoomID: KnownSchedule] {
            await read(isLate: period.lowerBound >= RecentSchedulesTests.hour(1))
            return [:]
        }

        func counts(
            of rooms: [RoomID], at site: SiteID
        ) async throws -> [RoomID: [ComputersCounted]] {
            await read()
            return [:]
        }

        private func read(isLate: Bool = false) async {
            reads.withLock { reads in
                reads.running += 1
                reads.all += 1
                reads.most = max(reads.most, reads.running)
            }
            // Others begin meanwhile, if they may.
            for _ in 0..<100 { await Task.yield() }
            while isLate, reads.withLock({ $0.areHeld }) { await Task.yield() }
            reads.withLock { $0.running -= 1 }
        }
    }

    private static func hour(_ number: Int) -> Timestamp {
        Timestamp(microseconds: Int64(number) * 3_600_000_000)
    }

    private static func ask(
        _ recent: RecentSchedules, _ number: Int, for caller: String
    ) async throws {
        _ = try await recent.schedules(
            of: [RoomID("a")], at: SiteID("house"), in: hour(number)..<hour(number), for: caller)
    }

    @Test(
        "Questions about ever other times are read a few at a time, and fewer of one caller",
        .timeLimit(.minutes(1)), arguments: [(1, 2), (20, 3)])
    func turns(callers: Int, most: Int) async throws {
        let rows = Rows()
        let recent = RecentSchedules(rows, clock: EventClock(time: { Timestamp(microseconds: 0) }))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try await Self.ask(recent, number, for: "caller \(number % callers)")
                }
            }
            try await group.waitForAll()
        }
        #expect(rows.all == 100)
        #expect(rows.mostAtOnce <= most)
    }

    @Test(
        "Nobody waits in the queue of a caller who asks for much, and asked the same before",
        .timeLimit(.minutes(1)))
    func otherQueues() async throws {
        let rows = Rows()
        let recent = RecentSchedules(rows, clock: EventClock(time: { Timestamp(microseconds: 0) }))
        rows.hold(true)
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { rows.hold(false) }
            for number in 1...4 {
                group.addTask { try await Self.ask(recent, number, for: "many") }
            }
            while rows.running < 2 { await Task.yield() }
            group.addTask { try await Self.ask(recent, 0, for: "many") }
            for _ in 0..<100 { await Task.yield() }
            group.addTask { try await Self.ask(recent, 0, for: "other") }
            let end = ContinuousClock.now.advanced(by: .seconds(10))
            while rows.all < 3, ContinuousClock.now < end { await Task.yield() }
            try #require(rows.all == 3)
            // A value that is being made needs no turn, and who hangs up waits for none.
            try await Self.ask(recent, 0, for: "many")
            let gone = Task { try await Self.ask(recent, 5, for: "many") }
            gone.cancel()
            await #expect(throws: CancellationError.self) { try await gone.value }
            rows.hold(false)
            try await group.waitForAll()
        }
        #expect(rows.all == 5)
    }
}
