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

    @Test("A failure is tried again after a minute, and each further one doubles the pause")
    func backOff() {
        let schedule = FeedSchedule()
        #expect(
            (0...11).map { seconds(schedule, failures: $0) }
                == [
                    900, 60, 120, 240, 480, 960, 1_920, 3_840, 7_680, 15_360, 21_600, 21_600,
                ])
        #expect(seconds(FeedSchedule(everySeconds: 86_400), failures: 3) == 240)
        #expect(seconds(FeedSchedule(everySeconds: 86_400), failures: 30) == 86_400)
        #expect(seconds(schedule, failures: .max) == 21_600)
    }

    @Test("Retry-After is kept, up to a day")
    func retryAfter() {
        let schedule = FeedSchedule(everySeconds: 60)
        #expect(seconds(schedule, failures: 1, retryAfter: 5) == 60)
        #expect(seconds(schedule, failures: 1, retryAfter: 700) == 700)
        #expect(seconds(schedule, failures: 1, retryAfter: .max) == 86_400)
        #expect(FeedSchedule.hostPause(after: now, retryAfterSeconds: nil) == nil)
    }

    @Test("A whole host rests for an hour at most, since others have feeds there, too")
    func hostPause() {
        func pause(_ seconds: Int) -> Int64? {
            FeedSchedule.hostPause(after: now, retryAfterSeconds: seconds).map {
                ($0 - now) / 1_000_000
            }
        }
        #expect([0, 700, 3_600, 3_601, Int.max].map(pause) == [nil, 700, 3_600, 3_600, 3_600])
    }

    @Test("A feed waits for a pause of its host that ends after the next fetch would be")
    func waiting() {
        func after(_ seconds: Int64) -> Timestamp {
            now.advanced(byMicroseconds: seconds * 1_000_000)
        }
        for (end, next, isWaiting) in [
            (120, 0, true), (120, nil, true), (3_660, 0, true), (120, 120, false), (0, -1, false),
            (3_661, 0, false),
        ] as [(Int64, Int64?, Bool)] {
            var report = FeedReport()
            report.nextAt = next.map(after)
            report.wait(until: after(end), at: now)
            #expect(report.pausedUntil == (isWaiting ? after(end) : nil), "\(end)")
            #expect(report.nextAt == (isWaiting ? after(end) : next.map(after)), "\(end)")
        }
    }

    @Test("Feeds that failed together are spread over a tenth of the pause")
    func spread() {
        let schedule = FeedSchedule(everySeconds: 100)
        #expect(seconds(schedule, failures: 1, spread: 0.5) == 63)
        #expect(seconds(schedule, failures: 0, spread: 0.5) == 100)
    }

    @Test(
        "Free computers are unknown after twelve intervals, an hour or two long intervals",
        arguments: [
            (60, 720), (300, 3_600), (900, 3_600), (1_800, 3_600), (3_600, 7_200),
            (86_400, 172_800),
        ])
    func counts(everySeconds: Int, countSeconds: Int) {
        let schedule = FeedSchedule(everySeconds: everySeconds)
        #expect(schedule.countSeconds == countSeconds)
        #expect(schedule.oldSeconds == 12 * everySeconds)
    }

    @Test("A good fetch in the future counts as old, except for clocks that differ a little")
    func futureFetch() {
        func isOld(_ seconds: Int64) -> Bool {
            var report = FeedReport()
            report.goodAt = now.advanced(byMicroseconds: seconds * 1_000_000)
            return report.isOlder(thanMicroseconds: 600_000_000, at: now)
        }
        #expect([-601, -600, 0, 60, 61].map(isOld) == [true, false, false, false, true])
        #expect(FeedReport().isOlder(thanMicroseconds: 600_000_000, at: now))
    }
}
