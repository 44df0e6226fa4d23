import Events
import ServiceHost
import Synchronization
import Testing

@testable import RoomAnswers

@Suite("Values that are kept for a while") struct RecentValuesTests {
    private struct Fault: Error {}

    private static func moment(_ seconds: Int64) -> Timestamp {
        Timestamp(microseconds: seconds * 1_000_000)
    }

    private func values(mostEntries: Int = 10) -> RecentValues<String, Int> {
        RecentValues(keptSeconds: 5, mostEntries: mostEntries, mostWeight: 100, weigh: { $0 })
    }

    @Test("Requests at once share the work", .timeLimit(.minutes(1)))
    func shared() async throws {
        let made = Mutex(0)
        let values = values()
        let (gate, opening) = AsyncStream<Never>.makeStream()
        let make: @Sendable () async throws -> Int = {
            for await _ in gate {}
            return made.withLock { made -> Int in
                made += 1
                return made
            }
        }
        async let first = values.value(of: "a", now: Self.moment(0), make: make)
        async let second = values.value(of: "a", now: Self.moment(0), make: make)
        opening.finish()
        let both = try await [first, second]
        #expect(both == [1, 1])
        let young = try await values.value(of: "a", now: Self.moment(4), make: make)
        let old = try await values.value(of: "a", now: Self.moment(6), make: make)
        let other = try await values.value(of: "b", now: Self.moment(6), make: make)
        #expect([young, old, other] == [1, 2, 3])
    }

    @Test("Callers who wait for their turns with one question share the work")
    func turns() async throws {
        let values = values()
        let turns = Turns(atOnce: 2, ofOneAtOnce: 1, waiting: 10)
        let seconds = Mutex<Int64>(0)
        let clock = EventClock(time: { Self.moment(seconds.withLock { $0 }) })
        let made = Mutex(0)
        let make: @Sendable () async throws -> Int = {
            made.withLock { made -> Int in
                made += 1
                return made
            }
        }
        let ask: @Sendable (String) async throws -> Int = { caller in
            try await values.value(
                of: "a", clock: clock, turns: turns, caller: caller, make: make)
        }
        let busy = try await turns.acquire(for: "a")
        let waiting = (0..<5).map { _ in Task { try await ask("a") } }
        for _ in 0..<100 { await Task.yield() }
        // Longer than a value is kept: the time of asking says nothing of the value's age.
        seconds.withLock { $0 = 60 }
        #expect(try await ask("b") == 1)
        busy.end()
        for one in waiting { #expect(try await one.value == 1) }
    }

    @Test("An error is not kept")
    func errors() async throws {
        let values = values()
        await #expect(throws: Fault.self) {
            try await values.value(of: "a", now: Self.moment(0)) { throw Fault() }
        }
        let again = try await values.value(of: "a", now: Self.moment(0)) { 7 }
        #expect(again == 7)
    }

    @Test("The oldest values make room for new ones, by number and by weight")
    func limits() async throws {
        let few = values(mostEntries: 2)
        for key in ["a", "b", "c"] { _ = try await few.value(of: key, now: Self.moment(0)) { 1 } }
        let kept = try await few.value(of: "c", now: Self.moment(0)) { 2 }
        let gone = try await few.value(of: "a", now: Self.moment(0)) { 2 }
        #expect([kept, gone] == [1, 2])
        let heavy = values()
        for key in ["a", "b"] { _ = try await heavy.value(of: key, now: Self.moment(0)) { 60 } }
        let last = try await heavy.value(of: "b", now: Self.moment(0)) { 2 }
        let first = try await heavy.value(of: "a", now: Self.moment(0)) { 2 }
        #expect([last, first] == [60, 2])
    }
}
