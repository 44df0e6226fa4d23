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

    /// The backups that are whole, the oldest first.
    var manifests: [BackupManifest]

    public init(_ manifests: [BackupManifest]) {
        self.manifests = manifests.sorted { $0.tablesAt < $1.tablesAt }
    }

    /// Whether the weekly backup is due.
    public func isWeekOver(at now: Timestamp) -> Bool {
        Self.isWeekOver(since: manifests.last { $0.kind == .lasting }?.tablesAt, at: now)
    }

    /// Whether what a week needs once is due; it is where it was never done.
    static func isWeekOver(since last: Timestamp?, at now: Timestamp) -> Bool {
        guard let last else { return true }
        return now - last >= Self.weekMicroseconds - Self.slackMicroseconds
    }

    /// The backups that are too many.
    public var surplus: [BackupManifest] {
        func old(_ kind: BackupManifest.Kind, _ kept: Int) -> ArraySlice<BackupManifest> {
            manifests.filter { $0.kind == kind }.dropLast(kept)
        }
        return Array(old(.whole, Self.wholeKept) + old(.lasting, Self.lastingKept))
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
