import Events
public import ServiceHost
import Storage
public import Wire

/// The work of a night: a backup, once a week a lasting one and a check of all, and the removal of
/// old ones. How it ended is in `last-backup.json`.
public struct NightlyBackup: Sendable {
    /// A night that failed goes on with what it has not done, and makes no second whole backup.
    private static let nightMicroseconds: Int64 = 20 * 3_600_000_000

    /// The night's own work is done, but a backup is not what was backed up.
    public struct Damage: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

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
    /// - Throws: `Damage` where a backup is damaged. The report is then good, apart from its
    ///   `damage`.
    public func run() async throws -> BackupManifest? {
        var report = LastBackup(finishedAt: host.now, isOK: false, name: nil)
        var made: BackupManifest?
        do {
            report = try await last() ?? report
            if report.isUnfinished {
                // The process of that night has died, and could not say so.
                (report.isOK, report.reason) = (false, "the work of a night was interrupted")
                // There may be no room for the note yet: the work makes room.
                try? await write(report)
            }
            made = try await work(&report)
            (report.isOK, report.reason) = (true, nil)
            try await finish(&report)
        } catch {
            (report.isOK, report.reason) = (false, "\(error)")
            // The first error is the one to show, even if the place does not take the note either.
            try? await finish(&report)
            throw error
        }
        if let damage = report.damage { throw Damage(description: damage) }
        return made
    }

    private func finish(_ report: inout LastBackup) async throws {
        (report.isUnfinished, report.finishedAt) = (false, host.now)
        try await write(report)
    }

    /// How the last work ended; nil where there was none.
    public func last() async throws -> LastBackup? {
        try await files.place.lastBackup(at: host.now)
    }

    /// Notes a whole backup that somebody made by hand.
    public func noteMade(_ manifest: BackupManifest) async throws {
        var report = LastBackup(finishedAt: host.now, isOK: true, name: manifest.name)
        if let before = try await last() { report.copyCheck(of: before) }
        try await write(report)
    }

    /// Checks backups for somebody who asks, as a night does once a week. If all are checked, the
    /// outcome is noted, and so the alarm begins or ends.
    ///
    /// - Parameter name: the one backup to check; nil for all.
    public func check(_ name: String? = nil) async throws -> BackupCheck {
        let check = try await BackupCheck(of: name, restoring, note: note)
        if name == nil, var report = try await last() {
            apply(check, to: &report)
            try await write(report)
        }
        return check
    }

    private func apply(_ check: BackupCheck, to report: inout LastBackup) {
        (report.damage, report.erasures) = (check.damage, check.erasures)
        if check.damage == nil { report.checkedAt = host.now }
    }

    private func write(_ last: LastBackup) async throws {
        try await files.place.write(LastBackup.file, last.json)
    }

    private func work(_ report: inout LastBackup) async throws -> BackupManifest? {
        // Before anything is written, since an earlier night may have ended with a full disk.
        try await removeSurplus()
        try await making.removeUnfinished()
        try await catchUp()
        let isWeekOver = try await keeping().isWeekOver(at: host.now)
        let isMade = report.isOK ? false : try await isOfThisNight(report)
        var made: BackupManifest?
        if !isMade {
            let manifest = try await making.make(.init())
            note("\(manifest.name) is made: \(manifest.records) records, \(manifest.bytes) bytes")
            (report.goodAt, report.name, made) = (host.now, manifest.name, manifest)
            // Else a process that dies later would begin with another whole backup each time.
            report.isUnfinished = true
            try await write(report)
            try await removeSurplus()
        }
        if isWeekOver {
            let lasting = try await making.make(.init(kind: .lasting))
            note("\(lasting.name) is made, to be kept four weeks")
            try await removeSurplus()
        }
        // Somebody may have checked by hand meanwhile.
        if let present = try await last() { report.copyCheck(of: present) }
        if report.damage != nil || BackupKeeping.isWeekOver(since: report.checkedAt, at: host.now) {
            apply(try await BackupCheck(of: nil, restoring, note: note), to: &report)
        }
        return made
    }

    /// Whether the night that failed has made its backup. Where no report can be written, the
    /// backups themselves show it.
    private func isOfThisNight(_ report: LastBackup) async throws -> Bool {
        let now = host.now
        let finished = try await files.list().compactMap(\.manifest)
            .filter { $0.kind == .whole && !$0.finishedAt.isAhead(of: now) }.map(\.finishedAt).max()
        guard let good = [report.lastGood(at: now), finished].compactMap(\.self).max() else {
            return false
        }
        return now - good < Self.nightMicroseconds
    }

    private func keeping() async throws -> BackupKeeping {
        BackupKeeping(try await files.list().compactMap(\.manifest))
    }

    private func removeSurplus() async throws {
        for old in try await keeping().surplus(at: host.now) { try await files.remove(old.name) }
    }
}

extension LastBackup {
    /// Copies the outcome of the last check from another report.
    fileprivate mutating func copyCheck(of other: LastBackup) {
        (checkedAt, damage, erasures) = (other.checkedAt, other.damage, other.erasures)
    }
}
