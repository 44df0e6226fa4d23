import Backups
import Events
import Foundation
import Testing
import Wire

@Suite("Which backups are kept") struct BackupKeepingTests {
    private static let start = Timestamp(milliseconds: 1_795_305_600_000)
    private static let day: Int64 = 86_400_000_000

    private static func manifest(
        _ day: Int, _ kind: BackupManifest.Kind, after microseconds: Int64 = 0
    ) -> BackupManifest {
        let at = start.advanced(byMicroseconds: Int64(day) * Self.day + microseconds)
        return BackupManifest(
            name: "\(day)-\(kind.rawValue)", kind: kind, program: "1", log: "kafka", partitions: 12,
            hasScans: false, tablesAt: at, recordsAt: at, finishedAt: at)
    }

    @Test("After 60 nights seven whole ones are left, and four that are a week apart")
    func nights() {
        var kept: [BackupManifest] = []
        for night in 0..<60 {
            let now = Self.start.advanced(byMicroseconds: Int64(night) * Self.day)
            kept.append(Self.manifest(night, .whole))
            if BackupKeeping(kept).isWeekOver(at: now) {
                kept.append(Self.manifest(night, .lasting))
            }
            let surplus = Set(BackupKeeping(kept).surplus(at: now).map(\.name))
            kept.removeAll { surplus.contains($0.name) }
        }
        #expect(kept.filter { $0.kind == .whole }.map(\.name) == (53..<60).map { "\($0)-whole" })
        #expect(
            kept.filter { $0.kind == .lasting }.map(\.name)
                == [35, 42, 49, 56].map { "\($0)-lasting" })
    }

    @Test("Several of one day push out no other night, and a weekly one from the future counts not")
    func byHand() {
        let now = Self.start.advanced(byMicroseconds: 10 * Self.day)
        let nights = (3...10).map { Self.manifest($0, .whole) }
        let byHand = (1...9).map { hour in
            Self.manifest(10, .whole, after: Int64(hour) * 600_000_000)
        }
        let ahead = [Self.manifest(1_500, .whole), Self.manifest(1_500, .lasting)]
        let surplus = BackupKeeping(nights + byHand + ahead).surplus(at: now)
        // The one from the future is no night, and there are seven others.
        #expect(surplus.map(\.name) == ["3-whole", "1500-whole"])
        #expect(BackupKeeping(ahead).isWeekOver(at: now))
        let lasting = [Self.manifest(9, .lasting)] + ahead
        #expect(!BackupKeeping(lasting).isWeekOver(at: now))
        // The newest made stays, also where a clock went back.
        let early = Self.start.advanced(byMicroseconds: -20 * Self.day)
        #expect(BackupKeeping(nights + [Self.manifest(-20, .whole)]).surplus(at: early).isEmpty)
    }

    @Test("The next night begins at the hour of the machine's own clock, also where clocks change")
    func hour() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/London"))
        // 2026-03-29: at 01:00 UTC the clock goes from 01:00 to 02:00.
        let evening = Timestamp(milliseconds: 1_774_735_200_000)
        let first = BackupKeeping.next(hour: 3, after: evening, calendar)
        #expect(first.milliseconds == 1_774_749_600_000)
        let second = BackupKeeping.next(hour: 3, after: first, calendar)
        #expect(second - first == Self.day)
    }

    @Test("A night that was planned while the clock was ahead is planned anew")
    func replanned() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/London"))
        let ahead = Self.start.advanced(byMicroseconds: 365 * Self.day)
        let planned = BackupKeeping.next(hour: 3, after: ahead, calendar)
        let right = BackupKeeping.next(hour: 3, after: Self.start, calendar)
        #expect(BackupKeeping.replanned(planned, hour: 3, at: Self.start, calendar) == right)
        #expect(BackupKeeping.replanned(right, hour: 3, at: Self.start, calendar) == right)
        // 2026-10-25: at 01:00 UTC the clock goes from 02:00 to 01:00, and the day has 25 hours.
        let saturday = Timestamp(milliseconds: 1_792_807_200_000)
        let sunday = BackupKeeping.next(hour: 3, after: saturday, calendar)
        #expect(sunday - saturday == 25 * 3_600_000_000)
        #expect(BackupKeeping.replanned(sunday, hour: 3, at: saturday, calendar) == sunday)
    }
}
