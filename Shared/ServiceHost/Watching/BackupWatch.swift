import Events
import Foundation
import ServiceRuntime
public import Wire

/// The place of the backups, as far as the age of the last one shows there.
public enum BackupPlace {
    public static let variable = "WHEREABOUTS_BACKUPS"

    /// The last backup's report, from a folder. Nil where there is none, and for other places.
    public static func lastReport(in place: String) -> LastBackup? {
        guard place.hasPrefix("/") else { return nil }
        let file = URL(filePath: place).appending(path: LastBackup.file)
        guard let data = try? Data(contentsOf: file), data.count <= 1 << 20 else { return nil }
        return try? LastBackup(json: Array(data))
    }
}

extension Host {
    private static let backupInterval = Duration.seconds(5)

    /// Shows the age and the outcome of the last backup. Empty where no folder is set.
    func backupWatch() -> [any Component] {
        guard let place = configuration.optionalText(BackupPlace.variable),
            place.hasPrefix("/")
        else { return [] }
        let metrics = context.metrics
        let age = metrics.gauge(
            "whereabouts_backup_age_seconds",
            help: "Seconds since the last good backup, or since the start if there is none.")
        let isGood = metrics.gauge(
            "whereabouts_backup_ok", help: "0 if the last backup failed, else 1.")
        return [
            Loop("backup age") { [clock] in
                var lastGood = clock.now
                while !Task.isCancelled {
                    let report = BackupPlace.lastReport(in: place)
                    if let report, report.isOK { lastGood = report.finishedAt }
                    age.set(Double(clock.now - lastGood) / 1e6)
                    isGood.set(report?.isOK == false ? 0 : 1)
                    try? await Task.sleep(for: Self.backupInterval)
                }
            }
        ]
    }
}
