import Events
import ServiceHost
import Synchronization
import Testing

@testable import RoomAnswers

@Suite("Rows of rooms that are kept for a while") struct RecentSchedulesTests {
    /// Rows that count how many reads run at once.
    private final class Rows: RoomSchedules {
        private struct Reads {
            var running = 0
            var most = 0
            var all = 0
        }

        private let reads = Mutex(Reads())

        var mostAtOnce: Int { reads.withLock { $0.most } }
        var all: Int { reads.withLock { $0.all } }

        func schedules(
            of rooms: [RoomID], at site: SiteID, in period: Range<Timestamp>
        ) async throws -> [RoomID: KnownSchedule] {
            await read()
            return [:]
        }

        func counts(
            of rooms: [RoomID], at site: SiteID
        ) async throws -> [RoomID: [ComputersCounted]] {
            await read()
            return [:]
        }

        private func read() async {
            reads.withLock { reads in
                reads.running += 1
                reads.all += 1
                reads.most = max(reads.most, reads.running)
            }
            // Others begin meanwhile, if they may.
            for _ in 0..<100 { await Task.yield() }
            reads.withLock { $0.running -= 1 }
        }
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
                    let hour = Timestamp(microseconds: Int64(number) * 3_600_000_000)
                    _ = try await recent.schedules(
                        of: [RoomID("a")], at: SiteID("house"), in: hour..<hour,
                        for: "caller \(number % callers)")
                }
            }
            try await group.waitForAll()
        }
        #expect(rows.all == 100)
        #expect(rows.mostAtOnce <= most)
    }
}
