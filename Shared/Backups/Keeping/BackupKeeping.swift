public import Events
public import Foundation
public import Wire

/// Which backups are kept, and when the next one is due.
public struct BackupKeeping: Sendable {
    /// The nightly backups, with everything.
    static let wholeKept = 7
    /// The weekly ones, without what has a retention.
    static let lastingKept = 4
    private static let weekMicroseconds: Int64 = 7 * 86_400_000_000
    /// A night may begin a little earlier than the one a week before.
    private static let slackMicroseconds: Int64 = 6 * 3_600_000_000
    /// A day on which clocks go back.
    private static let longestDayMicroseconds: Int64 = 25 * 3_600_000_000

    /// The backups that are whole, the oldest first.
    var manifests: [BackupManifest]

    private let calendar: Calendar

    public init(_ manifests: [BackupManifest], calendar: Calendar = .current) {
        self.calendar = calendar
        self.manifests = manifests.sorted { $0.tablesAt < $1.tablesAt }
    }

    /// Whether the weekly backup is due.
    public func isWeekOver(at now: Timestamp) -> Bool {
        Self.isWeekOver(
            since: manifests.last { $0.kind == .lasting && !Self.isAhead($0.tablesAt, of: now) }?
                .tablesAt, at: now)
    }

    /// Whether the work of a week is due, which it is if it was never done. A time in the future
    /// says nothing: a clock was ahead then.
    static func isWeekOver(since last: Timestamp?, at now: Timestamp) -> Bool {
        guard let last, !isAhead(last, of: now) else { return true }
        return now - last >= weekMicroseconds - slackMicroseconds
    }

    private static func isAhead(_ moment: Timestamp, of now: Timestamp) -> Bool {
        moment > now.advanced(byMicroseconds: slackMicroseconds)
    }

    /// The backups that are too many now: of each kind the last nights are kept, with all that were
    /// made in them. So several of one day push out no other night. One from the future counts as
    /// no night, and goes when there are enough others.
    public func surplus(at now: Timestamp) -> [BackupManifest] {
        func old(_ kind: BackupManifest.Kind, _ kept: Int) -> [BackupManifest] {
            let mine = manifests.filter { $0.kind == kind }
            let nights = Set(mine.filter { !Self.isAhead($0.tablesAt, of: now) }.map(night))
            guard nights.count >= kept, let first = nights.sorted().suffix(kept).first else {
                return []
            }
            return mine.filter { Self.isAhead($0.tablesAt, of: now) || night(of: $0) < first }
        }
        return old(.whole, Self.wholeKept) + old(.lasting, Self.lastingKept)
    }

    /// The night of a backup, as a number of days: it begins at noon.
    private func night(of manifest: BackupManifest) -> Int {
        let date = Date(timeIntervalSince1970: Double(manifest.tablesAt.microseconds) / 1_000_000)
        let evening = calendar.date(byAdding: .hour, value: -12, to: date) ?? date
        return calendar.ordinality(of: .day, in: .era, for: evening) ?? 0
    }

    /// The planned time of the next night, or another one where a clock was ahead at the planning.
    public static func replanned(
        _ next: Timestamp, hour: Int, at now: Timestamp, _ calendar: Calendar = .current
    ) -> Timestamp {
        next - now > longestDayMicroseconds ? Self.next(hour: hour, after: now, calendar) : next
    }

    /// The next time at which the machine's clock shows this hour.
    public static func next(
        hour: Int, after moment: Timestamp, _ calendar: Calendar = .current
    ) -> Timestamp {
        let date = Date(timeIntervalSince1970: Double(moment.microseconds) / 1_000_000)
        let found = calendar.nextDate(
            after: date, matching: DateComponents(hour: hour, minute: 0, second: 0),
            matchingPolicy: .nextTime)
        let day = date.addingTimeInterval(86_400)
        return Timestamp(
            milliseconds: Int64(((found ?? day).timeIntervalSince1970 * 1_000).rounded()))
    }
}
