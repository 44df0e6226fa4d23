import Backups
import Events
import Foundation
import Testing
import Wire

@Suite("Which backups are kept") struct BackupKeepingTests {
    private static let start = Timestamp(milliseconds: 1_795_305_600_000)
    private static let day: Int64 = 86_400_000_000

    private static func manifest(
        _ day: Int, _ kind: BackupManifest.Kind
    ) -> BackupManifest {
        let at = start.advanced(byMicroseconds: Int64(day) * Self.day)
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
            let surplus = Set(BackupKeeping(kept).surplus.map(\.name))
            kept.removeAll { surplus.contains($0.name) }
        }
        #expect(kept.filter { $0.kind == .whole }.map(\.name) == (53..<60).map { "\($0)-whole" })
        #expect(
            kept.filter { $0.kind == .lasting }.map(\.name)
                == [35, 42, 49, 56].map { "\($0)-lasting" })
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
}
