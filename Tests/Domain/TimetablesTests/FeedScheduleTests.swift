import Events
import Testing

@testable import Timetables

@Suite struct FeedScheduleTests {
    private let now = Timestamp(microseconds: 1_800_000_000_000_000)

    private func seconds(
        _ schedule: FeedSchedule, failures: Int, retryAfter: Int? = nil, spread: Double = 0
    ) -> Int64 {
        let next = schedule.next(
            after: now, failures: failures, retryAfterSeconds: retryAfter, spread: spread)
        return (next - now) / 1_000_000
    }

    @Test("Each failure doubles the pause, up to six hours, and never below the feed's own")
    func backOff() {
        let schedule = FeedSchedule()
        #expect(
            (0...6).map { seconds(schedule, failures: $0) }
                == [900, 1_800, 3_600, 7_200, 14_400, 21_600, 21_600])
        #expect(seconds(FeedSchedule(everySeconds: 86_400), failures: 3) == 86_400)
        #expect(seconds(schedule, failures: .max) == 21_600)
    }

    @Test("Retry-After is kept, up to a day")
    func retryAfter() {
        let schedule = FeedSchedule(everySeconds: 60)
        #expect(seconds(schedule, failures: 1, retryAfter: 5) == 120)
        #expect(seconds(schedule, failures: 1, retryAfter: 700) == 700)
        #expect(seconds(schedule, failures: 1, retryAfter: .max) == 86_400)
        #expect(FeedSchedule.hostPause(after: now, retryAfterSeconds: nil) == nil)
    }

    @Test("Feeds that failed together are spread over a tenth of the pause")
    func spread() {
        let schedule = FeedSchedule(everySeconds: 100)
        #expect(seconds(schedule, failures: 1, spread: 0.5) == 210)
        #expect(seconds(schedule, failures: 0, spread: 0.5) == 100)
    }
}
