import Events
public import ServiceHost
import Storage
public import Wire

/// The work of a night: a backup, once a week a lasting one and a check of all, and the removal of
/// old ones. How it ended is in `last-backup.json`.
public struct NightlyBackup: Sendable {
    /// A night that failed goes on with what it has not done, and makes no second whole backup.
    private static let nightMicroseconds: Int64 = 20 * 3_600_000_000

    private let host: Host
    private let files: BackupFiles
    private let making: BackupMaking
    private let restoring: BackupRestoring
    private let catchUp: @Sendable () async throws -> Void
    private let note: @Sendable (String) -> Void

    /// - Parameter catchUp: writes the erasures that are not beside the backups yet.
    public init(
        _ host: Host, files: BackupFiles, making: BackupMaking, restoring: BackupRestoring,
        catchUp: @escaping @Sendable () async throws -> Void,
        note: @escaping @Sendable (String) -> Void
    ) {
        self.host = host
        self.files = files
        self.making = making
        self.restoring = restoring
        self.catchUp = catchUp
        self.note = note
    }

    /// Does the work, and returns the manifest of the whole backup; nil where the night has one
    /// already, and had failed after it. A failure is noted beside the backups too.
    ///
    /// - Throws: also where a backup is damaged. The report is then good, apart from its `damage`.
    public func run() async throws -> BackupManifest? {
        var report = LastBackup(finishedAt: host.now, isOK: false, name: nil)
        var made: BackupManifest?
        do {
            report = try await last() ?? report
            made = try await work(&report)
            (report.isOK, report.reason, report.finishedAt) = (true, nil, host.now)
            try await write(report)
        } catch {
            (report.isOK, report.reason, report.finishedAt) = (false, "\(error)", host.now)
            // The first error is the one to show, even if the place does not take the note either.
            try? await write(report)
            throw error
        }
        if let damage = report.damage { throw BackupFault(damage) }
        return made
    }

    /// How the last work ended; nil where there was none.
    public func last() async throws -> LastBackup? {
        try await files.place.read(LastBackup.file).flatMap { try? LastBackup(json: $0) }
    }

    /// Notes a whole backup that somebody made by hand.
    public func noteMade(_ manifest: BackupManifest) async throws {
        var report = LastBackup(finishedAt: host.now, isOK: true, name: manifest.name)
        let before = try await last()
        (report.checkedAt, report.damage) = (before?.checkedAt, before?.damage)
        try await write(report)
    }

    /// Notes a check of all backups that somebody made by hand.
    ///
    /// - Parameter damage: nil if all are well.
    public func noteChecked(_ damage: String?) async throws {
        guard var report = try await last() else { return }
        report.damage = damage
        if damage == nil { report.checkedAt = host.now }
        try await write(report)
    }

    private func write(_ last: LastBackup) async throws {
        try await files.place.write(LastBackup.file, last.json)
    }

    private func work(_ report: inout LastBackup) async throws -> BackupManifest? {
        try await catchUp()
        // Before anything is made, since an earlier night may have ended with a full disk.
        try await removeSurplus()
        let isWeekOver = try await keeping().isWeekOver(at: host.now)
        let isMade = !report.isOK && report.goodAt.map { isRecent($0) } ?? false
        var made: BackupManifest?
        if !isMade {
            let manifest = try await making.make(.init())
            note("\(manifest.name) is made: \(manifest.records) records, \(manifest.bytes) bytes")
            (report.goodAt, report.name, made) = (host.now, manifest.name, manifest)
            try await removeSurplus()
        }
        if isWeekOver {
            let lasting = try await making.make(.init(kind: .lasting))
            note("\(lasting.name) is made, to be kept four weeks")
            try await removeSurplus()
        }
        if report.damage != nil || BackupKeeping.isWeekOver(since: report.checkedAt, at: host.now) {
            report.damage = try await damage()
            if report.damage == nil { report.checkedAt = host.now }
        }
        return made
    }

    private func isRecent(_ moment: Timestamp) -> Bool {
        host.now - moment < Self.nightMicroseconds
    }

    private func keeping() async throws -> BackupKeeping {
        BackupKeeping(try await files.list().compactMap(\.manifest))
    }

    private func removeSurplus() async throws {
        for old in try await keeping().surplus(at: host.now) { try await files.remove(old.name) }
    }

    /// Reads all backups, and returns what is damaged; nil if all are well.
    private func damage() async throws -> String? {
        var faults: [String] = []
        for backup in try await files.list() {
            do {
                if let fault = backup.fault { throw BackupFault(fault) }
                _ = try await restoring.check(backup.name)
                note("\(backup.name) is checked")
            } catch let fault as BackupFault {
                faults.append(fault.description)
            }
        }
        return faults.isEmpty ? nil : faults.joined(separator: "; ")
    }
}
