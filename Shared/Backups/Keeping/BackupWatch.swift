import Events
public import ServiceHost
public import ServiceRuntime
public import Storage
import Wire

/// How old the last good backup is, by the report beside the backups.
struct BackupWatch: Sendable {
    /// Says since when backups are expected here. The age of a backup that was never made counts
    /// from then, also after a restart.
    static let begun = "expected-since"

    private let place: any StoragePlace
    /// The time that the age counts from while the place does not answer.
    private(set) var lastGood: Timestamp
    private(set) var report: LastBackup?
    /// Whether the last work failed, or was interrupted.
    private(set) var isFailed = false
    private let isUnderWay: @Sendable () async throws -> Bool

    /// - Parameter isUnderWay: whether somebody is at a night's work now.
    init(
        _ place: any StoragePlace, begunAt: Timestamp,
        isUnderWay: @escaping @Sendable () async throws -> Bool
    ) {
        self.place = place
        self.isUnderWay = isUnderWay
        lastGood = begunAt
    }

    mutating func look(at now: Timestamp) async throws {
        let found = try await place.lastBackup(at: now, isUnderWay: isUnderWay)
        report = found.report
        // While PostgreSQL is away nobody can tell, and the former answer stays.
        if let isUnderWay = found.isUnderWay {
            isFailed = found.report?.standing(isUnderWay: isUnderWay).isBad ?? false
        }
        if let good = report?.lastGood(at: now) {
            lastGood = good
        } else if let bytes = try await place.read(Self.begun, most: StoredFile.fewBytes),
            let begun = Timestamp(text: String(decoding: bytes, as: UTF8.self)),
            !begun.isAhead(of: now)
        {
            lastGood = begun
        } else {
            try await place.write(Self.begun, Array(now.text.utf8))
            lastGood = now
        }
    }
}

extension Host {
    /// A bucket wants money for each question.
    private static let intervals = (folder: Duration.seconds(5), bucket: Duration.seconds(300))

    /// Shows the age and the outcome of the last backup.
    public func backupWatch(_ place: any StoragePlace) -> any Component {
        let metrics = context.metrics
        let age = metrics.gauge(
            "whereabouts_backup_age_seconds",
            help: "Seconds since the last good backup, or since the first start without one.")
        let isGood = metrics.gauge(
            "whereabouts_backup_ok", help: "0 if the last backup failed, else 1.")
        let isDamaged = metrics.gauge(
            "whereabouts_backup_damaged", help: "1 if the last check found a damaged backup.")
        let interval = place is FolderPlace ? Self.intervals.folder : Self.intervals.bucket
        let pool = requiredDatabase()
        return loopWithoutLog("backup age") { [clock] in
            var watch = BackupWatch(place, begunAt: clock.now) {
                try await NightlyBackup.isUnderWay(pool)
            }
            while !Task.isCancelled {
                // A place that does not answer shows by the age.
                try? await watch.look(at: clock.now)
                age.set(Double(clock.now - watch.lastGood) / 1e6)
                isGood.set(watch.isFailed ? 0 : 1)
                isDamaged.set(watch.report?.damage == nil ? 0 : 1)
                try? await Task.sleep(for: interval)
            }
        }
    }
}
