import Events
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
